import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { createService } from "../server/src/service/service.ts";
import { median, type Row, round } from "./row.ts";
import { benchHost, listening, timedTransport } from "./support.ts";

const rounds = 9;
const uri = "file:///bench.rpc.json";
const hash = `0x${"ab".repeat(32)}`;
const [logCount, frameCount] = [200, 500];
const tokens = 12;

/** The case of a transaction with 200 logs and 500 calls: from the last byte of the last answer to the screen. */
export async function cases(): Promise<readonly Row[]> {
  const texts = answers();
  const endpoint = await answering(texts);
  const host = benchHost();
  const { transport, arrivedAt } = timedTransport(host.transport, 1e5);
  const service = createService({ ...host, transport });
  service.openText(
    uri,
    JSON.stringify({ cells: [{ method: "eth_getTransactionByHash", params: [hash], explain: true }] }),
  );
  const [whole, parses]: readonly [number[], number[]] = [[], []];
  let message = "";
  try {
    for (let at = -3; at < rounds; at++) {
      globalThis.gc?.();
      let shown = 0;
      await service.run(
        { uri, endpoint: endpoint.url },
        {
          started: () => {},
          finished: ({ output }) => {
            message = JSON.stringify(output.reports);
            shown = performance.now();
          },
        },
        new AbortController().signal,
      );
      const begun = performance.now();
      for (const text of texts.values()) JSON.parse(text);
      const parsed = performance.now() - begun;
      if (at < 0) continue;
      whole.push(shown - arrivedAt());
      parses.push(parsed);
    }
  } finally {
    endpoint.close();
    await host.close();
  }
  const painted = await paint(message);
  const [made, parse] = [median(whole), median(parses)];
  return [
    {
      area: "render",
      name: "case of a transaction with 200 logs and 500 calls: from the last answer to the screen, beyond JSON.parse",
      value: round(made + painted - parse),
      unit: "ms",
      budget: 150,
      baseline: `${round(made)} ms to the message of ${round(message.length / 1000)} kB, ${round(painted)} ms to draw it, JSON.parse ${round(parse)} ms`,
    },
  ];
}

/** Measures how long Chromium takes to draw reports. */
async function paint(reports: string): Promise<number> {
  const folder = mkdtempSync(path.join(tmpdir(), "rpc-notebook-bench-"));
  try {
    const file = path.join(folder, "reports.json");
    writeFileSync(file, reports);
    const { stdout } = await promisify(execFile)(process.execPath, ["--import", "tsx", "bench/drawCase.ts", file]);
    return median(JSON.parse(stdout) as readonly number[]); // the script prints that
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function word(value: bigint | number): string {
  return value.toString(16).padStart(64, "0");
}

function address(at: number): string {
  return `0x${(at + 0x1000).toString(16).padStart(40, "a")}`;
}

/** The result of each method, as JSON. */
function answers(): ReadonlyMap<string, string> {
  const place = { blockHash: `0x${"cd".repeat(32)}`, blockNumber: "0x64", transactionIndex: "0x0" };
  const parties = { from: address(1), to: address(2) };
  const input = `0xa9059cbb${word(BigInt(address(3)))}${word(5n)}`;
  const logs = Array.from({ length: logCount }, (_, at) => ({
    ...place,
    address: address(100 + (at % tokens)),
    topics: [
      "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef",
      `0x${word(BigInt(address(at)))}`,
      `0x${word(BigInt(address(at + 1)))}`,
    ],
    data: `0x${word(at * 1_000_000)}`,
    logIndex: `0x${at.toString(16)}`,
    transactionHash: hash,
    removed: false,
  }));
  const calls = Array.from({ length: (frameCount - 1) / 2 }, (_, at) => ({
    type: "CALL",
    from: address(2),
    to: address(100 + (at % tokens)),
    value: "0x1",
    gas: "0x186a0",
    gasUsed: "0x5208",
    input,
    output: `0x${word(1)}`,
    calls: [
      {
        type: "DELEGATECALL",
        from: address(100),
        to: address(99),
        gas: "0x186a0",
        gasUsed: "0x5208",
        input,
        output: `0x${word(1)}`,
      },
    ],
  }));
  const trace = { type: "CALL", ...parties, value: "0x0", gas: "0x989680", gasUsed: "0x7a1200", input, calls };
  const transaction = { hash, ...place, ...parties, nonce: "0x7", gas: "0x989680", value: "0x0", input, type: "0x2" };
  const receipt = {
    transactionHash: hash,
    ...place,
    ...parties,
    status: "0x1",
    gasUsed: "0x7a1200",
    effectiveGasPrice: "0x3b9aca00",
    logs,
  };
  const block = { number: "0x64", hash: place.blockHash, timestamp: "0x67000000" };
  const all: Readonly<Record<string, unknown>> = {
    eth_getTransactionByHash: transaction,
    eth_getTransactionReceipt: receipt,
    eth_getBlockByNumber: block,
    eth_chainId: "0x1",
    eth_call: `0x${word(6)}`,
    debug_traceTransaction: trace,
  };
  return new Map(Object.entries(all).map(([method, result]) => [method, JSON.stringify(result)]));
}

/** An endpoint that answers each method with its text, batches too. */
async function answering(texts: ReadonlyMap<string, string>): Promise<{ readonly url: string; close(): void }> {
  const server = createServer(async (request, response) => {
    const asked = JSON.parse(Buffer.concat(await request.toArray()).toString()) as Asked | readonly Asked[]; // only this benchmark asks
    const answer = ({ id, method }: Asked): string =>
      `{"jsonrpc":"2.0","id":${id},"result":${texts.get(method) ?? "null"}}`;
    const body = "method" in asked ? answer(asked) : `[${asked.map(answer).join()}]`;
    response.setHeader("content-type", "application/json").end(body);
  });
  return listening(server);
}

interface Asked {
  readonly id: number;
  readonly method: string;
}
