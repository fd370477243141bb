import type { JsonValue } from "../base/json.ts";
import { brief, listed, plural } from "../base/text.ts";
import { formatDuration, grouped } from "../base/units.ts";
import { chainText } from "../catalog/catalog.ts";
import { blocksIn } from "../catalog/tags.ts";
import { failedReport } from "../report/failure.ts";
import type { Field, Report, Shown, TableSection } from "../report/report.ts";
import { table } from "../report/table.ts";
import { explain } from "../rpc/explain.ts";
import type { PendingMethod, PendingSupport, Support } from "./pendingSupport.ts";
import type { LogReach, Probe } from "./probe.ts";
import type { HeadConsistency } from "./probeHeads.ts";
import type { SocketReach } from "./probeSocket.ts";

/** Returns the report of a probe. */
export function probeReport(probe: Probe, durationMs: number): Report {
  const { endpoint, host, failure, requests } = probe;
  const facts = [
    { name: "endpoint", value: brief(endpoint === host ? host : `${endpoint} (${host})`, 200) },
    { name: "time", value: formatDuration(durationMs) },
    { name: "requests", value: String(requests) },
  ];
  const title = `probe of ${brief(endpoint, 80)}`;
  if (failure?.kind === "unreachable") {
    return failedReport(title, explain(failure, "eth_chainId"), facts);
  }
  return {
    title,
    summary: summaryOf(probe),
    status: isUnknown(probe) ? "failed" : "ok",
    sections: [{ kind: "fields", fields: fieldsOf(probe) }, pendingTable(probe), ...lag(probe)],
    facts,
  };
}

/** Neither the chain nor a block is known. */
function isUnknown({ chainId, head }: Probe): boolean {
  return chainId === undefined && head === undefined;
}

function summaryOf({ chainId, pending, cadenceMs, ahead: measured }: Probe): string {
  const named = chainId === undefined ? "unknown chain" : chainText(chainId);
  const statuses = [...pending.values()].map(({ status }) => status);
  const ahead = statuses.filter((status) => status === "ahead").length;
  const often = cadenceMs === undefined ? "" : ` and changes about every ${formatDuration(Math.round(cadenceMs))}`;
  if (ahead > 0 && measured?.is === false)
    return `${named}; \`pending\` is the node's own guess of the next block: ${measured.why}`;
  const open = measured ? "" : "; it is unclear whether that is pre-confirmed state or the node's own guess";
  if (ahead > 0) return `${named}; \`pending\` is ahead of \`latest\` in ${plural(ahead, "method")}${often}${open}`;
  if (statuses.includes("same") || measured?.is === false) return `${named}; \`pending\` is the same as \`latest\``;
  return `${named}; it is unclear whether \`pending\` is ahead`;
}

function fieldsOf(probe: Probe): readonly Field[] {
  const { chainId, client, head, batch, logs, socket, blockMs, heads } = probe;
  const field = (name: string, value: Shown): Field => ({ name, value });
  return [
    field(
      "chain",
      chainId === undefined ? bad("unknown") : { text: chainText(chainId), raw: `0x${chainId.toString(16)}` },
    ),
    field("client", client === undefined ? { text: "unknown" } : { text: brief(client, 120) }),
    field("latest block", head === undefined ? bad("unknown") : { text: grouped(head) }),
    field("blocks", blockMs === undefined ? { text: "unknown" } : { text: `one every ${formatDuration(blockMs)}` }),
    ...(heads ? [field("heads", headsShown(heads))] : []),
    field("batch", batchShown(batch)),
    field("eth_simulateV1", supportShown(probe.simulate)),
    field("state overrides", supportShown(probe.stateOverrides)),
    field("block overrides", supportShown(probe.blockOverrides)),
    field("eth_getBlockReceipts", supportShown(probe.blockReceipts)),
    field("eth_getLogs", logsShown(logs)),
    field("WebSocket", socketShown(socket)),
  ];
}

function bad(text: string): Shown {
  return { text, role: "bad" };
}

/** One URL may lead to several nodes. */
function headsShown({ back, unfinal }: HeadConsistency): Shown {
  if (back === 0n && unfinal.length === 0) return { text: "one head seen" };
  const went = [{ tag: "latest", by: back }, ...unfinal].filter(({ by }) => by > 0n);
  const changes = went.map(({ tag, by }) => `\`${tag}\` went back by ${plural(by, "block")}`);
  return bad(`several nodes answer at this address, or the chain was reorganized: ${listed(changes)}`);
}

function batchShown(batch: number | false | undefined): Shown {
  if (batch === undefined) return { text: "unknown" };
  return batch === false ? bad("no") : { text: `yes, ${plural(batch, "request")} or more` };
}

function supportShown({ is, why }: Support): Shown {
  if (is === true) return { text: "yes" };
  return is === false ? bad(`no: ${brief(why, 200)}`) : { text: `unknown: ${brief(why, 200)}` };
}

function logsShown({ limit, took, refusal }: LogReach): Shown {
  if (refusal !== undefined) {
    const most =
      limit === undefined
        ? "refuses the ranges that were tried"
        : `accepts ${plural(blocksIn(limit), "block")} per request`;
    return { text: `${most}: ${brief(refusal, 200)}` };
  }
  return took === undefined ? { text: "unknown" } : { text: `accepted a range of ${plural(blocksIn(took), "block")}` };
}

function socketShown({ takes, why }: SocketReach): Shown {
  if (takes === undefined) return { text: `unknown: ${brief(why, 200)}` };
  return takes.length > 0 ? { text: `accepts ${listed(takes)}` } : bad(`no subscriptions: ${brief(why, 200)}`);
}

const statusTexts: Readonly<Record<PendingSupport["status"], Shown>> = {
  ahead: { text: "ahead" },
  same: { text: "same as latest" },
  refused: bad("refused"),
  unknown: { text: "unknown" },
};

function pendingTable({ pending }: Probe): TableSection {
  const rows: readonly (readonly [PendingMethod, PendingSupport])[] = [...pending];
  return table(
    rows,
    [
      { name: "method", of: ([method]) => ({ text: method, role: "name" }) },
      { name: "pending", of: ([, { status }]) => statusTexts[status] },
      { name: "evidence", of: ([, { how }]) => ({ text: brief(how, 200) }) },
    ],
    "State at pending",
  );
}

function lag({ context }: Probe): Report["sections"] {
  if (!context || context.seen >= context.pending) return [];
  const behind = plural(context.pending - context.seen, "block");
  const text = `Code that runs in eth_call at \`pending\` sees the number and time of block ${grouped(context.seen)}, ${behind} behind the pending one.`;
  return [{ kind: "note", text }];
}

/** Returns a probe as JSON. Numbers of blocks and chains are text, since they may be of any size. */
export function probeJson(probe: Probe, durationMs: number): JsonValue {
  const { endpoint, host, failure, chainId, client, head, batch, logs, socket } = probe;
  const { pending, context, cadenceMs, ahead, blockMs, heads, requests } = probe;
  const support = ({ is, why }: Support): JsonValue => ({ is: is ?? null, ...(why !== "" && { why }) });
  const number = (value: bigint | undefined): string | null => value?.toString() ?? null;
  return {
    endpoint,
    host,
    ok: !isUnknown(probe),
    ...(failure && { failure: { reason: failure.reason, message: failure.message } }),
    chainId: number(chainId),
    client: client ?? null,
    head: number(head),
    batch: batch ?? null,
    simulate: support(probe.simulate),
    stateOverrides: support(probe.stateOverrides),
    blockOverrides: support(probe.blockOverrides),
    blockReceipts: support(probe.blockReceipts),
    logs: { limit: number(logs.limit), took: number(logs.took), refusal: logs.refusal ?? null },
    subscriptions: socket.takes ?? null,
    pending: Object.fromEntries([...pending].map(([method, { status, how }]) => [method, { standing: status, how }])),
    context: context ? { seen: number(context.seen), pending: number(context.pending) } : null,
    preconfirmed: ahead ? { is: ahead.is, why: ahead.why } : null,
    cadenceMs: cadenceMs === undefined ? null : Math.round(cadenceMs),
    blockMs: blockMs === undefined ? null : Math.round(blockMs),
    heads: heads
      ? {
          latestWentBack: number(heads.back),
          unfinal: heads.unfinal.map(({ tag, by }) => ({ tag, wentBack: number(by) })),
        }
      : null,
    requests,
    durationMs,
  };
}
