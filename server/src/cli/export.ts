import { basename } from "node:path";
import { oneLine, plural } from "../base/text.ts";
import { notebookStem } from "../base/uri.ts";
import type { PageCell } from "../convert/htmlPage.ts";
import { shellsFor } from "../convert/shells.ts";
import { cellNumbers } from "../notebook/key.ts";
import { openNotebook } from "../notebook/open.ts";
import { readFile } from "../notebook/readFile.ts";
import type { Host } from "../workspace/host.ts";
import { chooseCells } from "./choose.ts";
import type { ExportOptions, HtmlOptions } from "./command.ts";
import type { CommandLineHost, RecordingFile } from "./commandLineHost.ts";
import { openNotebooks } from "./files.ts";
import { noteEndpointProblems, openService } from "./openService.ts";
import { canWrite, pageOutput, writeOutput } from "./outputFile.ts";
import { type FileResult, isFine, summary } from "./results.ts";
import { chooseNotebooks, withReplay } from "./run.ts";
import { runFile } from "./runFile.ts";
import { exitCodes, plain, type Terminal } from "./terminal.ts";

/** `rpc-notebook export`: prints requests as code for another tool. */
export async function exportFile(
  { files, cell, ...options }: ExportOptions,
  host: Host,
  screen: Terminal,
): Promise<number> {
  const [file] = (await openNotebooks(files, host.files, screen)) ?? [];
  if (!file) return exitCodes.usage;
  const { name, uri, text } = file;
  const { service, terminal } = openService(host, screen);
  service.openText(uri, text);
  await service.settled(uri);
  const { indices, unknown } = chooseCells(service, file, cell === undefined ? [] : [cell]);
  for (const { what, todo } of unknown) terminal.complain(what, todo);
  if (unknown.length > 0) return exitCodes.usage;
  const { to, shell = shellsFor({ shell: process.env.SHELL, system: process.platform })[0] } = options;
  const exported = await service.exported(uri, indices?.[0], { to, shell });
  if (!exported) return exitCodes.usage;
  terminal.print(exported.text.trimEnd());
  const numbers = cellNumbers(readFile(text).cells);
  for (const { index, what } of exported.notes) terminal.complain(`${name}, cell ${numbers[index]}: ${what}`);
  return exported.notes.length > 0 ? exitCodes.failed : exitCodes.ok;
}

/**
 * `rpc-notebook export --to html`: runs a notebook and writes it with its results as one page. A page is written even if
 * cells failed: it shows how.
 */
export async function exportHtml(
  given: HtmlOptions,
  host: Host,
  line: CommandLineHost,
  replayFile: Promise<RecordingFile> | undefined,
): Promise<number> {
  const output = pageOutput(given);
  const replayed = await withReplay(given, host, line.terminal, replayFile);
  if (!replayed) return exitCodes.usage;
  const { service, terminal } = openService({ ...replayed.host, version: line.version }, line.terminal);
  const context = { ...replayed, service, terminal, signal: line.signal };
  const [notebook] = (await chooseNotebooks(given.files, context)) ?? [];
  if (!notebook || !(await canWrite([output], [notebook.file.uri], context))) return exitCodes.usage;
  const silent = { print: () => {}, progress: (text: string) => terminal.progress(text) };
  const result = await runFile(notebook, context, silent);
  noteEndpointProblems(service, terminal, new Set(result.cells.flatMap(({ endpoints }) => endpoints)));
  const cells = pageCells(result);
  const page = await service.page({
    title: notebookStem(basename(notebook.file.name)),
    cells,
    script: await line.pageScript(),
  });
  for (const text of summary([result], line.signal.aborted, plain).split("\n")) terminal.note(text);
  const code = !line.signal.aborted && isFine(result) ? exitCodes.ok : exitCodes.failed;
  if (!output) {
    line.terminal.print(page.trimEnd()); // masked already; a mask over its script would change that
    return code;
  }
  const isAnswered = result.cells.some((cell) => cell.isAnswered);
  const isEmpty = result.cells.length === 0 && !line.signal.aborted; // no cell with a request
  if (!(await writeOutput(output, page, host, terminal, isAnswered || isEmpty))) return exitCodes.failed;
  terminal.note(`Wrote ${plural(cells.length, "cell")} to ${oneLine(output.name)}.`);
  return code;
}

/** The cells of the file with the results of those that ran. */
function pageCells({ file, cells }: FileResult): readonly PageCell[] {
  const results = new Map(cells.map((cell) => [cell.index, cell.output.reports]));
  let index = 0;
  return openNotebook(new TextEncoder().encode(file.text)).cells.map(({ kind, text, metadata }) => {
    if (metadata?.header === true) return { kind: "header", text, reports: [] };
    return { kind: kind === "markdown" ? "markdown" : "request", text, reports: results.get(index++) ?? [] };
  });
}
