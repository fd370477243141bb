import { isArray, type JsonObject } from "../base/json.ts";
import { grouped } from "../base/units.ts";
import type { CallTrace, TracedLog } from "./task.ts";

/** A fact that differs. */
export interface Difference {
  readonly what: string;
  readonly here: string;
  readonly there: string;
}

/** What an endpoint says about a call. */
export interface Result {
  readonly succeeded: boolean;
  /** `undefined` if it does not say. */
  readonly output: string | undefined;
  readonly gasUsed?: bigint | undefined;
  readonly logs?: readonly TracedLog[] | undefined;
}

/** Returns the first fact in which a trace and what is said of its call differ. */
export function differenceTo(
  trace: Pick<CallTrace, "succeeded" | "output" | "gasUsed" | "logs">,
  said: Result,
): Difference | undefined {
  const status = (succeeded: boolean): string => (succeeded ? "succeeded" : "failed");
  if (trace.succeeded !== said.succeeded)
    return { what: "status", here: status(trace.succeeded), there: status(said.succeeded) };
  if (said.output !== undefined && said.output.toLowerCase() !== trace.output)
    return { what: "output", here: trace.output, there: said.output };
  const { gasUsed, logs } = said;
  if (gasUsed !== undefined && gasUsed !== trace.gasUsed)
    return { what: "gas used", here: grouped(trace.gasUsed), there: grouped(gasUsed) };
  if (!logs) return undefined;
  if (logs.length !== trace.logs.length)
    return { what: "number of logs", here: String(trace.logs.length), there: String(logs.length) };
  const at = logs.findIndex((log, index) => logText(log) !== logText(trace.logs[index]));
  return at === -1 ? undefined : { what: `log ${at + 1}`, here: logText(trace.logs[at]), there: logText(logs[at]) };
}

export function logText(log: TracedLog | undefined): string {
  return log ? [log.address, log.topics.join(","), log.data].join(" ").toLowerCase() : "none";
}

export function logOf({ address, topics, data }: JsonObject): TracedLog {
  return {
    address: String(address),
    topics: isArray(topics) ? topics.map(String) : [],
    data: typeof data === "string" ? data : "0x",
  };
}
