import { quantity } from "../base/hex.ts";
import { isArray, isObject, type JsonObject, type JsonValue } from "../base/json.ts";
import { grouped } from "../base/units.ts";
import type { BlockQuestion } from "../rpc/head.ts";
import { type Outcome, resultOf } from "../rpc/outcome.ts";
import type { AskedCall } from "./askedCall.ts";
import { blockProbe, readBlockProbe } from "./blockProbe.ts";
import type { BlockFacts, Trace, TracedLog } from "./task.ts";

/** What was compared with the endpoint's own answers, and is equal. */
export interface Judged {
  readonly equal: readonly ("status" | "output" | "gas" | "logs")[];
}

/** A fact that differs. */
export interface Difference {
  readonly what: string;
  readonly here: string;
  readonly there: string;
}

const simulation = "eth_simulateV1";
/** An address at which nothing is. */
const observer = "0x7ace7ace7ace7ace7ace7ace7ace7ace7ace7ace";

/** Questions whose answers say what a call does: as it is, and simulated in the next block, with its gas and logs. */
export function judgeQuestions(
  { request, more }: AskedCall,
  block: string,
  refuses: readonly string[],
): readonly BlockQuestion[] {
  const [stateOverrides, blockOverrides] = more;
  const overrides = {
    stateOverrides: { ...(isObject(stateOverrides) && stateOverrides), [observer]: { code: blockProbe } },
    ...(isObject(blockOverrides) && { blockOverrides }),
  };
  // what its block is like: nodes do not report all of it, or report something else
  const calls = [{ from: observer, to: observer }, request];
  const payload = { blockStateCalls: [{ ...overrides, calls }], validation: false };
  return [
    { method: "eth_call", params: [request, block, ...more] },
    ...(refuses.includes(simulation) ? [] : [{ method: simulation, params: [payload, block] }]),
  ];
}

/**
 * Compares a trace with what the endpoint says about the call.
 *
 * @param facts - What the call could read about its block.
 * @param runIn - Runs the call in another block, over the same state; `undefined` if that fails.
 */
export async function judge(
  trace: Trace,
  facts: BlockFacts,
  { call }: AskedCall,
  questions: readonly BlockQuestion[],
  outcomes: readonly Outcome[],
  runIn: (block: BlockFacts) => Promise<Trace | undefined>,
): Promise<Judged | Difference> {
  const [called, simulated] = questions.map((_, at) => outcomes[at]);
  const said = called && resultOfCall(called);
  const difference = said && differenceTo(trace, said);
  if (difference) return difference;
  const equal: Judged["equal"] = said ? ["status", "output"] : [];
  const block = simulatedBlock(resultOf(simulated));
  if (!block) return { equal };
  const isElsewhere = trace.readsBlock || block.facts?.coinbase !== facts.coinbase;
  const other = !isElsewhere ? trace : block.facts && (await runIn(block.facts));
  if (!other) return { equal };
  // a creation is simulated with its code in place of what it returned by some nodes
  return differenceTo(other, block.result, call.to === undefined) ?? { equal: ["status", "output", "gas", "logs"] };
}

/** What an endpoint says about a call. */
interface Result {
  readonly succeeded: boolean;
  /** `undefined` if it does not say. */
  readonly output: string | undefined;
  readonly gasUsed?: bigint | undefined;
  readonly logs?: readonly TracedLog[];
}

function differenceTo(trace: Trace, said: Result, ignoresOutput = false): Difference | undefined {
  const status = (succeeded: boolean): string => (succeeded ? "succeeded" : "failed");
  if (trace.succeeded !== said.succeeded)
    return { what: "status", here: status(trace.succeeded), there: status(said.succeeded) };
  if (!ignoresOutput && said.output !== undefined && said.output.toLowerCase() !== trace.output)
    return { what: "output", here: trace.output, there: said.output };
  const { gasUsed, logs } = said;
  if (gasUsed !== undefined && gasUsed !== trace.gasUsed)
    return { what: "gas used", here: grouped(trace.gasUsed), there: grouped(gasUsed) };
  if (!logs) return undefined;
  if (logs.length !== trace.logs.length)
    return { what: "number of logs", here: String(trace.logs.length), there: String(logs.length) };
  const at = logs.findIndex((log, index) => textOf(log) !== textOf(trace.logs[index]));
  return at === -1 ? undefined : { what: `log ${at + 1}`, here: textOf(trace.logs[at]), there: textOf(logs[at]) };
}

function textOf(log: TracedLog | undefined): string {
  return log ? [log.address, log.topics.join(","), log.data].join(" ").toLowerCase() : "none";
}

/** @returns `undefined` if the answer does not say what the call does. */
function resultOfCall(outcome: Outcome): Result | undefined {
  if (outcome.kind === "answered") {
    const output = outcome.result.value;
    return typeof output === "string" ? { succeeded: true, output } : undefined;
  }
  if (outcome.kind !== "refused") return undefined;
  if (outcome.reason === "revert") return { succeeded: false, output: outcome.revertData };
  return outcome.reason === "vm-error" ? { succeeded: false, output: undefined } : undefined;
}

/** Reads a simulation of one call: what it did, and in which block. */
function simulatedBlock(value: JsonValue | undefined) {
  const [block] = isArray(value) ? value : [];
  const [observed, call] = isObject(block) && isArray(block.calls) ? block.calls : [];
  if (!isObject(block) || !isObject(call)) return undefined;
  const status = quantity(call.status);
  const gasUsed = quantity(call.gasUsed);
  if (status === undefined || gasUsed === undefined) return undefined;
  const succeeded = status === 1n;
  const logs = isArray(call.logs) ? call.logs.filter(isObject).map(logOf) : [];
  const output = typeof call.returnData === "string" ? call.returnData : undefined;
  const result: Result = { succeeded, output, gasUsed, logs: succeeded ? logs : [] };
  return { result, facts: readBlockProbe(isObject(observed) ? observed.returnData : undefined)?.block };
}

function logOf({ address, topics, data }: JsonObject): TracedLog {
  return {
    address: String(address),
    topics: isArray(topics) ? topics.map(String) : [],
    data: typeof data === "string" ? data : "0x",
  };
}
