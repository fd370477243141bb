import { mkdir, readFile as readText, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { isObject, type JsonObject, type JsonValue, parseJson, printJson } from "../base/json.ts";
import { lineColumns, listed, plural, replaced } from "../base/text.ts";
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
  const beside = out === undefined ? undefined : join(several ? out : dirname(out), "rpc-endpoints.json");
  const before = {
    endpoints: beside === undefined ? {} : await endpointsIn(beside),
    secrets: new Map<string, string>(),
  };
  const added: Record<string, JsonValue> = {};
  let errors = 0;
  try {
    for (const { name, text } of texts) {
      const imported = importText(text, from, { ...before, endpoints: { ...before.endpoints, ...added } });
      Object.assign(added, imported.endpoints);
      errors += tellNotes(name, text, imported, terminal);
      const requests = imported.cells.filter(({ kind }) => kind === "request").length;
      if (requests === 0) {
        terminal.complain(`${name} holds no request that could be read.`, whatIsRead);
        errors++;
        continue;
      }
      const notebook = replaced(imported.notebook, formatFile(readFile(imported.notebook), { indent: "  " }));
      if (out === undefined) {
        terminal.print(notebook.trimEnd());
        continue;
      }
      const path = several ? join(out, notebookName(name)) : out;
      await write(path, notebook);
      terminal.note(`${path}: ${plural(requests, "request")} of ${name}`);
    }
  } finally {
    if (Object.keys(added).length > 0) await tellEndpoints(added, beside, terminal);
    if (before.secrets.size > 0) terminal.note(whereSecretsGo([...before.secrets.values()]));
  }
  return errors > 0 ? exitCodes.failed : exitCodes.ok;
}

function notebookName(file: string): string {
  return `${basename(file).replace(/(?:\.postman_collection)?\.\w+$/, "")}.rpc.json`;
}

const whatIsRead =
  "curl and cast commands are read, Postman collections, .http files, and requests as JSON. Browsers have “Copy as cURL”.";

function whereSecretsGo(names: readonly string[]): string {
  return `For a run, set ${listed(names)} in the environment or in a .env beside the notebook; in the editor, “Set Secret…”.`;
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
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text, { flag: "wx" });
  } catch (error) {
    const exists = error instanceof Error && "code" in error && error.code === "EEXIST";
    if (exists) throw new UsageError(`${path} is there already.`, { hint: "Choose another name, or delete it first." });
    throw new UsageError(`${path} cannot be written.`, { hint: "Check the folder and its permissions.", cause: error });
  }
}

/** The entries that stand in a file; none where it is not there or cannot be read. */
async function endpointsIn(path: string): Promise<JsonObject> {
  const text = await readText(path, "utf8").catch(() => "");
  const value = parseJson(text);
  return isObject(value) ? value : {};
}

/** Writes them into a file of their own, or says that it is for others to do. */
async function tellEndpoints(added: JsonObject, path: string | undefined, terminal: Terminal): Promise<void> {
  const text = printJson(added, 2);
  const written =
    path !== undefined &&
    (await writeFile(path, `${text}\n`, { flag: "wx" }).then(
      () => true,
      () => false,
    ));
  const names = listed(Object.keys(added).map((name) => `\`${name}\``));
  if (written) terminal.note(`${path}: ${names}`);
  else if (path === undefined) terminal.note(`This belongs into rpc-endpoints.json beside the notebook:\n${text}`);
  else terminal.note(`${path} is there already and stays as it is. Add to it:\n${text}`);
}
