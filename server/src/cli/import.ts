import { lstat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { loadKeysOfAddresses } from "../abi/address.ts";
import type { Explanation } from "../base/error.ts";
import { type JsonObject, type JsonValue, printJson } from "../base/json.ts";
import { lineColumns, listed, plural, replaced, visible } from "../base/text.ts";
import { homeFolder } from "../base/uri.ts";
import { type ImportedNotebook, importText } from "../convert/importText.ts";
import { postmanEnvironment, type Variables } from "../convert/postman.ts";
import { addEndpoints, objectIn } from "../endpoints/addEndpoint.ts";
import { formatFile } from "../features/formatting.ts";
import { type Update, updateFile } from "../files/updateFile.ts";
import { readCell } from "../notebook/readCell.ts";
import { readFile } from "../notebook/readFile.ts";
import type { Host } from "../workspace/host.ts";
import type { ImportOptions } from "./command.ts";
import type { CommandLineHost } from "./commandLineHost.ts";
import { openFiles, writeText } from "./files.ts";
import { exitCodes, type Terminal, UsageError } from "./terminal.ts";

/** `rpc-notebook import`: makes a notebook from each text. Replaces no file, and adds endpoints to the endpoint file. */
export async function importFiles(
  { files: names, from, out }: ImportOptions,
  host: Host,
  { terminal, input }: CommandLineHost,
): Promise<number> {
  const opened = names.length === 0 ? await fromInput(input) : await openFiles(names, host.files, terminal);
  if (!opened) return exitCodes.usage;
  const { texts, environment } = withoutEnvironments(opened);
  const several = texts.length > 1;
  if (several && out === undefined)
    throw new UsageError("Several files need a folder for their notebooks.", { hint: "Name one: -o FOLDER." });
  if (!several && out !== undefined && !/\.rpc\.json$/i.test(out))
    throw new UsageError(`\`${visible(out)}\` is not a name for a notebook.`, {
      hint: "Write a file name that ends in .rpc.json.",
    });
  const endpointsPath = out === undefined ? undefined : join(several ? out : dirname(out), "rpc-endpoints.json");
  const session: Session = {
    from,
    host,
    terminal,
    endpointsPath,
    environment,
    added: {},
    unwritten: {},
    secrets: new Map(),
  };
  let isFine = true;
  try {
    for (const text of texts) {
      const path = several && out !== undefined ? join(out, notebookName(text.name)) : out;
      if (!(await importOne(text, path, session))) isFine = false;
    }
  } finally {
    noteEndpoints(session);
    if (session.secrets.size > 0) terminal.note(adviceOnSecrets([...session.secrets.values()]));
  }
  return isFine ? exitCodes.ok : exitCodes.failed;
}

/** The state of one call of the command, for all its texts. */
interface Session {
  readonly from: ImportOptions["from"];
  readonly host: Host;
  readonly terminal: Terminal;
  /** The path of the endpoint file; `undefined` if notebooks go to standard output. */
  readonly endpointsPath: string | undefined;
  readonly environment: Variables;
  /** Endpoints that were written to that file. */
  readonly added: Record<string, JsonValue>;
  /** Endpoints that the user has to add. */
  readonly unwritten: Record<string, JsonValue>;
  /** Secrets that were left out, by value, with the names that replace them. */
  readonly secrets: Map<string, string>;
}

/** @returns Whether everything was read and written. */
async function importOne(
  { name, text }: { readonly name: string; readonly text: string },
  path: string | undefined,
  session: Session,
): Promise<boolean> {
  const { terminal, host } = session;
  const taken = path === undefined ? undefined : await existing(path);
  if (taken) throw taken;
  const { imported, isWritten } = await importWithEndpoints({ name, text }, session);
  const errors = printNotes(name, text, imported, terminal);
  const requests = requestsIn(imported);
  if (requests === 0) {
    terminal.complain(`${name} contains no request that could be read.`, readableForms);
    return false;
  }
  const notebook = replaced(imported.notebook, formatFile(readFile(imported.notebook), { indent: "  " }));
  if (path === undefined) terminal.print(notebook.trimEnd());
  else {
    const file = { uri: pathToFileURL(path).href, name: visible(path) };
    const written = await writeText(file, undefined, notebook, host, terminal);
    if (written === "changed") throw existsAlready(path);
    if (written === "failed") return false;
    terminal.note(`${path}: ${plural(requests, "request")} from ${name}`);
  }
  return errors === 0 && isWritten;
}

/** Imports a text. Writes its endpoints into their file, if there is one, before a notebook refers to them. */
async function importWithEndpoints(
  { name, text }: { readonly name: string; readonly text: string },
  session: Session,
): Promise<{ readonly imported: ImportedNotebook; readonly isWritten: boolean }> {
  const { from, endpointsPath, environment, terminal, added, unwritten } = session;
  let secrets = session.secrets;
  await loadKeysOfAddresses(text);
  const read = (existing: JsonObject): ImportedNotebook => {
    secrets = new Map(session.secrets); // a failed attempt must not add names
    return importText(text, from, { endpoints: { ...existing, ...unwritten }, secrets, file: name, environment });
  };
  let imported = read({});
  let isWritten = true;
  if (endpointsPath !== undefined && requestsIn(imported) > 0) {
    const fault = await addToFile(endpointsPath, session.host, (existing) => {
      imported = read(existing);
      return imported.endpoints;
    });
    isWritten = fault === undefined;
    if (fault) terminal.complain(fault.what, fault.todo);
  }
  Object.assign(endpointsPath !== undefined && isWritten ? added : unwritten, imported.endpoints);
  for (const [value, name] of secrets) session.secrets.set(value, name);
  return { imported, isWritten };
}

/**
 * Adds endpoints to an endpoint file, or creates it.
 *
 * @param endpoints - The endpoints to add, by those that the file has. Called again if the file changes meanwhile.
 * @returns Why the file was not written.
 */
async function addToFile(
  path: string,
  { files, roots }: Host,
  endpoints: (existing: JsonObject) => JsonObject,
): Promise<Explanation | undefined> {
  const uri = pathToFileURL(path).href;
  const file = { uri, name: visible(path), within: homeFolder(uri, roots, files) ?? "", createsFolders: true };
  const updated = await updateFile(files, file, (before): Update => {
    const more = endpoints(objectIn(before ?? "") ?? {});
    if (Object.keys(more).length === 0) return "unchanged";
    const text = addEndpoints(before, more);
    const what = `Cannot add endpoints to ${file.name}: it is not a JSON object.`;
    return text === undefined ? { what, todo: "Fix it, then add the endpoints." } : { text };
  });
  return typeof updated === "string" ? undefined : updated;
}

/** Separates Postman environments, which contain the variables of collections, from texts that become notebooks. */
function withoutEnvironments<T extends { readonly text: string }>(
  opened: readonly T[],
): { readonly texts: readonly T[]; readonly environment: Variables } {
  const read = opened.map((file) => ({ file, variables: postmanEnvironment(file.text) }));
  const texts = read.flatMap(({ file, variables }) => (variables ? [] : [file]));
  if (texts.length === 0) return { texts: opened, environment: new Map() };
  return { texts, environment: new Map(read.flatMap(({ variables }) => [...(variables ?? [])])) };
}

/** Counts the requests that can be sent. */
function requestsIn({ cells }: ImportedNotebook): number {
  const requests = cells.filter(({ kind }) => kind === "request").map(({ text }) => readCell(text));
  return requests.filter(({ faults, requests: own }) => faults.length === 0 && own.some(({ method }) => method)).length;
}

function notebookName(file: string): string {
  return `${basename(file).replace(/(?:\.postman_collection)?\.\w+$/, "")}.rpc.json`;
}

const readableForms =
  "Use curl or cast commands, JavaScript, Python, Postman or Insomnia collections, HAR, .http files or JSON. Browsers have “Copy as cURL”.";

function adviceOnSecrets(names: readonly string[]): string {
  return `Before a run, set ${listed(names)} in the environment or in a .env beside the notebook. In the editor, use “Set Secret…”.`;
}

async function fromInput(
  input: CommandLineHost["input"],
): Promise<readonly { readonly name: string; readonly text: string }[]> {
  const text = await input();
  if (text === undefined) throw new UsageError("No file.", { hint: "Name one, or pipe the text in." });
  return [{ name: "standard input", text }];
}

/** @returns The number of errors. */
function printNotes(name: string, text: string, { notes }: ImportedNotebook, terminal: Terminal): number {
  const placeOf = lineColumns(text);
  for (const { at, severity, what } of notes) {
    const { line, column } = placeOf(at);
    if (severity === "error") terminal.complain(`${name}:${line}:${column}: ${what}`);
    else terminal.note(`${name}:${line}:${column}: ${what}`);
  }
  return notes.filter(({ severity }) => severity === "error").length;
}

/** @returns `undefined` if there is nothing at the path. */
async function existing(path: string): Promise<UsageError | undefined> {
  const found = await lstat(path).catch(() => undefined);
  if (found?.isDirectory()) return new UsageError(`${path} is a folder.`, { hint: "Name a new file in it." });
  return found && existsAlready(path);
}

function existsAlready(path: string): UsageError {
  return new UsageError(`${path} already exists.`, { hint: "Choose another name, or delete the file first." });
}

function noteEndpoints({ added, unwritten, endpointsPath, terminal }: Session): void {
  const names = Object.keys(added).map((name) => `\`${name}\``);
  if (names.length > 0) terminal.note(`${endpointsPath}: ${listed(names)}`);
  if (Object.keys(unwritten).length === 0) return;
  terminal.note(`Add this to ${endpointsPath ?? "rpc-endpoints.json beside the notebook"}:`);
  for (const line of printJson(unwritten, 2).split("\n")) terminal.note(line);
}
