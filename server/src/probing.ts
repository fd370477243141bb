import { printJson } from "./base/json.ts";
import type { Mask } from "./base/mask.ts";
import type { Clock } from "./base/ports.ts";
import type { Document } from "./documents.ts";
import { type Probe, probe } from "./live/probe.ts";
import type { Standing } from "./live/probePending.ts";
import { probeJson, probeReport } from "./live/probeReport.ts";
import type { CellOutput } from "./protocol.ts";
import { reportText } from "./report/text.ts";
import type { Routes } from "./routes.ts";
import type { Probed } from "./rpc/send.ts";
import { maskedOutput } from "./run/masked.ts";
import { explainNotSent, notSentReport } from "./run/notSent.ts";

export interface ProbeSupport {
  readonly clock: Clock;
  readonly routes: Routes;
  readonly mask: Mask;
}

/**
 * Probes the endpoint that a document's header has chosen, and lets what was found count.
 *
 * @param endpoint - Wins over that one.
 */
export async function probeEndpoint(
  document: Document,
  endpoint: string | undefined,
  signal: AbortSignal,
  { clock, routes, mask }: ProbeSupport,
): Promise<CellOutput> {
  const [startedAt, begunAt] = [clock.date(), clock.now()];
  const prober = await routes.prober(document, endpoint, signal);
  if ("kind" in prober) {
    const report = notSentReport("probe", prober, () => []);
    const notSent = { ...explainNotSent(prober, () => []) };
    const unsent = { reports: [report], text: reportText(report), json: printJson({ ok: false, notSent }, 2) };
    return maskedOutput({ ok: false, ...unsent, startedAt, durationMs: clock.now() - begunAt }, mask);
  }
  const found = await probe(prober, clock, signal);
  const durationMs = clock.now() - begunAt;
  if (!signal.aborted && found.failure?.kind !== "unreachable") prober.learn(learnt(found));
  const report = probeReport(found, durationMs);
  return maskedOutput(
    {
      ok: report.status === "ok",
      reports: [report],
      text: reportText(report),
      json: printJson(probeJson(found, durationMs), 2),
      startedAt,
      durationMs,
    },
    mask,
  );
}

/** What of it shapes completions, warnings and later requests. */
function learnt({ chainId, pending, logs, socket, simulate, blockReceipts }: Probe): Probed {
  const those = (...which: readonly Standing["standing"][]): readonly string[] =>
    [...pending].flatMap(([method, { standing }]) => (which.includes(standing) ? [method] : []));
  const standings = [...pending.values()].map(({ standing }) => standing);
  const same = standings.includes("same") ? false : undefined;
  const refuses = { eth_simulateV1: simulate, eth_getBlockReceipts: blockReceipts };
  return {
    chainId,
    ahead: those("ahead"),
    notAhead: those("same", "refused"),
    preconfirmed: standings.includes("ahead") ? true : same,
    logRange: logs.refusal === undefined ? undefined : logs.limit,
    refuses: Object.entries(refuses).flatMap(([method, { is }]) => (is === false ? [method] : [])),
    subscribes: socket.takes?.some((kind) => kind === "newHeads" || kind === "newFlashblocks"),
  };
}
