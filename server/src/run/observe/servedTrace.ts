import { comparableHex, quantity } from "../../base/hex.ts";
import { isArray, isObject, type JsonObject, type JsonValue } from "../../base/json.ts";
import { brief } from "../../base/text.ts";
import { type CallFrame, callFrames, hasFailed, orderedLogs } from "../../report/callFrames.ts";
import { differenceTo, logOf, logText } from "../../trace/difference.ts";
import type { TracedLog } from "../../trace/task.ts";

/** What a trace and a transaction both say; a receipt has the first two. */
const sentMembers = ["from", "to", "value", "input"];

/**
 * Says in which fact the trace of a transaction contradicts its receipt or the transaction, as a sentence. Nodes whose tracer
 * lists no logs, and those that count the gas of the transactions before it into that of the first call (anvil), contradict
 * nothing.
 */
export function contradictionWith(
  receipt: JsonValue | undefined,
  trace: JsonObject,
  transaction = receipt,
): string | undefined {
  if (!isObject(receipt)) return undefined;
  for (const name of isObject(transaction) ? sentMembers : []) {
    const [inTrace, sent] = [trace, transaction].map((one) => comparableHex(isObject(one) ? one[name] : undefined));
    if (inTrace === undefined || sent === undefined || inTrace === sent) continue;
    return `The endpoint contradicts itself: \`${name}\` is ${brief(inTrace, 100)} in the trace, but ${brief(sent, 100)} in the transaction.`;
  }
  const [status, used, all, traced] = [receipt.status, receipt.gasUsed, receipt.cumulativeGasUsed, trace.gasUsed].map(
    quantity,
  );
  const failed = hasFailed(trace);
  const isOfBlock = traced === undefined || (traced >= (used ?? 0n) && (all === undefined || traced === all));
  // some nodes keep what failed calls logged
  const frames = callFrames([trace]);
  const logs = orderedLogs(frames).filter(({ frame }) => !isTakenBack(frame));
  const callers = new Set(frames.frames.map(({ parent }) => parent));
  // a node may not say where among the inner calls a call emitted its logs
  const hasOrder = logs.every(
    ({ frame }) => !callers.has(frame) || frame.logs.every(({ position }) => position !== undefined),
  );
  const listed = (values: readonly JsonValue[]): readonly TracedLog[] => {
    const read = values.map((log) => logOf(isObject(log) ? log : {}));
    return hasOrder ? read : read.toSorted((a, b) => (logText(a) < logText(b) ? -1 : 1));
  };
  const inReceipt = failed || logs.length === 0 ? undefined : receipt.logs;
  const difference = differenceTo(
    { succeeded: !failed, output: "", gasUsed: traced ?? 0n, logs: listed(logs.map(({ log }) => log)) },
    {
      succeeded: status === undefined ? !failed : status === 1n,
      output: undefined,
      gasUsed: isOfBlock ? undefined : used,
      logs: isArray(inReceipt) ? listed(inReceipt) : undefined,
    },
  );
  if (!difference) return undefined;
  const { what, here, there } = difference;
  return what.startsWith("log ")
    ? `The endpoint contradicts itself: ${hasOrder ? what : "a log"} is another one in the trace than in the receipt.`
    : `The endpoint contradicts itself: the ${what} is ${here} in the trace, but ${there} in the receipt.`;
}

function isTakenBack(frame: CallFrame): boolean {
  for (let one: CallFrame | undefined = frame; one; one = one.parent) if (hasFailed(one)) return true;
  return false;
}
