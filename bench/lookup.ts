import { createServer } from "node:http";
import { createDownloads } from "../server/src/node/transport.ts";
import type { RunEvents } from "../server/src/run/result/runEvents.ts";
import { createService } from "../server/src/service/service.ts";
import type { Host } from "../server/src/workspace/host.ts";
import { pausedMedians, type Row, round } from "./row.ts";
import { benchHost, listening } from "./support.ts";

const [cellCount, contractCount] = [100, 40];
const addressAt = (at: number): string => `0x${(at + 1).toString(16).padStart(40, "c")}`;
/** An error that no ABI declares. */
const data = `0x172b0984${"0".repeat(64)}`;

/** Runs whose results show contracts that the project does not know: what a lookup host costs that was not approved, or never answers. */
export async function lookups(): Promise<readonly Row[]> {
  const endpoint = await revertingServer();
  let heard = 0;
  const silent = await listening(createServer(() => heard++));
  const host = benchHost();
  const call = (at: number) => ({
    method: "eth_call",
    params: [{ to: addressAt(at % contractCount), data }, "latest"],
  });
  const uri = "file:///nowhere/a.rpc.json";
  const cells = Array.from({ length: cellCount }, (_, at) => ({
    uri: `${uri}#${at}`,
    kind: "code" as const,
    text: JSON.stringify(call(at)),
  }));
  let characters = 0;
  const events: RunEvents = {
    started: () => {},
    finished: ({ output }) => {
      characters += JSON.stringify([output.text, output.reports]).length; // an editor gets both
    },
  };
  const runWith = (more: Partial<Host>) => {
    const service = createService({ ...host, ...more });
    service.openNotebook(uri, cells);
    return async (): Promise<void> => {
      const given = { uri, endpoint: endpoint.url, lookup: "after" as const };
      const result = await service.run(given, events, new AbortController().signal);
      if (result.failed !== cellCount) throw new Error(`${result.failed} of ${cellCount} cells were refused`);
    };
  };
  const editor = {
    downloads: createDownloads(() => ({})),
    redrawn: () => {},
    settings: { rpcNotebook: { lookupHost: silent.url } },
  };
  try {
    const [alone = 0, unasked = 0, unanswered = 0] = await pausedMedians(
      30, // the link and the questions come after a run
      100,
      runWith({}),
      runWith(editor),
      runWith({ ...editor, approvedHosts: [`${new URL(silent.url).origin} lookup`] }),
    );
    if (heard === 0 || characters === 0) throw new Error("The lookup host was not asked, or no result was shown.");
    const row = (name: string, ms: number): Row => ({
      area: "run",
      name: `${cellCount} eth_call cells of ${contractCount} unknown contracts, ${name}`,
      value: round(ms / alone),
      unit: "×",
      baseline: `${round(ms)} ms beside ${round(alone)} ms without a lookup host`,
      budget: 1.2,
    });
    return [row("lookup host not approved", unasked), row("lookup host silent", unanswered)];
  } finally {
    endpoint.close();
    silent.close();
    await host.close();
  }
}

interface Asked {
  readonly id: number;
  readonly method: string;
}

/** An endpoint at which all calls revert with {@link data}. */
function revertingServer() {
  const answers: Readonly<Record<string, object>> = {
    eth_call: { error: { code: 3, message: "execution reverted", data } },
    eth_chainId: { result: "0x2105" },
  };
  return listening(
    createServer(async (request, response) => {
      const parts: Buffer[] = [];
      for await (const part of request) parts.push(part);
      const body = JSON.parse(Buffer.concat(parts).toString()) as Asked | readonly Asked[]; // only this benchmark asks
      const answer = ({ id, method }: Asked) => ({ jsonrpc: "2.0", id, ...(answers[method] ?? { result: "0x6001" }) });
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify(Array.isArray(body) ? body.map(answer) : answer(body as Asked)));
    }),
  );
}
