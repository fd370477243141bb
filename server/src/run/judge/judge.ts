import type { JsonObject, JsonValue } from "../../base/json.ts";
import { expectsError } from "../../evaluate/operators.ts";
import type { UnsentReason } from "../../gate/unsentReason.ts";
import { answerFault } from "../../report/answerFault.ts";
import { returnedFaults } from "../../report/decoded.ts";
import type { Answer, CellRun, Verdict } from "../cellRun.ts";
import type { Step } from "../plan.ts";
import { type Expected, writtenExpectation } from "../prepare/expectations.ts";
import { batchMember, batchValue, outcomeValue } from "../prepare/values.ts";
import { assertionFailures, type FaultsAt } from "./checkExpectation.ts";

/**
 * Checks the answers of a cell against its expectations.
 *
 * @param filled - The expectations whose placeholders were filled in.
 */
export function judge(
  step: Step,
  answers: readonly Answer[],
  notSent: UnsentReason | undefined,
  startedAt: number,
  durationMs: number,
  filled?: Expected,
): CellRun {
  const { cell } = step;
  const [only] = answers;
  if (only && answers.length === 1 && !notSent && !cell.directives.has("expect")) {
    const fine = isWell(only);
    const verdicts = fine ? singlePass : singleFail;
    return { step, answers, notSent, verdicts, batch: passWithoutExpectation, ok: fine, startedAt, durationMs };
  }
  const ofBatch = writtenExpectation(cell, batchMember(cell, "expect"), filled);
  const verdicts = answers.map((answer, at) => {
    const expect = writtenExpectation(cell, cell.requests[at]?.members.get("expect")?.value, filled);
    const isChecked = expect !== undefined || ofBatch !== undefined;
    const fine =
      (isChecked ? answer.outcome.kind === "answered" : isWell(answer)) ||
      expectsError(expect) ||
      expectsError(ofBatch);
    return verdictFor(
      expect,
      () => outcomeValue(answer),
      fine,
      () => faultsOf(answer),
    );
  });
  const faultsAt: FaultsAt = ([, at]) =>
    answers.filter((_, index) => typeof at !== "number" || index === at).flatMap(faultsOf);
  const batch = answers.length === 0 ? undefined : verdictFor(ofBatch, () => batchValue(answers), true, faultsAt);
  const ok = notSent === undefined && answers.length > 0 && batch?.ok === true && verdicts.every((one) => one.ok);
  return { step, answers, notSent, verdicts, batch, ok, startedAt, durationMs };
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

const passWithoutExpectation: Verdict = { expected: false, misses: [], ok: true };
const failWithoutExpectation: Verdict = { ...passWithoutExpectation, ok: false };
const singlePass: readonly Verdict[] = [passWithoutExpectation];
const singleFail: readonly Verdict[] = [failWithoutExpectation];
