import { type JsonValue, parseJson, printJson } from "../base/json.ts";
import { plural } from "../base/text.ts";
import { textAtBlock } from "../inspect/compare.ts";
import { cellNumbers } from "../notebook/key.ts";
import { readFile } from "../notebook/readFile.ts";
import { type ChosenNotebook, valuesOf } from "./choose.ts";
import type { Comparison } from "./command.ts";
import type { NotebookFile } from "./files.ts";
import { printReports } from "./printReports.ts";
import type { RunContext } from "./runFile.ts";
import { exitCodes, type Terminal } from "./terminal.ts";

/**
 * `rpc-notebook run --compare`: prints the results of each request side by side.
 *
 * @returns The exit code. A failed request is a failure, a difference is not.
 */
export async function compare(
  notebooks: readonly ChosenNotebook[],
  comparison: Comparison,
  { options: { endpoint, variables, report }, service, terminal, signal }: RunContext,
): Promise<number> {
  const values = valuesOf(variables);
  const compared: JsonValue[] = [];
  let ok = true;
  for (const { file, indices = comparableCells(file, comparison, terminal) } of notebooks) {
    for (const index of indices) {
      if (signal.aborted) break;
      const params = { uri: file.uri, index, ...(endpoint !== undefined && { endpoint }), ...comparison };
      const output = await service.compare(params, signal, values);
      ok &&= output?.ok === true;
      if (!output || signal.aborted) break;
      compared.push({ file: file.name, comparison: parseJson(output.json) ?? null });
      if (report !== "text") continue;
      printReports(output.reports, terminal);
      terminal.print("");
    }
  }
  if (report === "json") terminal.print(printJson(compared, 2));
  else if (compared.length === 0)
    terminal.print("Nothing to compare: no cell with a request that reads the state of a block.");
  return ok && !signal.aborted ? exitCodes.ok : exitCodes.failed;
}

/** Finds single requests that read the state of a block, and notes how many other cells there are. */
function comparableCells({ name, text }: NotebookFile, comparison: Comparison, terminal: Terminal): readonly number[] {
  const tag = "tags" in comparison ? comparison.tags[0] : undefined;
  const { cells } = readFile(text);
  const comparable = cells.flatMap((cell, index) => (textAtBlock(cell, tag) === undefined ? [] : [index]));
  const others = cellNumbers(cells).filter((number) => number > 0).length - comparable.length;
  if (others > 0 && comparable.length > 0)
    terminal.note(`${name}: ${plural(others, "cell")} left out. Only single requests that read can be compared.`);
  return comparable;
}
