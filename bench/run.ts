import { createService } from "../server/src/service.ts";
import { medians, type Row, round } from "./row.ts";
import { balanceServer, benchHost } from "./support.ts";

const count = 1000;

/** A thousand balances through the service, beside one raw batch by `fetch` to the same endpoint. */
export async function runs(): Promise<readonly Row[]> {
  return [...(await at(0, "on loopback")), ...(await at(20, "at an endpoint delay of 20 ms"))];
}

async function at(delay: number, where: string): Promise<readonly Row[]> {
  const endpoint = await balanceServer(delay);
  const host = benchHost();
  const requests = Array.from({ length: count }, (_, at) => ({
    jsonrpc: "2.0",
    id: at + 1,
    method: "eth_getBalance",
    params: [`0x${(at + 1).toString(16).padStart(40, "0")}`, "pending"],
  }));
  const batch = JSON.stringify(requests);
  const notebook = JSON.stringify({ cells: requests.map(({ method, params }) => ({ method, params })) });
  const service = createService(host);
  service.openText("file:///bench.rpc.json", notebook);
  try {
    const [ours = 0, raw = 0] = await medians(
      15,
      async () => {
        const result = await service.run(
          { uri: "file:///bench.rpc.json", endpoint: endpoint.url },
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
    return [
      {
        area: "run",
        name: `1,000 eth_getBalance cells ${where}`,
        value: round(ours / raw),
        unit: "×",
        budget: 1.5,
        baseline: `${round(ours)} ms beside a raw batch fetch of ${round(raw)} ms`,
      },
    ];
  } finally {
    endpoint.close();
    await host.close();
  }
}
