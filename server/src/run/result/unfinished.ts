import type { CellOutput, Report } from "../../report/report.ts";
import type { Tokens } from "../../report/tokens.ts";
import type { CellRun } from "../cellRun.ts";
import { type DocumentRun, placeholderNames } from "../documentRun.ts";
import type { ShownAnswer } from "../observe/observation.ts";
import type { Observations } from "../observe/observe.ts";
import { maskedRun } from "./maskRun.ts";
import { outputOf } from "./output.ts";

/** A part of an answer that has come, or an answer that will be replaced: it is shown and not compared with anything. */
type Unfinished = Pick<CellRun, "step" | "answers" | "startedAt" | "durationMs">;

/** Returns the output of a cell that goes on. Its answers are masked, the output as a whole is not. */
export function unfinishedOutput(
  run: DocumentRun,
  part: Unfinished,
  tokens: Tokens,
  observations?: Observations,
): CellOutput {
  const { mask } = run.support;
  const all = { ...part, notSent: undefined, verdicts: [], batch: undefined, ok: true };
  const naming = {
    labels: run.names,
    tokens,
    names: () => placeholderNames(run),
    snapshot: undefined,
    additionsOf: observations && ((shown: ShownAnswer) => observations.additions(shown, mask)),
  };
  return outputOf(maskedRun(all, mask), naming);
}

/** Returns the report of a cell that goes on, and has one request. */
export function unfinishedReport(run: DocumentRun, part: Unfinished, tokens: Tokens): Report {
  const [report] = unfinishedOutput(run, part, tokens).reports;
  if (!report) throw new RangeError("A cell without an answer is shown."); // a stream has one
  return report;
}
