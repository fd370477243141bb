import { brief, nearest } from "../base/text.ts";
import { formatDuration } from "../base/units.ts";
import { bundledCatalog, methodNamed } from "../catalog/catalog.ts";
import type { Exchange, RefusalReason, Refused, Unreachable } from "./outcome.ts";
import { retryAfter } from "./retry.ts";
import type { Explanation } from "./words.ts";

/**
 * Says what happened and what to do, a sentence each. Both are safe to show: they name the host, never the URL.
 *
 * @param method - Of the request; some refusals have a way out of their own.
 */
export function explain(outcome: Refused | Unreachable, method: string): Explanation {
  if (outcome.kind === "unreachable") return { what: outcome.message, todo: outcome.hint };
  return { what: whatOf(outcome, method), todo: todoOf(outcome, method) };
}

function whatOf(outcome: Refused, method: string): string {
  const { host, status } = outcome.exchange;
  const http = status !== undefined && (status < 200 || status > 299) ? `HTTP ${status}` : undefined;
  const code = outcome.code === undefined ? undefined : `code ${outcome.code}`;
  const marks = [http, code].filter((mark) => mark !== undefined).join(", ");
  const said = outcome.message === "" ? "" : `: ${brief(outcome.message, 300)}`;
  const clause = clauses[outcome.reason].replace(/METHOD|HOST/g, (mark) =>
    mark === "HOST" ? host : brief(method, 60),
  );
  return `${clause}${marks && ` (${marks})`}${said}${/[.!?…]$/.test(said) ? "" : "."}`;
}

/** METHOD and HOST stand for themselves. */
const clauses: Readonly<Record<RefusalReason, string>> = {
  revert: "The call reverted",
  "vm-error": "The execution failed without a revert",
  "range-limit": "HOST takes no range of that many blocks",
  "result-limit": "The answer would be larger than HOST sends",
  "rate-limit": "HOST wants fewer requests",
  "not-allowed": "HOST does not allow METHOD",
  unauthorized: "HOST wants a valid key",
  "unknown-method": "HOST does not serve METHOD",
  "missing-state": "HOST no longer has the state or history of that block",
  "unknown-block": "HOST does not know that block",
  "bad-params": "HOST does not accept these params",
  "bad-request": "HOST does not accept this request",
  "too-large": "The request is larger than HOST accepts",
  "batch-limit": "HOST does not take a batch of this size",
  "plan-limit": "The plan at HOST does not cover this request",
  timeout: "HOST gave up on the request after a time",
  "tx-rejected": "HOST rejected the transaction",
  simulation: "The simulation cannot be run as described",
  internal: "HOST failed",
  other: "HOST refused",
};

function todoOf({ reason, range, rangeLimit, exchange }: Refused, method: string): string {
  const refusesMethod = reason === "not-allowed" || reason === "unknown-method" || exchange.status === 403;
  if (method === "eth_getBlockReceipts" && refusesMethod) {
    return 'Public endpoints refuse eth_getBlockReceipts. In the editor, “Fetch receipts one by one” above the cell, or running it again, gets them in batches of eth_getTransactionReceipt. "refuses": ["eth_getBlockReceipts"] at the endpoint does so everywhere and at once; an endpoint of a dedicated provider answers the method itself.';
  }
  if (reason === "range-limit" || reason === "result-limit") {
    if (filters.test(method)) return `${todos[reason]} A run splits eth_getLogs by itself, whatever the range.`;
    if (range) return `Ask for the blocks ${range.from} to ${range.to} first, as the endpoint suggests.`;
    if (rangeLimit !== undefined) return `Ask for at most ${rangeLimit + 1n} blocks at once.`;
  }
  const pause = reason === "rate-limit" ? pauseOf(exchange) : 0;
  if (pause > 0)
    return `It asks for a pause of ${formatDuration(pause)}: wait so long, or use an endpoint with a key of your own.`;
  if (reason === "unknown-method") return `${didYouMean(method)}${todos[reason]}`;
  if (reason === "tx-rejected" && calls.test(method))
    return "Check `gas`, the fees, `value` and what `from` has to pay them with; a call needs none of them.";
  return todos[reason];
}

/** Milliseconds that the endpoint asked for. */
function pauseOf({ headers, startedAt, durationMs }: Exchange): number {
  return retryAfter(headers["retry-after"], startedAt + durationMs) ?? 0;
}

const calls = /^eth_(?:call|estimateGas|createAccessList)$/;

/** A slip of the pen, in the namespace that is written; methods of other namespaces are methods of their own. */
function didYouMean(method: string): string {
  if (methodNamed(method)) return "";
  const namespace = method.slice(0, method.indexOf("_") + 1);
  const names = bundledCatalog.methods.flatMap(({ name }) => (name.startsWith(namespace) ? [name] : []));
  const near = methodNamed(`eth_${method}`)?.name ?? nearest(method, namespace === "" ? [] : names, 1)[0];
  return near === undefined ? "" : `Did you mean \`${near}\`? `;
}

/** The node keeps their range, so they cannot be split. */
const filters = /^eth_(?:newFilter|getFilterLogs|getFilterChanges)$/;

const todos: Readonly<Record<RefusalReason, string>> = {
  revert: "Look at the reason, the arguments, and the block that it ran on.",
  "vm-error": "Give it more gas, or look at the code and the call data.",
  "range-limit": "Ask for fewer blocks at once; under 2,000 is safe on most endpoints.",
  "result-limit": "Ask for fewer blocks at once, or narrow the filter by address and topics.",
  "rate-limit": "Wait a moment, ask for less at once, or use an endpoint with a key of your own.",
  "not-allowed": "Use an endpoint that allows it: a node of your own, or a provider's with a key.",
  unauthorized: "Check the key in the endpoint's address or headers.",
  "unknown-method": "Check the spelling, or use an endpoint whose node serves it.",
  "missing-state": "Ask for a newer block, or use an archive endpoint.",
  "unknown-block": "Check the block; if it is new, run the request again in a moment.",
  "bad-params":
    "Compare the params with what the method expects; the editor and `rpc-notebook check` see most mistakes.",
  "bad-request": "Check the request, and that the address is that of a JSON-RPC endpoint.",
  "too-large": "Send less in one request or batch.",
  "batch-limit": 'Send fewer requests in a batch, or set "batch" for this endpoint.',
  "plan-limit": "Use an endpoint or a plan that includes it.",
  timeout: "Ask for less at once: fewer blocks, a narrower filter, a shorter trace.",
  "tx-rejected": "Check nonce, fees, balance and chain id of the transaction.",
  simulation: "Check the order of the blocks, the overrides and the balances in the simulation.",
  internal: "Run it again in a moment; if it stays so, use another endpoint.",
  other: "Look at the message, or try another endpoint.",
};
