import { writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { printJson } from "../base/json.ts";
import { lineColumns, plural, replaced } from "../base/text.ts";
import { type ImportedNotebook, importText } from "../convert/importText.ts";
import { formatFile } from "../features/formatting.ts";
import type { Host } from "../host.ts";
import { readFile } from "../notebook/readFile.ts";
import { UsageError } from "./arguments.ts";
import type { ImportOptions } from "./command.ts";
import { openFiles } from "./files.ts";
import type { CommandLineHost } from "./main.ts";
import { exitCodes, type Terminal } from "./terminal.ts";

/** `rpc-notebook import`: makes a notebook of each text. Nothing that is there already is written over. */
export async function importFiles(
  { files: names, from, out }: ImportOptions,
  host: Host,
  { terminal, input }: Pick<CommandLineHost, "terminal" | "input">,
): Promise<number> {
  const several = names.length > 1;
  if (several && out === undefined)
    throw new UsageError("Several files need a folder.", { hint: "Name it: -o FOLDER." });
  const texts = names.length === 0 ? await fromInput(input) : await openFiles(names, host.files, terminal);
  if (!texts) return exitCodes.usage;
  let errors = 0;
  for (const { name, text } of texts) {
    const imported = importText(text, from);
    errors += tellNotes(name, text, imported, terminal);
    const notebook = replaced(imported.notebook, formatFile(readFile(imported.notebook), { indent: "  " }));
    if (out === undefined) {
      terminal.print(notebook.trimEnd());
      tellEndpoints(imported, terminal);
      continue;
    }
    const path = several ? join(out, `${basename(name).replace(/(?:\.postman_collection)?\.\w+$/, "")}.rpc.json`) : out;
    await write(path, notebook);
    if (!(await writeEndpoints(join(dirname(path), "rpc-endpoints.json"), imported))) tellEndpoints(imported, terminal);
    const requests = imported.cells.filter(({ kind }) => kind === "request").length;
    terminal.note(`${path}: ${plural(requests, "request")} of ${name}`);
  }
  return errors > 0 ? exitCodes.failed : exitCodes.ok;
}

async function fromInput(
  input: CommandLineHost["input"],
): Promise<readonly { readonly name: string; readonly text: string }[]> {
  const text = await input();
  if (text === undefined) throw new UsageError("No file.", { hint: "Name one, or pipe the text in." });
  return [{ name: "standard input", text }];
}

/** @returns How many of them are errors. */
function tellNotes(name: string, text: string, { notes }: ImportedNotebook, terminal: Terminal): number {
  const placeOf = lineColumns(text);
  for (const { at, severity, what } of notes) {
    const { line, column } = placeOf(at);
    if (severity === "error") terminal.complain(`${name}:${line}:${column}: ${what}`);
    else terminal.note(`${name}:${line}:${column}: ${what}`);
  }
  return notes.filter(({ severity }) => severity === "error").length;
}

async function write(path: string, text: string): Promise<void> {
  try {
    await writeFile(path, text, { flag: "wx" });
  } catch (error) {
    const exists = error instanceof Error && "code" in error && error.code === "EEXIST";
    if (exists) throw new UsageError(`${path} is there already.`, { hint: "Choose another name, or delete it first." });
    throw new UsageError(`${path} cannot be written.`, { hint: "Check the folder and its permissions.", cause: error });
  }
}

/** @returns Whether the endpoints stand in a file now, or there are none. */
async function writeEndpoints(path: string, { endpoints }: ImportedNotebook): Promise<boolean> {
  if (Object.keys(endpoints).length === 0) return true;
  return writeFile(path, `${printJson(endpoints, 2)}\n`, { flag: "wx" }).then(
    () => true,
    () => false,
  );
}

function tellEndpoints({ endpoints }: ImportedNotebook, terminal: Terminal): void {
  if (Object.keys(endpoints).length === 0) return;
  terminal.note(`This belongs into rpc-endpoints.json beside the notebook:\n${printJson(endpoints, 2)}`);
}
