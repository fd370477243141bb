import { type JsonValue, parseJson } from "../base/json.ts";
import { plural } from "../base/text.ts";
import { cellNumbers } from "../notebook/number.ts";
import { readFile } from "../notebook/readFile.ts";
import { reportText } from "../report/text.ts";
import { askedAt } from "../run/compare.ts";
import type { Service } from "../service/service.ts";
import type { RunOptions } from "./command.ts";
import type { NotebookFile } from "./files.ts";
import { exitCodes, printedJson, type Terminal } from "./terminal.ts";

/** The cells of a notebook to compare; `undefined` for all that can be. */
export interface ComparedCells {
  readonly file: NotebookFile;
  readonly indices: readonly number[] | undefined;
}

/**
 * `rpc-notebook run --compare`: prints the answers to each request side by side.
 *
 * @returns The exit code: a difference is no failure, a request that failed is one.
 */
export async function compare(
  notebooks: readonly ComparedCells[],
  { endpoint, variables, report }: RunOptions,
  compared: NonNullable<RunOptions["compare"]>,
  service: Service,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<number> {
  const values = new Map(variables.map(([name, text]) => [name, parseJson(text) ?? text]));
  const found: JsonValue[] = [];
  let ok = true;
  for (const { file, indices } of notebooks) {
    const can = indices ?? comparable(file, compared);
    const left = indices ? 0 : requestCells(file) - can.length;
    if (left > 0 && can.length > 0)
      terminal.note(`${file.name}: ${plural(left, "cell")} left out. Single requests that read can be compared.`);
    for (const index of can) {
      if (signal.aborted) break;
      const params = { uri: file.uri, index, ...(endpoint !== undefined && { endpoint }), ...compared };
      const output = await service.compare(params, signal, values);
      ok &&= output?.ok === true;
      if (!output || signal.aborted) break; // what was compared before is shown
      found.push({ file: file.name, comparison: parseJson(output.json) ?? null });
      const { paint, width } = terminal;
      const layout = { paint, ...(width !== undefined && { width }) };
      if (report === "text") terminal.print(`${output.reports.map((one) => reportText(one, layout)).join("\n\n")}\n`);
    }
  }
  if (report === "json") terminal.print(printedJson(found));
  else if (found.length === 0)
    terminal.print("Nothing to compare: no cell with a request that reads the state of a block.");
  return ok && !signal.aborted ? exitCodes.ok : exitCodes.failed;
}

function requestCells({ text }: NotebookFile): number {
  return cellNumbers(readFile(text).cells).filter((number) => number > 0).length;
}

function comparable({ text }: NotebookFile, compared: NonNullable<RunOptions["compare"]>): readonly number[] {
  const tag = "tags" in compared ? compared.tags[0] : undefined;
  return readFile(text).cells.flatMap((cell, index) => (askedAt(cell, tag) === undefined ? [] : [index]));
}
