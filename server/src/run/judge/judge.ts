import { type AbiScope, withPlaces, withWritten } from "../../abi/abiScope.ts";
import { abiScope } from "../../analysis/abi.ts";
import type { NamesInScope } from "../../analysis/scope.ts";
import type { JsonObject, JsonValue } from "../../base/json.ts";
import type { EvaluatedRequest } from "../../evaluate/evaluateRequest.ts";
import { expectsError } from "../../evaluate/operators.ts";
import { requestAt } from "../../notebook/cell.ts";
import { returnedFaults } from "../../report/decoded.ts";
import { answerFault } from "../../report/result.ts";
import type { Outcome } from "../../rpc/outcome.ts";
import type { Answer, Answered, CellRun, Ready, Unsent, Verdict } from "../cellRun.ts";
import { writtenExpectation } from "../prepare/expectations.ts";
import { batchMember, batchValue, outcomeValue } from "../prepare/values.ts";
import { assertionFailures, type FaultsAt } from "./checkExpectation.ts";

/**
 * Compares the answers of a cell with its expectations.
 *
 * @param now - The time of the clock that counts milliseconds.
 */
export function judge({ ready, outcomes }: Answered, project: NamesInScope, now: number): CellRun {
  const { step, expected: filled, begun } = ready;
  const { cell } = step;
  const answers = answersOf(ready, outcomes, abiScope(cell, project));
  const [startedAt, durationMs] = [begun.date, now - begun.now];
  const notSent = undefined;
  const [only] = answers;
  if (only && answers.length === 1 && !cell.directives.has("expect")) {
    const fine = isWell(only);
    const verdicts = fine ? singlePass : singleFail;
    return { step, answers, notSent, verdicts, batch: passWithoutExpectation, ok: fine, startedAt, durationMs };
  }
  const ofBatch = writtenExpectation(cell, batchMember(cell, "expect"), filled);
  const verdicts = answers.map((answer, at) => {
    const expect = writtenExpectation(cell, requestAt(cell, at)?.members.get("expect")?.value, filled);
    const isChecked = expect !== undefined || ofBatch !== undefined;
    const fine =
      (isChecked ? answer.outcome.kind === "answered" : isWell(answer)) ||
      expectsError(expect) ||
      expectsError(ofBatch);
    const verdict = verdictFor(
      expect,
      () => outcomeValue(answer),
      fine,
      () => faultsOf(answer),
    );
    return answer.row ? inRow(verdict, answer.row) : verdict;
  });
  const faultsAt: FaultsAt = ([, at]) =>
    answers.filter((_, index) => typeof at !== "number" || index === at).flatMap(faultsOf);
  const batch = answers.length === 0 ? undefined : verdictFor(ofBatch, () => batchValue(answers), true, faultsAt);
  const ok = batch?.ok === true && verdicts.every((one) => one.ok);
  return { step, answers, notSent, verdicts, batch, ok, startedAt, durationMs };
}

/** Returns the end of a cell that was not sent. */
export function judgeUnsent({ step, notSent, begun }: Unsent, now: number): CellRun {
  const durationMs = now - begun.now;
  return { step, answers: [], notSent, verdicts: [], batch: undefined, ok: false, startedAt: begun.date, durationMs };
}

function answersOf({ requests }: Ready, outcomes: readonly Outcome[], scope: AbiScope): readonly Answer[] {
  const [request, outcome] = [requests[0], outcomes[0]];
  if (requests.length === 1 && request && outcome) return [answerOf(request, outcome, scope)]; // flatMap would allocate more
  return requests.flatMap((each, at) => (outcomes[at] ? [answerOf(each, outcomes[at], scope)] : []));
}

function answerOf(request: EvaluatedRequest, outcome: Outcome, scope: AbiScope): Answer {
  const own = request.called ? withWritten(scope, request.called) : scope;
  const { row, places } = request;
  const answer: Answer = { request, outcome, scope: withPlaces(own, places) };
  return row ? { ...answer, row } : answer;
}

/** Whether a request got an answer of its method's type. A cell that expects something says itself what is right. */
function isWell({ request: { spec }, outcome }: Answer): boolean {
  return outcome.kind === "answered" && answerFault(spec, outcome.result.value) === undefined;
}

function faultsOf({ request, outcome, scope }: Answer): readonly string[] {
  return returnedFaults(request, outcome, scope);
}

function verdictFor(
  expect: JsonValue | undefined,
  value: () => JsonObject,
  fine: boolean,
  faultsAt: FaultsAt,
): Verdict {
  if (expect === undefined) return fine ? passWithoutExpectation : failWithoutExpectation;
  const misses = assertionFailures(expect, value(), faultsAt);
  return { expected: true, misses, ok: misses.length === 0 && fine };
}

function inRow(verdict: Verdict, row: JsonObject): Verdict {
  return verdict.misses.length === 0 ? verdict : { ...verdict, misses: verdict.misses.map((one) => ({ ...one, row })) };
}

const passWithoutExpectation: Verdict = { expected: false, misses: [], ok: true };
const failWithoutExpectation: Verdict = { ...passWithoutExpectation, ok: false };
const singlePass: readonly Verdict[] = [passWithoutExpectation];
const singleFail: readonly Verdict[] = [failWithoutExpectation];
