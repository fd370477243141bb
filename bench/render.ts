import { createServer } from "node:http";
import type { HttpResponse } from "../server/src/base/ports.ts";
import type { CellOutput } from "../server/src/report/cellOutput.ts";
import { createService } from "../server/src/service/service.ts";
import { logSets, logsOf } from "./decodeContenders.ts";
import { median, type Row, round } from "./row.ts";
import { benchHost, listening } from "./support.ts";

const rounds = 7;
const uri = "file:///bench.rpc.json";
const notebook = { cells: [{ method: "eth_getLogs", params: [{ fromBlock: "0x1", toBlock: "0x2" }] }] };

/** A table of 100,000 logs: from the last byte of the answer to the message that an editor draws, and the next page. */
export async function render(): Promise<readonly Row[]> {
  const logs = logsOf(logSets["one event"]?.declarations ?? []);
  const text = `{"jsonrpc":"2.0","id":1,"result":${logs.text}}`;
  const endpoint = await answering(text);
  const host = benchHost();
  let arrived = 0;
  const { post } = host.transport;
  const transport = {
    async post(...given: Parameters<typeof post>): ReturnType<typeof post> {
      const answer = await post(...given);
      if ("body" in answer && (answer as HttpResponse).body.length > 1e6) arrived = performance.now(); // inspected just before
      return answer;
    },
  };
  const service = createService({ ...host, transport });
  service.openText(uri, JSON.stringify(notebook));
  const first: number[] = [];
  const parses: number[] = [];
  const pages: number[] = [];
  const messages: number[] = [];
  try {
    for (let at = -2; at < rounds; at++) {
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
        new AbortController().signal,
      );
      const table = output?.reports[0]?.sections.find((section) => section.kind === "table");
      if (table?.kind !== "table" || table.rest === undefined) throw new Error("no table came");
      const asked = performance.now();
      const page = await service.rows(
        { rest: table.rest, from: table.rows.length, count: 200 },
        new AbortController().signal,
      );
      JSON.stringify(page);
      const paged = performance.now() - asked;
      globalThis.gc?.();
      const begun = performance.now();
      JSON.parse(text);
      const parsed = performance.now() - begun;
      if (at < 0) continue;
      first.push(shown - arrived);
      parses.push(parsed);
      pages.push(paged);
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
    { area: "render", name: "  message to the editor", value: round(median(messages)), unit: "kB" },
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
