import { parseJson, printJson } from "../../base/json.ts";
import type { Mask } from "../../base/mask.ts";
import type { Log } from "../../base/ports.ts";
import { shareProfiles } from "../../report/flame.ts";
import type { CellOutput } from "../../report/report.ts";
import type { Outcome, RawJson } from "../../rpc/outcome.ts";
import type { CellRun, Verdict } from "../cellRun.ts";
import { expectationText } from "../judge/checkExpectation.ts";
import { decodedFirst } from "../observe/maskFound.ts";

/**
 * Masks the data of a run before anything formats it: formatting cuts, groups and converts values, and a secret
 * could not be recognized afterwards. Later requests use the unmasked run.
 */
export function maskedRun(run: CellRun, mask: Mask): CellRun {
  if (mask.isEmpty) return run;
  const { answers, verdicts, batch } = run;
  return {
    ...run,
    answers: answers.map((answer) => ({
      ...answer,
      outcome: maskedOutcome(answer.outcome, mask),
      ...(answer.row && { row: mask.value(answer.row) }),
    })),
    verdicts: verdicts.map((verdict) => maskedVerdict(verdict, mask)),
    batch: batch && maskedVerdict(batch, mask),
  };
}

export function maskedOutcome<Some extends Outcome>(outcome: Some, mask: Mask): Some {
  if (mask.isEmpty) return outcome;
  const exchange = maskedExchange(outcome, mask);
  const given: Outcome = outcome;
  switch (given.kind) {
    case "answered":
      return { ...outcome, exchange, result: maskedJson(given.result, mask) };
    case "refused": {
      const { message, data, revertData } = mask.value(
        { message: given.message, data: given.data, revertData: given.revertData },
        decodedFirst(mask),
      );
      return { ...outcome, exchange, message, data, revertData };
    }
    case "unreachable":
      return { ...outcome, exchange, message: mask.text(given.message), hint: mask.text(given.hint) };
  }
}

function maskedExchange({ exchange }: Outcome, mask: Mask): Outcome["exchange"] {
  const { parts, headers } = exchange;
  const soFar = parts?.soFar && { ...parts.soFar, result: maskedJson(parts.soFar.result, mask) };
  return {
    ...exchange,
    headers: mask.value(headers),
    ...(parts && {
      parts: {
        ...{ ...parts, notes: mask.value(parts.notes) },
        ...(parts.done !== undefined && { done: mask.text(parts.done) }),
        ...(parts.saved && { saved: { ...parts.saved, path: mask.text(parts.saved.path) } }),
        ...(soFar && { soFar }),
      },
    }),
  };
}

function maskedJson(result: RawJson, mask: Mask): RawJson {
  const { text } = result;
  const isClean = text !== "" && mask.text(text) === text;
  const value = isClean ? mask.pieces(result.value) : mask.value(result.value, decodedFirst(mask));
  if (value === result.value) return result;
  return {
    value,
    get text() {
      return printJson(value);
    },
  };
}

function maskedVerdict(verdict: Verdict, mask: Mask): Verdict {
  const misses = mask.value(verdict.misses);
  return misses === verdict.misses ? verdict : { ...verdict, misses: misses.map(expectationText) };
}

/** Masks an output. Each form is made, and masked, at the first access. */
export function maskedOutput(output: CellOutput, mask: Mask): CellOutput {
  if (mask.isEmpty) return output;
  const { ok, startedAt, durationMs } = output;
  let reports: CellOutput["reports"] | undefined;
  return {
    ok,
    startedAt,
    durationMs,
    get reports() {
      if (reports) return reports;
      reports = mask.own(output.reports);
      if (reports !== output.reports) shareProfiles(output.reports, reports);
      return reports;
    },
    get text() {
      return mask.text(output.text);
    },
    get json() {
      const { json } = output;
      const value = mask.text(json) === json ? undefined : parseJson(json);
      return value === undefined ? mask.text(json) : printJson(mask.value(value), 2);
    },
  };
}

export function maskedLog(log: Log, mask: Mask): Log {
  return {
    info: (message) => log.info(mask.text(message)),
    warn: (message) => log.warn(mask.text(message)),
    error: (message, cause) =>
      log.error(mask.text(message), cause === undefined ? undefined : maskedCause(cause, mask)),
  };
}

function maskedCause(cause: unknown, mask: Mask): string {
  return mask.text(cause instanceof Error ? (cause.stack ?? cause.message) : String(cause));
}
