import { startDevchain } from "../../../devchain/devchain.ts";
import type { RunOptions } from "../../../server/src/protocol/runs.ts";
import type { Report } from "../../../server/src/report/report.ts";
import type { CellResult } from "../../../server/src/run/result/cellResult.ts";
import { createService } from "../../../server/src/service/service.ts";
import { testHost } from "../../support/host.ts";
import { traceInThread } from "../../support/traceInThread.ts";
import { kinds, labels, sendTokens } from "./kinds.ts";
import type { Result } from "./page.ts";

const uri = "file:///results.rpc.json";

/** The reports of each kind. The notebook runs twice, so that they say what has changed. */
export async function everyKind(titles = /(?:)/): Promise<readonly Result[]> {
  const chain = await startDevchain();
  try {
    const all = kinds(chain, await sendTokens(chain, 2_500_000n)).filter(({ title }) => titles.test(title));
    const endpoints = { local: chain.url, public: chain.publicUrl };
    const host = testHost({ settings: { rpcNotebook: { endpoints } }, openTracer: traceInThread });
    const service = createService(host);
    service.openText(uri, JSON.stringify({ labels: labels(chain), cells: all.map(({ cell }) => cell) }));
    await run(service);
    await sendTokens(chain, 20_000_000n);
    const traced = all.flatMap(({ isTraced }, index) => (isTraced ? [{ index }] : []));
    const reports = new Map([
      ...(await run(service)),
      ...(traced.length > 0 ? await run(service, { cells: traced, endpoint: "public", trace: true }) : []),
    ]);
    const shown = all.map(({ title, cell }, at) => ({
      title,
      cell: JSON.stringify(cell),
      reports: reports.get(at) ?? [],
    }));
    return [...shown, ...shown.flatMap(variants)];
  } finally {
    await chain.stop();
  }
}

async function run(
  service: ReturnType<typeof createService>,
  more: Partial<RunOptions> = {},
): Promise<ReadonlyMap<number, readonly Report[]>> {
  const reports = new Map<number, readonly Report[]>();
  const finished = ({ index, output }: CellResult): void => void reports.set(index, output.reports);
  const events = { planned() {}, started() {}, finished };
  await service.run({ uri, endpoint: "local", ...more }, events, new AbortController().signal, new Map());
  return reports;
}

/** What no single run gives: a stream, and a result that was kept. */
function variants({ title, cell, reports }: Result): readonly Result[] {
  const [report] = reports;
  if (!report) return [];
  const live = { uri, cell: { index: 0 }, paused: false, filter: "" };
  if (title === "no logs")
    return [{ title: "stream", cell, reports: [{ ...report, summary: "no logs yet, streaming", live }] }];
  const ranAt = Date.now() - 620_000;
  return title === "balance"
    ? [{ title: "kept", cell, reports: [{ ...report, stale: true, ranAt, blockMs: 2000 }] }]
    : [];
}
