import { quantity } from "../base/hex.ts";
import { isArray, isObject, type JsonObject, type JsonValue } from "../base/json.ts";
import { grouped } from "../base/units.ts";
import { type CallFrame, callFrames, hasFailed, orderedLogs } from "./callFrames.ts";

/**
 * Says in which fact the trace of a transaction contradicts its receipt, as a sentence. Nodes whose tracer lists no logs, and
 * those that count the gas of the transactions before it into that of the first call (anvil), contradict nothing.
 */
export function contradictionWith(receipt: JsonValue | undefined, trace: JsonObject): string | undefined {
  if (!isObject(receipt)) return undefined;
  const told = (what: string, here: string, there: string): string | undefined =>
    here === there
      ? undefined
      : `The endpoint contradicts itself: ${what} is ${here} in the trace, and ${there} in the receipt.`;
  const [status, used, all, traced] = [receipt.status, receipt.gasUsed, receipt.cumulativeGasUsed, trace.gasUsed].map(
    quantity,
  );
  const failed = hasFailed(trace);
  const own = status === undefined ? undefined : told("the status", failed ? "0" : "1", String(status));
  if (own) return own;
  const isOther =
    used !== undefined && traced !== undefined && (traced < used || (all !== undefined && traced !== all));
  const gas = isOther ? told("the gas used", grouped(traced), grouped(used)) : undefined;
  if (gas) return gas;
  // some nodes keep what failed calls logged
  const here = orderedLogs(callFrames([trace])).flatMap(({ log, frame }) => (isTakenBack(frame) ? [] : [logText(log)]));
  if (failed || here.length === 0 || !isArray(receipt.logs)) return undefined;
  const there = receipt.logs.map(logText);
  const at = here.findIndex((one, index) => one !== there[index]);
  return (
    told("the number of logs", String(here.length), String(there.length)) ??
    (at === -1
      ? undefined
      : `The endpoint contradicts itself: log ${at + 1} is another one in the trace than in the receipt.`)
  );
}

function isTakenBack(frame: CallFrame): boolean {
  for (let one: CallFrame | undefined = frame; one; one = one.parent) if (hasFailed(one)) return true;
  return false;
}

function logText(log: JsonValue): string {
  if (!isObject(log)) return "";
  return [log.address, isArray(log.topics) ? log.topics.join(",") : "", log.data ?? "0x"].join(" ").toLowerCase();
}
