import { brief, nearest, plural } from "../base/text.ts";
import { formatDuration } from "../base/units.ts";
import { bundledCatalog, methodNamed } from "../catalog/catalog.ts";
import { blocksIn } from "../catalog/tags.ts";
import type { Explanation } from "./faultMessages.ts";
import type { Exchange, RefusalReason, Refused, Unreachable } from "./outcome.ts";
import { retryAfter } from "./retry.ts";

/**
 * Explains what happened and what to do, in a sentence each. Both are safe to show: they name the host, never the URL.
 *
 * @param method - Of the request that a person made; for some methods a refusal has its own advice.
 */
export function explain(outcome: Refused | Unreachable, method: string): Explanation {
  if (outcome.kind === "unreachable") return { what: outcome.message, todo: outcome.hint };
  if (outcome.reason === "not-recorded") return { what: brief(outcome.message, 500), todo: todos[outcome.reason] };
  return { what: whatOf(outcome, method), todo: todoOf(outcome, method) };
}

function whatOf(outcome: Refused, method: string): string {
  const { host, status } = outcome.exchange;
  const http = status !== undefined && (status < 200 || status > 299) ? `HTTP ${status}` : undefined;
  const code = outcome.code === undefined ? undefined : `code ${outcome.code}`;
  const marks = [http, code].filter((mark) => mark !== undefined).join(", ");
  const message = outcome.message === "" ? "" : `: ${brief(outcome.message, 300)}`;
  const clause = clauses[outcome.reason].replace(/METHOD|HOST/g, (mark) =>
    mark === "HOST" ? host : brief(outcome.method ?? method, 60),
  );
  return `${clause}${marks && ` (${marks})`}${message}${/[.!?…]$/.test(message) ? "" : "."}`;
}

/** METHOD and HOST are placeholders. */
const clauses: Readonly<Record<RefusalReason, string>> = {
  revert: "The call reverted",
  "vm-error": "The execution failed without a revert",
  "range-limit": "HOST does not accept a range of that many blocks",
  "result-limit": "The answer would be larger than HOST sends",
  "rate-limit": "HOST asks for fewer requests",
  quota: "The quota at HOST is used up",
  "not-allowed": "HOST does not allow METHOD",
  unauthorized: "HOST requires a valid key",
  "unknown-method": "HOST does not serve METHOD",
  "missing-state": "HOST no longer has the state or history of that block",
  "unknown-block": "HOST does not know that block",
  "bad-params": "HOST does not accept these params",
  "bad-request": "HOST does not accept this request",
  "too-large": "The request is larger than HOST accepts",
  "batch-limit": "HOST does not accept a batch of this size",
  "plan-limit": "The plan at HOST does not cover this request",
  timeout: "The request timed out at HOST",
  "tx-rejected": "HOST rejected the transaction",
  simulation: "The simulation cannot be run as described",
  internal: "HOST failed",
  "not-recorded": "The recording does not have this request",
  other: "HOST refused",
};

function todoOf({ reason, code, range, rangeLimit, exchange }: Refused, method: string): string {
  const refusesMethod = reason === "not-allowed" || reason === "unknown-method" || exchange.status === 403;
  if (method === "eth_getBlockReceipts" && refusesMethod) {
    return "Public endpoints refuse eth_getBlockReceipts, and this one serves no blocks and receipts to read instead. Use an endpoint of a dedicated provider.";
  }
  if (reason === "range-limit" || reason === "result-limit") {
    if (filters.test(method)) return `${todos[reason]} A run splits eth_getLogs by itself, whatever the range.`;
    if (range) return `Ask for the blocks ${range.from} to ${range.to} first, as the endpoint suggests.`;
    if (rangeLimit !== undefined) return `Ask for at most ${plural(blocksIn(rangeLimit), "block")} at once.`;
  }
  const pause = reason === "rate-limit" ? pauseOf(exchange) : 0;
  if (pause > 0)
    return `It asks for a pause of ${formatDuration(pause)}. Wait that long, or use an endpoint with a key of your own.`;
  if (reason === "unknown-method") return methodNamed(method) ? todos[reason] : `${didYouMean(method)}${spelling}`;
  if (reason === "timeout") return timeoutTodo(method);
  if (reason === "simulation") return (code === undefined ? undefined : simulationTodos.get(code)) ?? todos[reason];
  if (reason === "tx-rejected" && calls.test(method))
    return "Check `gas`, the fees, `value` and what `from` has to pay them with; a call needs none of them.";
  return todos[reason];
}

/** Returns the milliseconds that the endpoint asked for. */
function pauseOf({ headers, startedAt, durationMs }: Exchange): number {
  return retryAfter(headers["retry-after"], startedAt + durationMs) ?? 0;
}

const calls = /^eth_(?:call|estimateGas|createAccessList)$/;

const spelling = "Check the spelling, or use an endpoint whose node serves it.";

/** Suggests a method of the same namespace for a misspelled one. */
function didYouMean(method: string): string {
  const namespace = method.slice(0, method.indexOf("_") + 1);
  const names = bundledCatalog.methods.flatMap(({ name }) => (name.startsWith(namespace) ? [name] : []));
  const near = methodNamed(`eth_${method}`)?.name ?? nearest(method, namespace === "" ? [] : names, 1)[0];
  return near === undefined ? "" : `Did you mean \`${near}\`? `;
}

function timeoutTodo(method: string): string {
  if (/^(?:debug|trace)_/.test(method)) return "Ask for a shorter trace, or a tracer that returns less.";
  if (/log|filter|range|history/i.test(method)) return "Ask for fewer blocks at once, or a narrower filter.";
  if (executions.test(method)) return "Make the call do less, lower its `gas`, or use another endpoint.";
  return todos.timeout;
}

const executions = /^eth_(?:call|estimateGas|createAccessList|simulate)/;

/**
 * The meaning of each code of `eth_simulateV1`.
 * @see https://github.com/ethereum/execution-apis/blob/main/src/eth/execute.yaml
 */
const simulationTodos: ReadonlyMap<number, string> = new Map([
  [-38010, "The `nonce` of a call is too low: raise it, or set `validation` to false."],
  [-38011, "The `nonce` of a call is too high: lower it, or set `validation` to false."],
  [-38012, "`maxFeePerGas` of a call is below the base fee: raise it, or set `validation` to false."],
  [-38013, "`gas` of a call is below what the transaction costs before its code runs: raise it."],
  [-38014, "The sender cannot pay: override its `balance`, or lower `value`, `gas` or the fees."],
  [-38015, "The calls of a block need more than its gas limit: split them up, or override `gasLimit`."],
  [-38020, "The `number` of each block has to be greater than that of the block before."],
  [-38021, "The `time` of each block has to be later than that of the block before."],
  [-38022, "`movePrecompileToAddress` moves a precompile to its own address: choose another one."],
  [-38023, "Two precompiles are moved to one address: choose another one for each."],
  [-38024, "The sender of a call has code: choose an account without code, or set `validation` to false."],
  [-38025, "The code of a contract creation is too large: shorten it."],
  [-38026, "The simulation is larger than the node allows: simulate fewer blocks or calls."],
]);

/** Methods whose range is kept by the node, so that it cannot be split. */
const filters = /^eth_(?:newFilter|getFilterLogs|getFilterChanges)$/;

const todos: Readonly<Record<RefusalReason, string>> = {
  revert: "Look at the reason, the arguments, and the block that it ran on.",
  "vm-error": "Give it more gas, or look at the code and the call data.",
  "range-limit": "Ask for fewer blocks at once; under 2,000 is safe on most endpoints.",
  "result-limit": "Ask for fewer blocks at once, or narrow the filter by address and topics.",
  "rate-limit":
    'Run it again in a moment, set "rate" (requests a second) for this endpoint, or use one with a key of your own.',
  "not-allowed": "Use an endpoint that allows it: a node of your own, or a provider's with a key.",
  quota: "Wait until the quota is renewed, or use another plan or endpoint.",
  unauthorized: "Check the key in the endpoint's address or headers.",
  "unknown-method": "Use an endpoint whose node serves it.",
  "not-recorded": "Undo the change, record it again, or choose an endpoint with a node.",
  "missing-state": "Ask for a newer block, or use an archive endpoint.",
  "unknown-block": "Check the block; if it is new, run the request again in a moment.",
  "bad-params": "Compare the params with what the method expects.",
  "bad-request": "Check the request, and that the address is that of a JSON-RPC endpoint.",
  "too-large": "Send less in one request or batch.",
  "batch-limit": 'Send fewer requests in a batch, or set "batch" for this endpoint.',
  "plan-limit": "Use an endpoint or a plan that includes it.",
  timeout: "Run it again; if it still fails, use another endpoint.",
  "tx-rejected": "Check nonce, fees, balance and chain id of the transaction.",
  simulation: "Check the order of the blocks, the overrides and the balances in the simulation.",
  internal: "Run it again in a moment; if it still fails, use another endpoint.",
  other: "Look at the message, or try another endpoint.",
};
