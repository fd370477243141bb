import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { createPublicClient, http } from "viem";
import { createService } from "../server/src/service/service.ts";
import { median, medians, type Row, round, warmMedians } from "./row.ts";
import { balanceServer, benchHost } from "./support.ts";

const count = 1000;
/** The number of curl processes that are started; the rest is extrapolated. */
const curls = 50;

/** A thousand balances through the service and in the ways that people use without it, all at the same endpoint. */
export async function runs(): Promise<readonly Row[]> {
  return [...(await at(0, "on loopback")), ...(await at(20, "at an endpoint delay of 20 ms"))];
}

const addressAt = (at: number): `0x${string}` => `0x${(at + 1).toString(16).padStart(40, "0")}`;

async function at(delay: number, where: string): Promise<readonly Row[]> {
  const endpoint = await balanceServer(delay);
  const host = benchHost();
  const requests = Array.from({ length: count }, (_, at) => ({
    jsonrpc: "2.0",
    id: at + 1,
    method: "eth_getBalance",
    params: [addressAt(at), "pending"],
  }));
  const batch = JSON.stringify(requests);
  const notebook = JSON.stringify({ cells: requests.map(({ method, params }) => ({ method, params })) });
  const folder = await mkdtemp(path.join(tmpdir(), "rpc-notebook-bench-"));
  const file = path.join(folder, "bench.rpc.json");
  await writeFile(file, notebook);
  const uri = pathToFileURL(file).href;
  const service = createService(host);
  service.openText(uri, notebook);
  const withViem = (isBatched: boolean) => async () => {
    const transport = http(endpoint.url, { batch: isBatched && { batchSize: count } });
    const client = createPublicClient({ transport });
    await Promise.all(requests.map((_, at) => client.getBalance({ address: addressAt(at), blockTag: "pending" })));
  };
  try {
    const [ours = 0, raw = 0] = await warmMedians(
      200,
      async () => {
        const result = await service.run(
          { uri, endpoint: endpoint.url },
          { started: () => {}, finished: () => {} },
          new AbortController().signal,
        );
        if (result.ok !== count) throw new Error(`${result.failed} of ${count} cells failed`);
      },
      async () => {
        const answer = await fetch(endpoint.url, { method: "POST", body: batch });
        if (((await answer.json()) as readonly unknown[]).length !== count) throw new Error("not every answer came");
      },
    );
    const [batched = 0, unbatched = 0] = await medians(5, withViem(true), withViem(false));
    const curl = (await curlMedian(endpoint.url, JSON.stringify(requests[0]))) * count;
    const row = (value: number, baseline: string) => ({ area: "run" as const, value: round(value), baseline });
    const name = `1,000 eth_getBalance cells ${where}`;
    return [
      {
        ...row(ours / raw, `${round(ours)} ms beside a raw batch fetch of ${round(raw)} ms`),
        name,
        unit: "×",
        budget: 1.5,
      },
      { ...row(batched / ours, `viem with batches ${round(batched)} ms`), name: `  viem, batched, to ours`, unit: "×" },
      {
        ...row(unbatched / ours, `viem without ${round(unbatched)} ms`),
        name: `  viem, unbatched, to ours`,
        unit: "×",
      },
      {
        ...row(curl / ours, `${round(curl)} ms, reckoned from ${curls} processes of curl one after the other`),
        name: `  curl, one by one, to ours`,
        unit: "×",
      },
    ];
  } finally {
    endpoint.close();
    await host.close();
    await rm(folder, { recursive: true });
  }
}

/** Milliseconds of one process, its start included. */
async function curlMedian(url: string, body: string): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < curls; run++) {
    const begun = performance.now();
    await promisify(execFile)("curl", ["-s", "-d", body, url]);
    times.push(performance.now() - begun);
  }
  return median(times);
}
