import { printJson } from "../base/json.ts";
import type { Mask } from "../base/mask.ts";
import type { Clock } from "../base/ports.ts";
import { type Audit, audit } from "../live/audit.ts";
import { auditJson, auditReport } from "../live/auditReport.ts";
import type { PendingSupport } from "../live/pendingSupport.ts";
import { type Probe, probe } from "../live/probe.ts";
import { probeJson, probeReport } from "../live/probeReport.ts";
import type { CellOutput } from "../report/cellOutput.ts";
import { reportText } from "../report/text.ts";
import type { CadenceMemory } from "../rpc/cadence.ts";
import type { Probed } from "../rpc/send.ts";
import type { SocketPool } from "../rpc/socketPool.ts";
import { maskedOutput } from "../run/maskRun.ts";
import { explainUnsent, type UnsentReason, unsentReport } from "../run/unsentReason.ts";
import type { Document } from "../workspace/documents.ts";
import type { Routes } from "../workspace/routes.ts";

export interface ProbeSupport {
  readonly clock: Clock;
  readonly routes: Routes;
  readonly mask: Mask;
}

export interface AuditSupport extends ProbeSupport {
  readonly lines: SocketPool;
  /** Called after each sealed block. */
  readonly progress?: ((found: Audit) => void) | undefined;
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
  if ("kind" in prober) return unsent("probe", prober, startedAt, clock.now() - begunAt, mask);
  const found = await probe(prober, clock, signal);
  const durationMs = clock.now() - begunAt;
  if (!signal.aborted && found.failure?.kind !== "unreachable")
    prober.learn(learnt(found), cadenceFound(found, clock.date()));
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

/**
 * Holds what the endpoint of a document shows as pre-confirmed against what is sealed, for a time or until it is cancelled.
 *
 * @param endpoint - Wins over the one that the header has chosen.
 */
export async function auditEndpoint(
  document: Document,
  { endpoint, forMs }: { readonly endpoint: string | undefined; readonly forMs: number },
  signal: AbortSignal,
  { clock, routes, mask, lines, progress }: AuditSupport,
): Promise<CellOutput> {
  const [startedAt, begunAt] = [clock.date(), clock.now()];
  const prober = await routes.prober(document, endpoint, signal);
  if ("kind" in prober) return unsent("audit", prober, startedAt, clock.now() - begunAt, mask);
  const { asker, socket } = prober;
  const support = { asker, socket: socket?.endpoint, lines, clock, ...(progress && { progress }) };
  const found = await audit(support, forMs, signal);
  const durationMs = clock.now() - begunAt;
  const report = auditReport(found, durationMs);
  const json = printJson(auditJson(found, durationMs), 2);
  return maskedOutput(
    { ok: report.status === "ok", reports: [report], text: reportText(report), json, startedAt, durationMs },
    mask,
  );
}

function unsent(what: string, why: UnsentReason, startedAt: number, durationMs: number, mask: Mask): CellOutput {
  const report = unsentReport(what, why, () => []);
  const { what: reason, todo } = explainUnsent(why, () => []);
  const json = printJson({ ok: false, notSent: { what: reason, todo } }, 2);
  return maskedOutput({ ok: false, reports: [report], text: reportText(report), json, startedAt, durationMs }, mask);
}

/** @param at - Milliseconds since 1970. */
function cadenceFound({ ahead, cadenceMs, blockMs }: Probe, at: number): CadenceMemory {
  return {
    ...(ahead && { ahead: { ...ahead, by: "probe", at, periodMs: cadenceMs } }),
    ...(blockMs !== undefined && { blockMs }),
  };
}

/** What of it shapes completions, warnings and later requests. */
function learnt({ chainId, pending, logs, socket, simulate, blockReceipts, heads }: Probe): Probed {
  const those = (...which: readonly PendingSupport["standing"][]): readonly string[] =>
    [...pending].flatMap(([method, { standing }]) => (which.includes(standing) ? [method] : []));
  const refuses = { eth_simulateV1: simulate, eth_getBlockReceipts: blockReceipts };
  return {
    chainId,
    ahead: those("ahead"),
    notAhead: those("same", "refused"),
    logRange: logs.refusal === undefined ? undefined : logs.limit,
    refuses: Object.entries(refuses).flatMap(([method, { is }]) => (is === false ? [method] : [])),
    apart: heads && heads.back > 0n ? heads.back : undefined,
    subscribes: socket.takes?.some((kind) => kind === "newHeads" || kind === "newFlashblocks"),
  };
}
