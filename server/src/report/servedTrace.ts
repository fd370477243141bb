import { comparableHex, quantity } from "../base/hex.ts";
import { isArray, isObject, type JsonObject, type JsonValue } from "../base/json.ts";
import { brief } from "../base/text.ts";
import { grouped } from "../base/units.ts";
import { type CallFrame, callFrames, hasFailed, orderedLogs } from "./callFrames.ts";

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
  const contradiction = (what: string, inTrace: string, inReceipt: string): string | undefined =>
    inTrace === inReceipt
      ? undefined
      : `The endpoint contradicts itself: ${what} is ${inTrace} in the trace, but ${inReceipt} in the receipt.`;
  const [status, used, all, traced] = [receipt.status, receipt.gasUsed, receipt.cumulativeGasUsed, trace.gasUsed].map(
    quantity,
  );
  const failed = hasFailed(trace);
  const own = status === undefined ? undefined : contradiction("the status", outcome(!failed), outcome(status === 1n));
  if (own) return own;
  const gasDiffers =
    used !== undefined && traced !== undefined && (traced < used || (all !== undefined && traced !== all));
  const gas = gasDiffers ? contradiction("the gas used", grouped(traced), grouped(used)) : undefined;
  if (gas) return gas;
  // some nodes keep what failed calls logged
  const frames = callFrames([trace]);
  const logs = orderedLogs(frames).filter(({ frame }) => !isTakenBack(frame));
  if (failed || logs.length === 0 || !isArray(receipt.logs)) return undefined;
  const [traceLogs, receiptLogs] = [logs.map(({ log }) => logText(log)), receipt.logs.map(logText)];
  const callers = new Set(frames.frames.map(({ parent }) => parent));
  // a node may not say where among the inner calls a call emitted its logs
  const hasOrder = logs.every(
    ({ frame }) => !callers.has(frame) || frame.logs.every(({ position }) => position !== undefined),
  );
  if (!hasOrder) for (const texts of [traceLogs, receiptLogs]) texts.sort();
  const at = traceLogs.findIndex((one, index) => one !== receiptLogs[index]);
  return (
    contradiction("the number of logs", String(traceLogs.length), String(receiptLogs.length)) ??
    (at === -1
      ? undefined
      : `The endpoint contradicts itself: ${hasOrder ? `log ${at}` : "a log"} is another one in the trace than in the receipt.`)
  );
}

function outcome(succeeded: boolean): string {
  return succeeded ? "succeeded" : "failed";
}

function isTakenBack(frame: CallFrame): boolean {
  for (let one: CallFrame | undefined = frame; one; one = one.parent) if (hasFailed(one)) return true;
  return false;
}

function logText(log: JsonValue): string {
  if (!isObject(log)) return "";
  return [log.address, isArray(log.topics) ? log.topics.join(",") : "", log.data ?? "0x"].join(" ").toLowerCase();
}
