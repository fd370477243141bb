import { isHex, quantity } from "../base/hex.ts";
import { isArray, isObject, type JsonObject, type JsonValue } from "../base/json.ts";
import { brief } from "../base/text.ts";
import type { BlockQuestion } from "../rpc/head.ts";
import { type Outcome, resultOf } from "../rpc/outcome.ts";
import { type AskedCalls, overrideMembers, overrideParams } from "./askedCalls.ts";
import { blockProbe, type ProbedBlock, readBlockProbe } from "./blockProbe.ts";
import { type Difference, differenceTo, logOf, type Result } from "./difference.ts";
import type { BlockFacts, Trace } from "./task.ts";

/** What was compared with the endpoint's own answers, and is equal. */
export interface Judged {
  readonly equal: readonly ("status" | "output" | "gas" | "logs")[];
}

const simulation = "eth_simulateV1";
/** An address at which nothing is. */
const observer = "0x7ace7ace7ace7ace7ace7ace7ace7ace7ace7ace";

/** The question for a simulation of the calls, after a call that says what its block is like: nodes do not report all of it. */
export function simulationQuestion(asked: AskedCalls, block: string): BlockQuestion {
  const { stateOverrides, ...overrides } = overrideMembers(asked);
  const observing = { ...(isObject(stateOverrides) && stateOverrides), [observer]: { code: blockProbe } };
  const calls = [{ from: observer, to: observer }, ...asked.requests];
  const payload = { blockStateCalls: [{ ...overrides, stateOverrides: observing, calls }], validation: false };
  return { method: simulation, params: [payload, block] };
}

/** Questions whose answers say what a call does: as it is, and simulated in the next block, with its gas and logs. */
export function judgeQuestions(asked: AskedCalls, block: string, refuses: readonly string[]): readonly BlockQuestion[] {
  return [
    ...asked.requests.map((request) => ({ method: "eth_call", params: [request, block, ...overrideParams(asked)] })),
    ...(refuses.includes(simulation) ? [] : [simulationQuestion(asked, block)]),
  ];
}

/**
 * Says in what a trace that the endpoint serves differs from its own result of the call, as a clause.
 *
 * @param called - Of the first of {@link judgeQuestions}.
 */
export function servedContradiction({ error, output }: JsonObject, called: Outcome | undefined): string | undefined {
  const said = called && resultOfCall(called);
  const succeeded = (error ?? "") === "";
  // of a call that failed, a node may leave out what it returned
  const isOutputKnown = succeeded || isHex(output);
  const difference =
    said &&
    differenceTo(
      { succeeded, output: isHex(output) ? output.toLowerCase() : "0x", gasUsed: 0n, logs: [] },
      { ...said, output: isOutputKnown ? said.output : undefined },
    );
  if (!difference) return undefined;
  const { what, here, there } = difference;
  return `the ${what} is ${brief(here, 100)} in it, but ${brief(there, 100)} in \`eth_call\``;
}

/**
 * Compares the trace of a call with what the endpoint says about it.
 *
 * @param facts - What the call could read about its block.
 * @param outcomes - Of {@link judgeQuestions}.
 * @param runIn - Runs the call in another block, over the same state; `undefined` if that fails.
 */
export async function judgeCall(
  trace: Trace,
  facts: BlockFacts,
  asked: AskedCalls,
  [called, simulated]: readonly (Outcome | undefined)[],
  runIn: (block: BlockFacts) => Promise<Trace | undefined>,
): Promise<Judged | Difference> {
  const said = called && resultOfCall(called);
  const difference = said && differenceIn(trace, [said]);
  if (difference) return difference;
  const equal: Judged["equal"] = said ? ["status", "output"] : [];
  const block = readSimulation(resultOf(simulated), asked);
  if (!block) return { equal };
  const isElsewhere = trace.readsBlock || block.probed?.block.coinbase !== facts.coinbase;
  const other = !isElsewhere ? trace : block.probed && (await runIn(block.probed.block));
  return other ? (differenceIn(other, block.results) ?? { equal: all }) : { equal };
}

/** Compares the traces of the calls of a simulation, which ran in its block. */
export function judgeSimulation(trace: Trace, { results }: Simulation): Judged | Difference {
  return differenceIn(trace, results) ?? { equal: all };
}

const all = ["status", "output", "gas", "logs"] as const;

function differenceIn({ calls }: Trace, results: readonly Result[]): Difference | undefined {
  for (const [at, call] of calls.entries()) {
    const result = results[at];
    const difference = result && differenceTo(call, result);
    if (difference)
      return calls.length === 1 ? difference : { ...difference, what: `${difference.what} of call ${at + 1}` };
  }
  return undefined;
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

/** What a simulation of the calls did, and in which block. */
export interface Simulation {
  readonly results: readonly Result[];
  readonly probed: ProbedBlock | undefined;
}

/** Reads the answer to {@link simulationQuestion}. */
export function readSimulation(value: JsonValue | undefined, { calls: asked }: AskedCalls): Simulation | undefined {
  const [block] = isArray(value) ? value : [];
  const [observed, ...calls] = isObject(block) && isArray(block.calls) ? block.calls : [];
  // a creation is simulated by some nodes with its code in place of what it returned
  const results = asked.map(({ to }, at) => resultIn(calls[at], to !== undefined));
  if (!results.every((result) => result !== undefined)) return undefined;
  return { results, probed: readBlockProbe(isObject(observed) ? observed.returnData : undefined) };
}

function resultIn(call: JsonValue | undefined, hasOutput: boolean): Result | undefined {
  if (!isObject(call)) return undefined;
  const status = quantity(call.status);
  const gasUsed = quantity(call.gasUsed);
  if (status === undefined || gasUsed === undefined) return undefined;
  const succeeded = status === 1n;
  const logs = isArray(call.logs) ? call.logs.filter(isObject).map(logOf) : [];
  const output = hasOutput && typeof call.returnData === "string" ? call.returnData : undefined;
  return { succeeded, output, gasUsed, logs: succeeded ? logs : [] };
}
