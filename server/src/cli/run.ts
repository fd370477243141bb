import { fileURLToPath } from "node:url";
import type { Explanation } from "../base/error.ts";
import { oneLine } from "../base/text.ts";
import { snapshotUri } from "../run/judge/snapshotFile.ts";
import { snapshotFault } from "../run/result/snapshots.ts";
import type { Host } from "../workspace/host.ts";
import { type ChosenNotebook, chooseCells, chooseEndpoint, wrongVariables } from "./choose.ts";
import type { CommandLineHost, RecordingFile } from "./commandLineHost.ts";
import { type NotebookFile, openNotebooks } from "./files.ts";
import { printLargeJson } from "./largeJson.ts";
import { noteEndpointProblems, openService } from "./openService.ts";
import { inOrder, type Screen } from "./orderedScreens.ts";
import { canWrite, runOutputs } from "./outputFile.ts";
import { type FileResult, fileJson, isFine, summary } from "./results.ts";
import { type RunContext, runFile } from "./runFile.ts";
import type { RunOptions } from "./runOptions.ts";
import { exitCodes, plain, type Terminal } from "./terminal.ts";
import { hasCalls } from "./untraced.ts";

/**
 * `rpc-notebook run`: runs notebooks, several at once, and prints each cell when it ends, in the order of the files.
 *
 * @returns The exit code.
 */
export async function run(
  options: RunOptions,
  given: Host,
  line: CommandLineHost,
  replayFile: Promise<RecordingFile> | undefined,
): Promise<number> {
  if (options.replay !== undefined && replayFile && options.comparedRecording !== undefined) {
    const { compareRecordingFiles } = await import("./replay.ts");
    return compareRecordingFiles([options.replay, await replayFile], options.comparedRecording, line);
  }
  const replayed = await withReplay(options, given, line.terminal, replayFile);
  return replayed ? runWith(replayed.options, replayed.host, line) : exitCodes.usage;
}

/**
 * Lets the recording of `--replay` answer, if that is given.
 *
 * @returns `undefined` if the recording cannot be read, which is reported.
 */
export async function withReplay<Options extends RunOptions>(
  options: Options,
  host: Host,
  terminal: Terminal,
  replayFile: Promise<RecordingFile> | undefined,
): Promise<{ readonly options: Options; readonly host: Host } | undefined> {
  if (options.replay === undefined || !replayFile) return { options, host };
  const { openReplay } = await import("./replay.ts");
  const replay = openReplay(options.replay, await replayFile, terminal);
  if (!replay) return undefined;
  const lengths = replay.streams.map(({ events }) => events.at(-1)?.at ?? 0);
  const stream = { forMs: Math.max(0, ...lengths) + afterMs, ...options.stream }; // a recorded stream has an end
  return { options: { ...options, stream }, host: { ...host, replay } };
}

/** Milliseconds after its last recorded event in which a subscription ends. */
const afterMs = 500;

async function runWith(options: RunOptions, given: Host, line: CommandLineHost): Promise<number> {
  const { signal } = line;
  const output = runOutputs(options).recording;
  const recording = output === undefined ? undefined : await import("./record.ts");
  const { host, recorder } = recording?.recordingHost(given) ?? { host: given };
  const { service, terminal } = openService(host, line.terminal);
  const context = { options, service, host, terminal, signal };
  const once = (names: readonly string[]): Promise<number> => runOnce(names, context);
  if (recorder && recording && output) {
    const code = await once(options.files);
    if (code === exitCodes.usage) return code;
    const written = await recording.writeRecording(output, recorder, { ...context, version: line.version });
    return Math.max(code, written);
  }
  if (!options.watch) return once(options.files);
  const { watch } = await import("./watch.ts");
  return watch(options.files, once, terminal, signal);
}

async function runOnce(names: readonly string[], context: RunContext): Promise<number> {
  const { options, service, terminal } = context;
  const notebooks = await chooseNotebooks(names, context);
  const outputs = runOutputs(options);
  const snapshots = options.snapshot === "update" ? (notebooks ?? []).map(({ file }) => snapshotUri(file.uri)) : [];
  const others = snapshots.map((uri) => fileURLToPath(uri));
  if (!notebooks) return exitCodes.usage;
  const uris = notebooks.map(({ file }) => file.uri);
  if (!(await canWrite(Object.values(outputs), uris, context, others))) return exitCodes.usage;
  if (!options.compare) return runAll(notebooks, context);
  const { compare } = await import("./compare.ts");
  const code = await compare(notebooks, options.compare, context);
  noteEndpointProblems(service, terminal);
  return code;
}

/** Opens notebooks, and reports options that do not fit them. @returns `undefined` if there are such. */
export async function chooseNotebooks(
  names: readonly string[],
  { options, service, host, terminal }: RunContext,
): Promise<readonly ChosenNotebook[] | undefined> {
  const files = await openNotebooks(names, host.files, terminal);
  if (!files) return undefined;
  for (const file of files) service.openText(file.uri, file.text);
  const notebooks = files.map((file) => chooseCells(service, file, options.cells));
  const otherEndpoint = options.compare && "with" in options.compare ? options.compare.with : undefined;
  const wrong = [
    ...(await chooseEndpoint(options.endpoint, files, service)),
    ...(await chooseEndpoint(otherEndpoint, files, service)),
    ...wrongVariables(options.variables, files),
    ...notebooks.flatMap(({ unknown }) => unknown),
    ...(await wrongSnapshots(options.snapshot, files, host)),
  ];
  for (const { what, todo } of wrong) terminal.complain(what, todo);
  if (wrong.length === 0) return notebooks;
  noteEndpointProblems(service, terminal);
  return undefined;
}

async function runAll(notebooks: readonly ChosenNotebook[], given: RunContext): Promise<number> {
  const { options, service, terminal, signal } = given;
  const snapshot = options.snapshot ?? (isInCi(given.host) ? "check" : undefined);
  const context = { ...given, options: { ...options, snapshot } };
  const tasks = notebooks.map((notebook) => (screen: Screen) => runFile(notebook, context, screen));
  const titles = notebooks.map(({ file }) => file.name);
  const jobs = options.allowWrites ? 1 : options.jobs; // writes can depend on the order of the files
  const results = await inOrder(tasks, titles, jobs, terminal, options.report === "text");
  const used = new Set(results.flatMap(({ cells }) => cells.flatMap(({ endpoints }) => endpoints)));
  noteEndpointProblems(service, terminal, used.size > 0 ? used : undefined);
  await printReport(results, context);
  for (const note of new Set(results.flatMap(({ lookupNotes }) => lookupNotes))) terminal.note(note);
  for (const { untraced } of results)
    for (const [cell, why] of untraced) terminal.complain(`${oneLine(cell.title, 200)}: ${why}`);
  const cells = results.flatMap((one) => one.cells);
  const isEmpty = options.needsCalls && results.every(isFine) && !cells.some(hasCalls);
  if (isEmpty) terminal.complain("No calls were traced. No cell has a call or a mined transaction.");
  const isGood = !signal.aborted && !isEmpty && results.every(isFine);
  const code = isGood ? exitCodes.ok : exitCodes.failed;
  const { profile } = runOutputs(options);
  if (!profile) return code;
  const { writeProfiles } = await import("./outputFile.ts");
  return Math.max(code, await writeProfiles(profile, results, context));
}

/** Whether the environment is that of CI, by the variable that GitHub Actions, GitLab and others set. */
function isInCi({ environment }: Host): boolean {
  return !["", "0", "false"].includes((environment?.variable("CI") ?? "").toLowerCase());
}

async function wrongSnapshots(
  mode: RunOptions["snapshot"],
  files: readonly NotebookFile[],
  host: Host,
): Promise<readonly Explanation[]> {
  if (mode === undefined) return [];
  const faults = await Promise.all(files.map(({ uri }) => snapshotFault(uri, mode, host)));
  return faults.filter((fault) => fault !== undefined);
}

async function printReport(results: readonly FileResult[], { options, terminal, signal }: RunContext): Promise<void> {
  for (const { snapshot } of results) if (snapshot?.fault !== undefined) terminal.complain(snapshot.fault);
  switch (options.report) {
    case "text":
      return terminal.print(summary(results, signal.aborted, terminal.paint));
    case "json":
      return printLargeJson(results.map(fileJson), terminal);
    case "junit": {
      const { junit } = await import("./junit.ts");
      terminal.print(junit(results));
      for (const line of summary(results, signal.aborted, plain).split("\n")) terminal.note(line);
      return;
    }
  }
}
