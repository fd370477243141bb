import { type JsonValue, printJson } from "../base/json.ts";
import type { Mask } from "../base/mask.ts";
import type { Clock } from "../base/ports.ts";
import { explainUnsent, type UnsentReason, unsentReport } from "../gate/unsentReason.ts";
import type { CellOutput, Report } from "../report/report.ts";
import type { CadenceMemory } from "../rpc/cadence.ts";
import type { Probed } from "../rpc/send.ts";
import { maskedOutput } from "../run/result/maskRun.ts";
import type { Prober } from "../workspace/backgroundClients.ts";
import type { Document } from "../workspace/documents.ts";
import type { Routes } from "../workspace/routes.ts";
import { type Audit, audit } from "./audit.ts";
import { auditJson, auditReport } from "./auditReport.ts";
import type { PendingSupport } from "./pendingSupport.ts";
import { type Probe, probe } from "./probe.ts";
import { probeJson, probeReport } from "./probeReport.ts";
import { startOutput } from "./timedOutput.ts";

export interface ProbeSupport {
  readonly clock: Clock;
  readonly routes: Routes;
  readonly mask: Mask;
}

export interface AuditSupport extends ProbeSupport {
  /** Called after each sealed block. */
  readonly progress?: ((audit: Audit) => void) | undefined;
}

/**
 * Probes the endpoint of a document's header, and remembers what it measured.
 *
 * @param endpoint - Wins over that one.
 */
export async function probeEndpoint(
  document: Document,
  endpoint: string | undefined,
  signal: AbortSignal,
  support: ProbeSupport,
): Promise<CellOutput> {
  return measure("probe", document, endpoint, signal, support, async (prober, elapsedMs) => {
    const { clock } = support;
    const measured = await probe(prober, clock, signal);
    const durationMs = elapsedMs();
    if (!signal.aborted && measured.failure?.kind !== "unreachable")
      prober.learn(learnedFrom(measured), cadenceFrom(measured, clock.date()));
    const shown = masked(measured, support.mask);
    return { report: probeReport(shown, durationMs), json: probeJson(shown, durationMs) };
  });
}

/** Masks what was measured before it is formatted: a report shortens what the endpoint said. */
function masked(measured: Probe, mask: Mask): Probe {
  return { ...mask.own(measured), pending: new Map(mask.own([...measured.pending])) };
}

/**
 * Compares what the endpoint of a document shows as pre-confirmed with what is sealed, for a time or until it is cancelled.
 *
 * @param endpoint - Wins over the one of the header.
 */
export async function auditEndpoint(
  document: Document,
  { endpoint, forMs }: { readonly endpoint: string | undefined; readonly forMs: number },
  signal: AbortSignal,
  support: AuditSupport,
): Promise<CellOutput> {
  return measure("audit", document, endpoint, signal, support, async ({ asker, socket }, elapsedMs) => {
    const { clock, progress } = support;
    const host = { asker, socket, clock, ...(progress && { progress }) };
    const measured = await audit(host, forMs, signal);
    const durationMs = elapsedMs();
    return { report: auditReport(measured, durationMs), json: auditJson(measured, durationMs) };
  });
}

export interface Measurement {
  readonly report: Report;
  readonly json: JsonValue;
}

/** Measures an endpoint if requests may go there. The output says why if they may not. */
export async function measure(
  what: string,
  document: Document,
  endpoint: string | undefined,
  signal: AbortSignal,
  { clock, routes, mask }: ProbeSupport,
  run: (prober: Prober, elapsedMs: () => number) => Promise<Measurement>,
): Promise<CellOutput> {
  const { elapsedMs, complete } = startOutput(clock);
  const prober = await routes.prober(document, endpoint, signal);
  const { report, json } = "kind" in prober ? unsent(what, prober) : await run(prober, elapsedMs);
  return maskedOutput(complete(report, printJson(json, 2)), mask);
}

function unsent(what: string, why: UnsentReason): Measurement {
  const { what: reason, todo } = explainUnsent(why, () => []);
  return { report: unsentReport(what, why, () => []), json: { ok: false, notSent: { what: reason, todo } } };
}

/** @param at - Milliseconds since 1970. */
function cadenceFrom({ ahead, cadenceMs, blockMs }: Probe, at: number): CadenceMemory {
  return {
    ...(ahead && { ahead: { ...ahead, by: "probe", at, periodMs: cadenceMs } }),
    ...(blockMs !== undefined && { blockMs }),
  };
}

/** Returns the part of a probe that completions, warnings and later requests depend on. */
function learnedFrom({ chainId, pending, logs, socket, simulate, blockReceipts, heads }: Probe): Probed {
  const methodsWith = (...which: readonly PendingSupport["status"][]): readonly string[] =>
    [...pending].flatMap(([method, { status }]) => (which.includes(status) ? [method] : []));
  const refuses = { eth_simulateV1: simulate, eth_getBlockReceipts: blockReceipts };
  return {
    chainId,
    ahead: methodsWith("ahead"),
    notAhead: methodsWith("same", "refused"),
    logRange: logs.refusal === undefined ? undefined : logs.limit,
    refuses: Object.entries(refuses).flatMap(([method, { is }]) => (is === false ? [method] : [])),
    apart: heads && heads.back > 0n ? heads.back : undefined,
    subscribes: socket.takes?.some((kind) => kind === "newHeads" || kind === "newFlashblocks"),
  };
}
