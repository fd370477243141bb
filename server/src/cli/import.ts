import { lstat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { type JsonObject, type JsonValue, printJson } from "../base/json.ts";
import { lineColumns, listed, plural, replaced, visible } from "../base/text.ts";
import { homeFolder } from "../base/uri.ts";
import { type ImportedNotebook, importText } from "../convert/importText.ts";
import { postmanEnvironment, type Variables } from "../convert/postman.ts";
import { addEndpoints, objectIn } from "../endpoints/addEndpoint.ts";
import { formatFile } from "../features/formatting.ts";
import { replaceFile, type Update, updateFile } from "../files/updateFile.ts";
import { explainWriteFault } from "../files/writeFaults.ts";
import { readFile } from "../notebook/readFile.ts";
import type { Host } from "../workspace/host.ts";
import { UsageError } from "./arguments.ts";
import type { ImportOptions } from "./command.ts";
import { isEndpointsFile, openFiles } from "./files.ts";
import type { CommandLineHost } from "./main.ts";
import { exitCodes, type Terminal } from "./terminal.ts";

/** `rpc-notebook import`: makes a notebook of each text. Existing files are not replaced; endpoints are added to their file. */
export async function importFiles(
  { files: names, from, out }: ImportOptions,
  host: Host,
  { terminal, input }: Pick<CommandLineHost, "terminal" | "input">,
): Promise<number> {
  const opened = names.length === 0 ? await fromInput(input) : await openFiles(names, host.files, terminal);
  if (!opened) return exitCodes.usage;
  const { texts, environment } = withoutEnvironments(opened);
  const several = texts.length > 1;
  if (several && out === undefined)
    throw new UsageError("Several files need a folder.", { hint: "Name it: -o FOLDER." });
  if (!several && out !== undefined && (/(?:^|[\\/])$/.test(out) || isEndpointsFile(out)))
    throw new UsageError(`A notebook cannot be named \`${visible(out)}\`.`, {
      hint: "Name a file, such as a.rpc.json.",
    });
  const beside = out === undefined ? undefined : join(several ? out : dirname(out), "rpc-endpoints.json");
  const session: Session = { from, host, terminal, beside, environment, added: {}, unwritten: {}, secrets: new Map() };
  let isFine = true;
  try {
    for (const text of texts) {
      const path = several && out !== undefined ? join(out, notebookName(text.name)) : out;
      if (!(await importOne(text, path, session))) isFine = false;
    }
  } finally {
    tellEndpoints(session);
    if (session.secrets.size > 0) terminal.note(whereSecretsGo([...session.secrets.values()]));
  }
  return isFine ? exitCodes.ok : exitCodes.failed;
}

/** One call of the command, over all its texts. */
interface Session extends Pick<ImportOptions, "from"> {
  readonly host: Host;
  readonly terminal: Terminal;
  /** The file of endpoints; `undefined` if notebooks go to standard output. */
  readonly beside: string | undefined;
  readonly environment: Variables;
  /** Endpoints that were written to it. */
  readonly added: Record<string, JsonValue>;
  /** Endpoints that a person has to add. */
  readonly unwritten: Record<string, JsonValue>;
  readonly secrets: Map<string, string>;
}

/** @returns Whether all of it was read and written. */
async function importOne(
  { name, text }: { readonly name: string; readonly text: string },
  path: string | undefined,
  session: Session,
): Promise<boolean> {
  const { terminal, host } = session;
  if (path !== undefined && (await exists(path))) throw existsAlready(path);
  const { imported, isWritten } = await withEndpoints({ name, text }, session);
  const errors = tellNotes(name, text, imported, terminal);
  const requests = requestsIn(imported);
  if (requests === 0) {
    terminal.complain(`${name} holds no request that could be read.`, whatIsRead);
    return false;
  }
  const notebook = replaced(imported.notebook, formatFile(readFile(imported.notebook), { indent: "  " }));
  if (path === undefined) terminal.print(notebook.trimEnd());
  else if (!(await create(path, notebook, host, terminal))) return false;
  else terminal.note(`${path}: ${plural(requests, "request")} of ${name}`);
  return errors === 0 && isWritten;
}

/** Imports a text. Writes its endpoints into their file, if there is one, before a notebook refers to them. */
async function withEndpoints(
  { name, text }: { readonly name: string; readonly text: string },
  session: Session,
): Promise<{ readonly imported: ImportedNotebook; readonly isWritten: boolean }> {
  const { from, beside, environment, host, terminal, added, unwritten } = session;
  let secrets = session.secrets;
  const read = (there: JsonObject): ImportedNotebook => {
    secrets = new Map(session.secrets); // a failed attempt must not add names
    return importText(text, from, { endpoints: { ...there, ...unwritten }, secrets, file: name, environment });
  };
  let imported = read({});
  let isWritten = true;
  if (beside !== undefined && requestsIn(imported) > 0) {
    const uri = pathToFileURL(beside).href;
    const file = { uri, name: visible(beside), within: homeFolder(uri, host.roots) ?? "", createsFolders: true };
    const updated = await updateFile(host.files, file, (before): Update => {
      imported = read(objectIn(before ?? "") ?? {});
      if (Object.keys(imported.endpoints).length === 0) return "unchanged";
      const extended = addEndpoints(before, imported.endpoints);
      return extended === undefined
        ? {
            what: `${file.name} could not be extended: it is not a JSON object.`,
            todo: "Fix it, then add the endpoints.",
          }
        : { text: extended };
    });
    isWritten = typeof updated === "string";
    if (typeof updated !== "string") terminal.complain(updated.what, updated.todo);
  }
  Object.assign(beside !== undefined && isWritten ? added : unwritten, imported.endpoints);
  for (const [value, name] of secrets) session.secrets.set(value, name);
  return { imported, isWritten };
}

/** Postman environments that come with collections hold their variables, and make no notebook. */
function withoutEnvironments<T extends { readonly text: string }>(
  opened: readonly T[],
): { readonly texts: readonly T[]; readonly environment: Variables } {
  const read = opened.map((file) => ({ file, variables: postmanEnvironment(file.text) }));
  const texts = read.flatMap(({ file, variables }) => (variables ? [] : [file]));
  if (texts.length === 0) return { texts: opened, environment: new Map() };
  return { texts, environment: new Map(read.flatMap(({ variables }) => [...(variables ?? [])])) };
}

function requestsIn({ cells }: ImportedNotebook): number {
  return cells.filter(({ kind }) => kind === "request").length;
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

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

function existsAlready(path: string): UsageError {
  return new UsageError(`${path} is there already.`, { hint: "Choose another name, or delete it first." });
}

/** @returns Whether the file was created. */
async function create(path: string, text: string, { files, roots }: Host, terminal: Terminal): Promise<boolean> {
  const uri = pathToFileURL(path).href;
  const within = homeFolder(uri, roots) ?? "";
  const written = await replaceFile(files, uri, { before: undefined, text, within, createsFolders: true });
  if (written.kind === "written") return true;
  if (written.kind === "changed") throw existsAlready(path);
  const { what, todo } = explainWriteFault(written, visible(path), true);
  terminal.complain(what, todo);
  return false;
}

function tellEndpoints({ added, unwritten, beside, terminal }: Session): void {
  const names = Object.keys(added).map((name) => `\`${name}\``);
  if (names.length > 0) terminal.note(`${beside}: ${listed(names)}`);
  if (Object.keys(unwritten).length === 0) return;
  terminal.note(
    beside === undefined ? "Add this to rpc-endpoints.json beside the notebook:" : `Add this to ${beside}:`,
  );
  for (const line of printJson(unwritten, 2).split("\n")) terminal.note(line);
}
