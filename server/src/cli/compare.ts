import { type JsonValue, parseJson, printJson } from "../base/json.ts";
import { plural } from "../base/text.ts";
import { type ChosenNotebook, valuesOf } from "./choose.ts";
import { printReports } from "./results.ts";
import type { RunContext } from "./runFile.ts";
import type { Comparison } from "./runOptions.ts";
import { exitCodes } from "./terminal.ts";

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
  for (const { file, indices: chosen } of notebooks) {
    const { indices, others } = chosen
      ? { indices: chosen, others: 0 }
      : service.comparableCells({ uri: file.uri, ...comparison });
    if (others > 0 && indices.length > 0)
      terminal.note(
        `${file.name}: ${plural(others, "cell")} left out. Only single requests that read can be compared.`,
      );
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
