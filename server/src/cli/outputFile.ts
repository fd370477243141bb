import { access, readlink, realpath, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Explanation } from "../base/error.ts";
import { isUnchanged, type SealedKind, sealed } from "../base/hash.ts";
import { oneLine, plural, visible } from "../base/text.ts";
import { foldedName, homeFolder, parentFolder } from "../base/uri.ts";
import { pageKind } from "../convert/htmlPage.ts";
import { notRead, notText, type Update, type UpdatedFile, updateFile } from "../files/updateFile.ts";
import { explainWriteFault } from "../files/writeFaults.ts";
import { decodeFile } from "../notebook/bytes.ts";
import { recordingKind } from "../recording/recording.ts";
import { profileOf } from "../report/flame.ts";
import type { Report } from "../report/report.ts";
import { type NamedProfile, profileKind, speedscopeFile } from "../report/speedscope.ts";
import type { Host } from "../workspace/host.ts";
import type { HtmlOptions } from "./command.ts";
import type { CommandLineHost } from "./commandLineHost.ts";
import { fileId, reservedName } from "./files.ts";
import { junitKind } from "./junit.ts";
import type { OpenCommand } from "./openService.ts";
import type { ReportOptions } from "./optionValues.ts";
import type { FileResult } from "./results.ts";
import type { RunOptions } from "./runOptions.ts";
import { exitCodes, plain, type Terminal } from "./terminal.ts";

export interface Output {
  /** The path as typed. */
  readonly name: string;
  readonly kind: SealedKind;
  /** Whether it may replace what another program or a person has written. */
  readonly force: boolean;
}

/** A file that is written piece by piece. What writes it decides what it may replace. */
interface GrowingOutput {
  readonly name: string;
  readonly kind: "grows";
}

export function runOutputs(options: RunOptions) {
  const { record, speedscope, force } = options;
  return {
    report: reportOutput(options),
    recording: outputOf(record, recordingKind, force),
    profile: outputOf(speedscope, profileKind, force),
  };
}

/** Returns the file for what a command would print. Only JUnit reports show that this program wrote them. */
export function reportOutput({ reportFile, force }: ReportOptions): Output | undefined {
  return outputOf(reportFile, junitKind, force);
}

export function pageOutput({ out, force }: HtmlOptions): Output | undefined {
  return outputOf(out, pageKind, force);
}

function outputOf(name: string | undefined, kind: SealedKind, force: boolean): Output | undefined {
  return name === undefined ? undefined : { name, kind, force };
}

/**
 * Complains before anything is sent about files that cannot be written. Reads first what the notebooks need if a file exists,
 * since it may be among that.
 *
 * @param notebooks - URIs of the open notebooks.
 * @param others - Paths that the command writes as well.
 */
export async function canWrite(
  asked: readonly (Output | GrowingOutput | undefined)[],
  notebooks: readonly string[],
  { service, host, terminal }: OpenCommand,
  others: readonly string[] = [],
): Promise<boolean> {
  const outputs = asked.filter((output) => output !== undefined);
  const existing = await Promise.all(outputs.map(({ name }) => fileId(resolve(name))));
  if (existing.some((id) => id !== undefined)) await Promise.all(notebooks.map((uri) => service.readInputs(uri)));
  const taken = new Set(await Promise.all(others.map((path) => fileAt(path))));
  for (const { name } of outputs) {
    const file = await fileAt(name);
    if (taken.has(file)) {
      terminal.complain(`Two results would be written to ${oneLine(name)}.`, "Give each a file of its own.");
      return false;
    }
    taken.add(file);
  }
  for (const output of outputs) {
    const fault = await obstacle(output, host);
    if (fault) terminal.complain(fault.what, fault.todo);
    if (fault) return false;
  }
  return true;
}

/**
 * Writes a file, or complains.
 *
 * @param isAnswered - `false` if nothing was answered, or the run was stopped before: an earlier result is worth more.
 * @returns Whether it was written.
 */
export async function writeOutput(
  output: Output,
  text: string,
  host: Host,
  terminal: Terminal,
  isAnswered = true,
): Promise<boolean> {
  const file = fileOf(output.name, host);
  const change = (before: string | undefined): Update =>
    taken(output, before) ?? (isAnswered ? undefined : worthless(output, before)) ?? { text };
  const written = nameFault(output.name, host) ?? (await updateFile(host.files, file, change));
  if (typeof written === "object") terminal.complain(written.what, written.todo);
  return typeof written !== "object";
}

function fileOf(name: string, { roots, files }: Host): UpdatedFile {
  const uri = uriOf(name);
  return { uri, name: oneLine(name), within: homeFolder(uri, roots, files) ?? parentFolder(uri) };
}

async function obstacle(output: Output | GrowingOutput, host: Host): Promise<Explanation | undefined> {
  const { uri, name, within } = fileOf(output.name, host);
  const wrong = nameFault(output.name, host);
  if (wrong) return wrong;
  const folder = dirname(resolve(output.name));
  const isThere = await access(folder).then(
    () => true,
    () => false,
  );
  if (!isThere)
    return {
      what: `The folder of ${name} does not exist.`,
      todo: "Create it, or write the file elsewhere.",
    };
  const old = await stat(resolve(output.name)).catch(() => undefined);
  if (old?.isDirectory()) return { what: `${name} is a folder.`, todo: "Name a new file in it." };
  const fault = await host.files.writeFault?.(uri, within);
  if (fault) return explainWriteFault(fault, name, old === undefined);
  if (output.kind === "grows") return undefined;
  const bytes = await host.files.read(uri, "replace");
  if (!bytes) return old && notRead(name);
  const decoded = decodeFile(bytes);
  return "fault" in decoded ? notText(name, decoded.fault.what) : taken(output, decoded.text);
}

/** The limit of Linux. */
const maxLinks = 40;

/** Returns the same text for all paths of a file, also of one that does not exist yet. */
async function fileAt(name: string, links = 0): Promise<string> {
  const path = resolve(name);
  const id = await fileId(path);
  if (id !== undefined) return id;
  const link = links < maxLinks ? await readlink(path).catch(() => undefined) : undefined; // of a file that does not exist
  if (link !== undefined) return fileAt(resolve(dirname(path), link), links + 1);
  const folder = await realpath(dirname(path)).catch(() => dirname(path));
  const folderId = await fileId(folder);
  const isSameInAnyCase = folderId !== undefined && folderId === (await fileId(folder.toUpperCase()));
  return join(folder, isSameInAnyCase ? foldedName(basename(path)) : basename(path));
}

/** Says why a file with this name is not written, whatever is in it. */
function nameFault(name: string, { files }: Host): Explanation | undefined {
  if (/[\\/]$/.test(name)) return { what: `${oneLine(name)} is the name of a folder.`, todo: "Name a new file in it." };
  const wrong = reservedName(name);
  if (wrong) return wrong;
  if (!files.wasRead?.(uriOf(name))) return undefined;
  return {
    what: `${oneLine(name)} was not written: this command reads that file.`,
    todo: "Give the new file another name.",
  };
}

/** Says why a file with this text is not replaced. */
function taken({ name, kind, force }: Output, before: string | undefined): Explanation | undefined {
  if (before === undefined || before === "" || force || isUnchanged(before, kind)) return undefined;
  return {
    what: `${oneLine(name)} was not written: it exists, and is not recognized as an unchanged result of this command.`,
    todo: "Give the new file another name, or add --force to replace it.",
  };
}

/** Says why a result without any answer does not replace an earlier one. */
function worthless({ name, force }: Output, before: string | undefined): Explanation | undefined {
  if (before === undefined || before === "" || force) return undefined;
  return {
    what: `${oneLine(name)} was not written: no cell has an answer, and the earlier result would be lost.`,
    todo: "Check the endpoint, or add --force to replace it.",
  };
}

function uriOf(name: string): string {
  return pathToFileURL(resolve(name)).href;
}

/** Writes the traces of a run to a file. @returns The exit code. */
export async function writeProfiles(
  output: Output,
  results: readonly FileResult[],
  { service, host, terminal }: OpenCommand,
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

/** UTF-16 code units that are kept. The writer refuses files of fewer bytes, so a longer report is refused as well. */
const maxLength = 70_000_000;

/**
 * Lets a command write its report to a file instead of standard output, always in UTF-8: Windows PowerShell writes
 * other bytes behind `>`. Nothing is written if the command is wrong usage or has nothing to report.
 *
 * @returns The exit code of the command, or that of a failure if the file was not written.
 */
export async function intoFile(
  output: Output,
  line: CommandLineHost,
  command: (line: CommandLineHost) => Promise<number>,
): Promise<number> {
  const texts: string[] = [];
  let length = 0;
  let host: Host | undefined;
  const terminal: Terminal = {
    ...line.terminal,
    width: undefined,
    paint: plain,
    clear() {},
    async drained() {},
    print(text) {
      if (length < maxLength) texts.push(visible(text));
      length += text.length;
    },
  };
  const lent: Partial<CommandLineHost> = {
    terminal,
    async host(options) {
      host = await line.host(options);
      return host;
    },
  };
  const code = await command(Object.assign(Object.create(line), lent)); // a copy would read the signal
  if (code === exitCodes.usage || texts.length === 0 || !host) return code;
  if (!(await writeOutput(output, sealed(`${texts.join("\n")}\n`, output.kind), host, line.terminal)))
    return Math.max(code, exitCodes.failed);
  line.terminal.note(`Wrote ${oneLine(output.name)}.`);
  return code;
}
