import { createServer } from "node:http";
import { pathToFileURL } from "node:url";
import { type Anvil, ask, startAnvil } from "../devchain/anvil.ts";
import { startTracer } from "../server/src/node/tracer.ts";
import { createService } from "../server/src/service/service.ts";
import { type KnownState, type OpenTracer, type Task, usualLimits } from "../server/src/trace/task.ts";
import { median, type Row, round } from "./row.ts";
import { benchHost, listening } from "./support.ts";

const address = (number: number): string => `0x${(0xc0de0000 + number).toString(16).repeat(5)}`;
const zero = `0x${"0".repeat(64)}`;
const nothing: KnownState = { accounts: new Map(), slots: new Map(), hashes: new Map() };

/** The thread of the package; the bench is a bundle elsewhere. */
const openTracer: OpenTracer = async (signal) => startTracer(signal, pathToFileURL("dist/server/trace.mjs"));

/** Computing calls: how fast, how soon it ends, and how long state is waited for. */
export async function traces(): Promise<readonly Row[]> {
  return [await steps(), await cancel(), ...(await waits())];
}

/** @param code - Of the contract that is called. */
function stateOf(code: string): KnownState {
  const account = { balance: 0n, nonce: 1n, code };
  return { ...nothing, accounts: new Map([address(0), address(1)].map((one) => [one, account])) };
}

function taskOf(steps: number): Task {
  const coinbase = address(1);
  return {
    calls: [{ from: coinbase, to: address(0), data: "0x", value: 0n, gas: 2n ** 60n, gasPrice: 0n, accessList: [] }],
    block: { number: 1n, time: 1n, coinbase, prevRandao: zero, gasLimit: 1n, baseFee: 0n, blobBaseFee: 1n },
    chainId: 1n,
    fork: "osaka",
    limits: { ...usualLimits, steps },
  };
}

/** A loop that counts: `JUMPDEST PUSH1 1 ADD DUP1 POP PUSH1 2 JUMP`. */
const loop = "0x60005b60010180506002" + "56";

async function steps(): Promise<Row> {
  const count = 300_000;
  const tracer = await openTracer(new AbortController().signal);
  const rates: number[] = [];
  for (let at = 0; at < 4; at++) {
    const begun = performance.now();
    await tracer.run(taskOf(count), stateOf(loop));
    if (at > 0) rates.push(count / ((performance.now() - begun) / 1000));
  }
  tracer.close();
  const name = "instructions of a computed call in a second";
  return { area: "trace", name, value: Math.round(median(rates)), unit: "/s", budget: 100_000, atLeast: true };
}

async function cancel(): Promise<Row> {
  const times: number[] = [];
  for (let at = 0; at < 5; at++) {
    const ending = new AbortController();
    const tracer = await openTracer(ending.signal);
    await tracer.run(taskOf(1), nothing); // it has started
    const running = tracer.run(taskOf(Number.MAX_SAFE_INTEGER), stateOf(loop));
    await new Promise((resolve) => setTimeout(resolve, 100));
    const begun = performance.now();
    ending.abort();
    await running;
    times.push(performance.now() - begun);
  }
  return {
    area: "trace",
    name: "a call that runs for ever, cancelled",
    value: round(median(times)),
    unit: "ms",
    budget: 100,
  };
}

/** A contract that calls eleven others; each of the twelve reads five slots. */
async function deploy(anvil: Anvil): Promise<void> {
  const loads = [1, 2, 3, 4, 5].map((slot) => `600${slot}5450`).join("");
  const calls = Array.from({ length: 11 }, (_, at) => `6000600060006000600073${address(at + 1).slice(2)}5af150`);
  for (let at = 0; at < 12; at++) {
    await ask(anvil, "anvil_setCode", [address(at), `0x${loads}${at === 0 ? calls.join("") : ""}600160005260206000f3`]);
    for (const slot of [1, 2, 3, 4, 5])
      await ask(anvil, "anvil_setStorageAt", [address(at), `0x${slot}`, zero.replace(/0$/, "7")]);
  }
}

async function waits(): Promise<readonly Row[]> {
  const anvil = await startAnvil({ genesisTime: 1_750_000_000 });
  const host = benchHost();
  try {
    await deploy(anvil);
    const rows: Row[] = [];
    for (const [name, refused, batches] of [
      ["guessing", ["debug_traceCall", "eth_createAccessList"], true],
      ["with an access list", ["debug_traceCall"], true],
      ["one request a message", ["debug_traceCall", "eth_createAccessList"], false],
    ] as const)
      rows.push(await wait(anvil, host, name, refused, batches));
    return rows;
  } finally {
    await host.close();
    await anvil.kill();
  }
}

async function wait(
  anvil: Anvil,
  host: ReturnType<typeof benchHost>,
  name: string,
  refused: readonly string[],
  batches: boolean,
): Promise<Row> {
  let messages = 0;
  let before = 0;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const parsed = JSON.parse(Buffer.concat(chunks).toString());
    const all = [parsed].flat() as readonly { readonly id: unknown; readonly method: string }[]; // only this bench asks
    messages++;
    const answers = JSON.parse(await anvil.post(JSON.stringify(all))) as readonly { readonly id: unknown }[]; // of anvil
    const shown = all.map(({ id, method }) =>
      refused.includes(method)
        ? { jsonrpc: "2.0", id, error: { code: -32601, message: `the method ${method} does not exist` } }
        : answers.find((one) => one.id === id),
    );
    await new Promise((resolve) => setTimeout(resolve, 50));
    const refusal = { jsonrpc: "2.0", id: null, error: { code: -32600, message: "batches are not supported" } };
    response.end(JSON.stringify(!Array.isArray(parsed) ? shown[0] : batches ? shown : refusal));
  });
  const endpoint = await listening(server);
  const times: number[] = [];
  const counts: number[] = [];
  for (let at = 0; at < 4; at++) {
    const service = createService({ ...host, openTracer });
    const uri = "file:///bench.rpc.json";
    service.openText(uri, JSON.stringify({ cells: [{ method: "eth_call", params: [{ to: address(0) }, "latest"] }] }));
    const spent: number[] = [];
    let text = "";
    for (const trace of [false, true]) {
      before = messages;
      messages = 0;
      const begun = performance.now();
      await service.run(
        { uri, endpoint: endpoint.url, ...(trace && { trace }) },
        {
          started: () => {},
          finished: ({ output }) => {
            text = output.text;
          },
        },
        new AbortController().signal,
      );
      spent.push(performance.now() - begun);
    }
    if (!text.includes("computed on this machine")) throw new Error(`Nothing was computed: ${text}`);
    if (at === 0) continue;
    times.push((spent[1] ?? 0) - (spent[0] ?? 0));
    counts.push(messages - before);
  }
  endpoint.close();
  const baseline = `${median(counts)} messages`;
  const title = `12 contracts with 60 slots at 50 ms a message, ${name}: beyond the same run without a trace`;
  return { area: "trace", name: title, value: round(median(times)), unit: "ms", budget: 600, baseline };
}
