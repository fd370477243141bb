import type { Clock } from "../base/ports.ts";
import type { CellOutput, Report } from "../report/report.ts";
import { reportText } from "../report/text.ts";

/** Starts the clock of an output that is not a run's. */
export function startOutput(clock: Clock) {
  const [startedAt, begunAt] = [clock.date(), clock.now()];
  const elapsedMs = (): number => clock.now() - begunAt;
  return {
    elapsedMs,
    complete(report: Report, json: string): CellOutput {
      const text = reportText(report);
      return { ok: report.status === "ok", reports: [report], text, json, startedAt, durationMs: elapsedMs() };
    },
  };
}
