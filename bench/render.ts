import { execFile } from "node:child_process";
import { createServer } from "node:http";
import { promisify } from "node:util";
import type { CellOutput } from "../server/src/report/report.ts";
import { createService } from "../server/src/service/service.ts";
import { logSets, logsOf } from "./decodeContenders.ts";
import { median, type Row, round } from "./row.ts";
import { benchHost, listening, timedTransport } from "./support.ts";

const rounds = 5;
const uri = "file:///bench.rpc.json";
const notebook = { cells: [{ method: "eth_getLogs", params: [{ fromBlock: "0x1", toBlock: "0x2" }] }] };

/** A table of 100,000 logs: from the last byte of the answer to the message that an editor draws, and the next page. */
export async function render(): Promise<readonly Row[]> {
  const logs = logsOf(logSets["one event"]?.declarations ?? []);
  const text = `{"jsonrpc":"2.0","id":1,"result":${logs.text}}`;
  const endpoint = await answering(text);
  const host = benchHost();
  const { transport, arrivedAt } = timedTransport(host.transport, 1e6);
  const service = createService({ ...host, transport });
  service.openText(uri, JSON.stringify(notebook));
  const first: number[] = [];
  const parses: number[] = [];
  const pages: number[] = [];
  const sorts: number[] = [];
  const searches: number[] = [];
  const filters: number[] = [];
  const ofAddresses: number[] = [];
  const calm = new AbortController().signal;
  const messages: number[] = [];
  try {
    for (let at = -1; at < rounds; at++) {
      globalThis.gc?.();
      let output: CellOutput | undefined;
      let message = "";
      let shown = 0;
      await service.run(
        { uri, endpoint: endpoint.url },
        {
          started: () => {},
          finished: (event) => {
            output = event.output;
            message = JSON.stringify({ reports: event.output.reports });
            shown = performance.now();
          },
        },
        calm,
      );
      const table = output?.reports[0]?.sections.find((section) => section.kind === "table");
      const value = table?.kind === "table" ? table.columns.findIndex(({ align }) => align === "right") : -1;
      if (table?.kind !== "table" || table.rest === undefined) throw new Error("no table came");
      const order = { rest: table.rest, from: 0, count: 200 };
      const next = { ...order, from: table.rows.length };
      const paged = await timed(async () => JSON.stringify(await service.rows(next, calm)));
      const sorted = await timed(() => service.rows({ ...order, sort: { column: value, descending: true } }, calm));
      const filter = `0x${/[0-9a-f]{40}(?="\])/.exec(text)?.[0]}`;
      const ofAddress = await timed(() => service.rows({ ...order, filter }, calm));
      const searched = await timed(() => service.rows({ ...order, filter: "77" }, calm));
      const filtered = await timed(() => service.rows({ ...order, filter: "778" }, calm));
      globalThis.gc?.();
      const begun = performance.now();
      JSON.parse(text);
      const parsed = performance.now() - begun;
      if (at < 0) continue;
      first.push(shown - arrivedAt());
      parses.push(parsed);
      pages.push(paged);
      sorts.push(sorted);
      searches.push(searched);
      filters.push(filtered);
      ofAddresses.push(ofAddress);
      messages.push(message.length / 1000);
    }
  } finally {
    endpoint.close();
    await host.close();
  }
  const [whole, parse] = [median(first), median(parses)];
  return [
    {
      area: "render",
      name: "100,000 logs: from the last byte to the first rows, beyond JSON.parse",
      value: round(whole - parse),
      unit: "ms",
      budget: 150,
      baseline: `${round(whole)} ms in all, JSON.parse of ${round(text.length / 1e6)} MB ${round(parse)} ms`,
    },
    { area: "render", name: "  the next 200 rows", value: round(median(pages)), unit: "ms", budget: 20 },
    {
      area: "render",
      name: "  the first 200 rows sorted by a column",
      value: round(median(sorts)),
      unit: "ms",
      budget: 1500,
    },
    { area: "render", name: "  rows of an address", value: round(median(ofAddresses)), unit: "ms", budget: 1000 },
    { area: "render", name: "  the first filter", value: round(median(searches)), unit: "ms", budget: 5000 },
    { area: "render", name: "  the next filter", value: round(median(filters)), unit: "ms", budget: 300 },
    { area: "render", name: "  message to the editor", value: round(median(messages)), unit: "kB" },
    ...(await drawn()),
  ];
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

/** Measures how long a person waits in the editor's webview. */
async function drawn(): Promise<readonly Row[]> {
  const { stdout } = await promisify(execFile)(process.execPath, ["--import", "tsx", "bench/draw.ts"], {
    timeout: 60_000,
  });
  const times = JSON.parse(stdout) as Record<"paint" | "scroll" | "far", readonly number[]>; // the script prints that
  const row = (name: string, key: keyof typeof times, budget: number): Row => {
    return { area: "render", name: `  Chromium: ${name}`, value: round(median([...times[key]])), unit: "ms", budget };
  };
  return [
    row("first paint", "paint", 50),
    row("scroll by five rows", "scroll", 16),
    row("rows of a far place, by way of the server", "far", 500),
  ];
}

/** An endpoint with one answer to `eth_getLogs`, and no other method. */
async function answering(text: string): Promise<{ readonly url: string; close(): void }> {
  const body = Buffer.from(text);
  const other = JSON.stringify({ jsonrpc: "2.0", id: 1, error: { code: -32601, message: "method not found" } });
  const server = createServer(async (request, response) => {
    const asked = Buffer.concat(await request.toArray()).toString();
    response.setHeader("content-type", "application/json").end(asked.includes("eth_getLogs") ? body : other);
  });
  return listening(server);
}
