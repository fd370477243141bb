import type { Explanation } from "../base/explanation.ts";
import type { Clock } from "../base/ports.ts";
import type { Host } from "../host.ts";
import type { Service } from "../service.ts";
import { snapshotFault } from "../snapshots.ts";
import { type ChosenNotebook, chooseCells, chooseEndpoint, wrongVariables } from "./choose.ts";
import type { RunOptions } from "./command.ts";
import { noteEndpointProblems } from "./endpointFiles.ts";
import { type NotebookFile, openNotebooks } from "./files.ts";
import { printLargeJson } from "./largeJson.ts";
import { openService } from "./openService.ts";
import { inOrder, type Screen } from "./orderedScreens.ts";
import { type FileResult, fileJson, isFine, summary } from "./results.ts";
import { runFile } from "./runFile.ts";
import { exitCodes, plain, type Terminal } from "./terminal.ts";

/**
 * `rpc-notebook run`: runs notebooks, several at once, and prints each cell when it ends, in the order of the files.
 *
 * @returns The exit code.
 */
export async function run(options: RunOptions, host: Host, screen: Terminal, signal: AbortSignal): Promise<number> {
  const { service, terminal } = openService(host, screen);
  const once = (names: readonly string[]): Promise<number> =>
    runOnce({ ...options, files: names }, service, host, terminal, signal);
  if (!options.watch) return once(options.files);
  const { watch } = await import("./watch.ts");
  return watch(options.files, once, terminal, signal);
}

async function runOnce(
  options: RunOptions,
  service: Service,
  host: Host,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<number> {
  const files = await openNotebooks(options.files, host.files, terminal);
  if (!files) return exitCodes.usage;
  for (const file of files) service.openText(file.uri, file.text);
  const choices = files.map((file) => chooseCells(service, file, options.cells));
  const wrong = [
    ...(await wrongOptions(options, files, service)),
    ...choices.flatMap(({ unknown }) => unknown),
    ...(await wrongSnapshots(options, files, host)),
  ];
  for (const { what, todo } of wrong) terminal.complain(what, todo);
  if (wrong.length > 0) {
    noteEndpointProblems(service, terminal);
    return exitCodes.usage;
  }
  if (options.compare) {
    const { compare } = await import("./compare.ts");
    const code = await compare(choices, options, options.compare, service, terminal, signal);
    noteEndpointProblems(service, terminal);
    return code;
  }
  return runAll(choices, options, service, host.clock, terminal, signal);
}

async function runAll(
  notebooks: readonly ChosenNotebook[],
  options: RunOptions,
  service: Service,
  clock: Clock,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<number> {
  const tasks = notebooks.map(
    ({ file, indices }) =>
      (screen: Screen) =>
        runFile(file, indices, options, service, clock, screen, signal),
  );
  const titles = notebooks.map(({ file }) => file.name);
  const jobs = options.allowWrites ? 1 : options.jobs; // writes can depend on the order of the files
  const results = await inOrder(tasks, titles, jobs, terminal, options.report === "text");
  const used = new Set(results.flatMap(({ cells }) => cells.flatMap(({ endpoints }) => endpoints)));
  noteEndpointProblems(service, terminal, used.size > 0 ? used : undefined);
  await printReport(results, options, terminal, signal);
  return !signal.aborted && results.every(isFine) ? exitCodes.ok : exitCodes.failed;
}

async function wrongOptions(
  { endpoint, compare, variables }: RunOptions,
  files: readonly NotebookFile[],
  service: Service,
): Promise<readonly Explanation[]> {
  return [
    ...(await chooseEndpoint(endpoint, files, service)),
    ...(compare && "with" in compare ? await chooseEndpoint(compare.with, files, service) : []),
    ...wrongVariables(variables, files),
  ];
}

async function wrongSnapshots(
  { snapshot }: RunOptions,
  files: readonly NotebookFile[],
  host: Host,
): Promise<readonly Explanation[]> {
  if (snapshot === undefined) return [];
  const faults = await Promise.all(files.map(({ uri }) => snapshotFault(uri, snapshot, host.files)));
  return faults.filter((fault) => fault !== undefined);
}

async function printReport(
  results: readonly FileResult[],
  options: RunOptions,
  terminal: Terminal,
  { aborted }: AbortSignal,
): Promise<void> {
  for (const { snapshot } of results) if (snapshot?.fault !== undefined) terminal.complain(snapshot.fault);
  switch (options.report) {
    case "text":
      return terminal.print(summary(results, aborted, terminal.paint));
    case "json":
      return printLargeJson(results.map(fileJson), terminal);
    case "junit": {
      const { junit } = await import("./junit.ts");
      terminal.print(junit(results));
      for (const line of summary(results, aborted, plain).split("\n")) terminal.note(line);
      return;
    }
  }
}
