import { oneLine, plural } from "../base/text.ts";
import { profileOf } from "../report/flame.ts";
import type { Report } from "../report/report.ts";
import { type NamedProfile, speedscopeFile } from "../report/speedscope.ts";
import { type Output, writeOutput } from "./outputFile.ts";
import type { FileResult } from "./results.ts";
import type { RunContext } from "./runFile.ts";
import { exitCodes } from "./terminal.ts";

/** Writes the traces of a run to a file. @returns The exit code. */
export async function writeProfiles(
  output: Output,
  results: readonly FileResult[],
  { service, host, terminal }: Pick<RunContext, "service" | "host" | "terminal">,
): Promise<number> {
  const name = oneLine(output.name);
  const profiles = results.flatMap(({ cells }) => cells.flatMap(({ output }) => output.reports.flatMap(profilesIn)));
  if (profiles.length === 0) {
    const todo = "Run a cell with `debug_traceTransaction` and `callTracer`, or with `trace_transaction`.";
    terminal.complain(`No cell of this run has a trace with several calls, so ${name} was not written.`, todo);
    return exitCodes.failed;
  }
  const masked = profiles.map(({ names, ...rest }) => ({ ...rest, names: names.map(service.hidden) }));
  const text = speedscopeFile(results.map(({ file }) => file.name).join(", "), masked);
  if (!(await writeOutput(output, text, host, terminal))) return exitCodes.failed;
  terminal.note(`Wrote ${plural(profiles.length, "trace")} to ${name}. Open it at speedscope.app.`);
  return exitCodes.ok;
}

function profilesIn({ title, sections }: Report): readonly NamedProfile[] {
  return sections.flatMap((section) => {
    const profile = section.kind === "flame" ? profileOf(section) : undefined;
    return profile ? [{ ...profile, title }] : [];
  });
}
