import type { JsonValue } from "../base/json.ts";
import { brief, plural } from "../base/text.ts";
import { formatDuration, grouped } from "../base/units.ts";
import { failedReport } from "../report/failure.ts";
import type { Report } from "../report/report.ts";
import { table } from "../report/table.ts";
import { explain } from "../rpc/explain.ts";
import type { Audit } from "./audit.ts";
import type { Divergence } from "./auditRing.ts";

/** Returns the report of an audit. */
export function auditReport(audit: Audit, durationMs: number): Report {
  const { endpoint, host, blocks, transactions, open, gaps, failure, divergences, by } = audit;
  const name = brief(endpoint, 80);
  const title = `audit of ${name}`;
  const facts = [
    { name: "endpoint", value: brief(endpoint === host ? host : `${endpoint} (${host})`, 200) },
    { name: "time", value: formatDuration(durationMs) },
    { name: "blocks", value: grouped(blocks) },
    { name: "transactions", value: grouped(transactions) },
    ...(open > 0 ? [{ name: "not sealed yet", value: grouped(open) }] : []),
    ...(gaps > 0 ? [{ name: "interruptions", value: grouped(gaps) }] : []),
  ];
  const why = failure && failure.kind !== "answered" ? explain(failure, "eth_getBlockReceipts") : undefined;
  if (why && blocks === 0) return failedReport(title, why, facts);
  const note =
    by === "receipts"
      ? "The endpoint sends no pre-confirmed transactions by itself, so receipts at `pending` were compared. Extra transactions cannot be recognized that way."
      : undefined;
  return {
    title,
    summary: `${summaryOf(audit)}${why ? "; then the audit ended early" : ""}`,
    status: divergences.length > 0 || why ? "failed" : "ok",
    sections: [
      ...(why ? [{ kind: "failure" as const, ...why, fields: [] }] : []),
      ...(divergences.length > 0 ? [divergencesTable(divergences)] : []),
      ...(note === undefined ? [] : [{ kind: "note" as const, text: note }]),
    ],
    facts,
  };
}

function summaryOf({ counts, blocks, transactions, open }: Audit): string {
  if (blocks === 0) return "no block was sealed in this time";
  const compared = `${plural(transactions, "transaction")} of ${plural(blocks, "block")}`;
  const nonzero = Object.entries(counts).filter(([, count]) => count > 0);
  if (nonzero.length > 0)
    return `${compared}: ${nonzero.map(([sort, count]) => `${grouped(count)} ${sort}`).join(", ")}`;
  if (transactions === 0 && open === 0) return `${plural(blocks, "block")}, and no transaction to compare`;
  return `${compared} were sealed as they had been shown`;
}

function divergencesTable(divergences: readonly Divergence[]) {
  return table(
    divergences,
    [
      { name: "divergence", of: ({ sort }) => ({ text: sort, role: "name" }) },
      { name: "transaction", of: ({ transaction }) => ({ text: brief(transaction, 80), role: "hash" }) },
      { name: "shown in", align: "right", of: ({ shownIn }) => ({ text: blockText(shownIn) }) },
      { name: "sealed in", align: "right", of: ({ sealedIn }) => ({ text: blockText(sealedIn) }) },
      { name: "field", of: ({ field }) => ({ text: field ?? "" }) },
      { name: "shown", of: ({ shown }) => ({ text: brief(shown ?? "", 80) }) },
      { name: "sealed", of: ({ sealed }) => ({ text: brief(sealed ?? "", 80) }) },
    ],
    "Divergences",
  );
}

function blockText(block: bigint | undefined): string {
  return block === undefined ? "–" : grouped(block);
}

/** Returns an audit as JSON. Numbers of blocks are text, since they may be of any size. */
export function auditJson(audit: Audit, durationMs: number): JsonValue {
  const { endpoint, host, by, blocks, transactions, last, open, gaps, counts, divergences, failure } = audit;
  return {
    endpoint,
    host,
    ok: failure === undefined && divergences.length === 0,
    ...(failure && failure.kind !== "answered" && { failure: { reason: failure.reason, message: failure.message } }),
    followedBy: by,
    blocks,
    transactions,
    lastBlock: last?.toString() ?? null,
    notSealedYet: open,
    interruptions: gaps,
    counts: { ...counts },
    divergences: divergences.map(({ shownIn, sealedIn, field, shown, sealed, ...rest }) => ({
      ...rest,
      shownIn: shownIn?.toString() ?? null,
      sealedIn: sealedIn?.toString() ?? null,
      ...(field !== undefined && { field, shown: shown ?? null, sealed: sealed ?? null }),
    })),
    durationMs,
  };
}
