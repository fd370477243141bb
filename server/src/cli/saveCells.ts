import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { oneLine } from "../base/text.ts";
import { manifestSuffix } from "../save/logManifest.ts";
import type { Host } from "../workspace/host.ts";
import { type ChosenNotebook, valuesOf } from "./choose.ts";
import type { CommandLineHost } from "./commandLineHost.ts";
import { noteEndpointProblems, openService } from "./openService.ts";
import { canWrite } from "./outputFile.ts";
import { chooseNotebooks } from "./run.ts";
import type { RunContext } from "./runFile.ts";
import type { RunOptions, SaveTarget } from "./runOptions.ts";
import { exitCodes, UsageError } from "./terminal.ts";

/**
 * `rpc-notebook run --save`: writes the logs of cells to files, one cell after the other.
 *
 * @returns The exit code.
 */
export async function saveCells(options: RunOptions, given: Host, line: CommandLineHost): Promise<number> {
  if (options.files.length > 1)
    throw new UsageError("--save takes one notebook.", { hint: "Run the command once for each." });
  const host = { ...given, version: line.version };
  const { service, terminal } = openService(host, line.terminal);
  const keys = options.save.map(({ cell }) => cell);
  const context = { options: { ...options, cells: keys }, service, host, terminal, signal: line.signal };
  const [notebook] = (await chooseNotebooks(options.files, context)) ?? [];
  if (!notebook) return exitCodes.usage;
  const outputs = options.save.flatMap(({ path }) =>
    [path, `${path}${manifestSuffix}`].map((name) => ({ name, kind: "grows" }) as const),
  );
  if (!(await canWrite(outputs, [notebook.file.uri], context))) return exitCodes.usage;
  let code: number = exitCodes.ok;
  for (const [at, target] of options.save.entries()) {
    const index = notebook.indices?.[at];
    if (index === undefined || line.signal.aborted) return exitCodes.failed;
    code = Math.max(code, await saveCell(target, index, notebook, context));
  }
  noteEndpointProblems(service, terminal);
  return code;
}

async function saveCell(
  { path, form }: SaveTarget,
  index: number,
  { file: notebook }: ChosenNotebook,
  { options: { endpoint, variables, force, range }, service, terminal, signal }: RunContext,
): Promise<number> {
  const name = oneLine(path);
  const to = pathToFileURL(resolve(path)).href;
  const params = { uri: notebook.uri, index, to, name, form, force, range, endpoint };
  const progress = (text: string): void => terminal.progress(`… ${text}`);
  const saved = await service.saveLogs(params, signal, progress, valuesOf(variables));
  if (!saved) return exitCodes.usage;
  const { done, notes, fault } = saved;
  if (fault) terminal.complain(fault.what, fault.todo);
  for (const note of notes) terminal.note(note);
  if (done !== undefined) terminal.print(done);
  return done === undefined ? exitCodes.failed : exitCodes.ok;
}
