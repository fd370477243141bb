import { type JsonObject, type JsonValue, printJson } from "../base/json.ts";
import { looksLikeKey } from "../base/keyLike.ts";
import { visible } from "../base/text.ts";
import { isJson } from "../notebook/json.ts";
import { readCell } from "../notebook/readCell.ts";
import { type ImportForm, readText } from "./forms.ts";
import { type Entry, freeName, type Imported, type Note, type RequestEntry, type Target } from "./importModel.ts";
import { filled, variableName } from "./placeholders.ts";
import type { Variables } from "./postman.ts";
import { type CleanTarget, hostOf, type SecretNames, SecretRemover } from "./secretRemover.ts";

export interface ImportedNotebook {
  readonly form: ImportForm;
  /** The programs whose commands were read, each once. */
  readonly commands: readonly string[];
  /** The text of the file, not laid out. */
  readonly notebook: string;
  /** The cells by themselves, to be put into another notebook: they go to its endpoint. */
  readonly cells: readonly ImportedCell[];
  /** The entries that `rpc-endpoints.json` needs in addition: addresses with headers or secrets. */
  readonly endpoints: JsonObject;
  /** In the order of the text. */
  readonly notes: readonly Note[];
}

/** Names of other imports, so that no name gets a second meaning, and facts about the file. */
export interface ImportContext {
  /** The entries of the `rpc-endpoints.json` beside the notebook. */
  readonly endpoints: JsonObject;
  /** The secrets of this import are added. */
  readonly secrets: SecretNames;
  /** The name of the file, whose ending says what is in it. */
  readonly file?: string;
  /** Variables of a Postman environment. */
  readonly environment?: Variables;
}

export interface ImportedCell {
  readonly kind: "request" | "markdown";
  readonly text: string;
  /** The endpoint that the text sends it to. */
  readonly target?: CleanTarget;
}

/**
 * Reads the requests of a text of another tool. Never throws. What cannot be read is a note with its place, and a body that
 * is not JSON becomes an unfinished cell, so that nothing is lost. Invisible characters become escapes of JSON.
 *
 * @param wanted - The form, if the caller knows it.
 */
export function importText(
  text: string,
  wanted?: ImportForm,
  context: ImportContext = { endpoints: {}, secrets: new Map() },
): ImportedNotebook {
  const { form, read: written } = readText(text, wanted, context);
  const secrets = new SecretRemover(context.secrets, text);
  const read = withoutHidden(written, secrets);
  const targets = read.entries.map((entry) =>
    entry.kind === "request" && entry.target ? secrets.target(withSources(entry.target, secrets.notes)) : undefined,
  );
  for (const [name, value] of read.secrets ?? []) secrets.variable(name, value);
  const { entries, variables, notes } = withoutSecrets(read, secrets);
  const names = uniqueNames(entries, variables);
  const unknown = unknownNotes(entries, new Set([...names, ...variables.keys()]));
  const { endpoint, directives, endpoints } = endpointsOf(targets, context.endpoints);
  const header = {
    ...(endpoint !== undefined && { endpoint }),
    ...(variables.size > 0 && { variables: Object.fromEntries(variables) }),
  };
  const members = Object.entries(header).map(([key, value]) => `${JSON.stringify(key)}: ${printJson(value)},\n`);
  const cells = entries.map((entry, at) => cellJson(entry, names[at], directives[at]));
  return {
    form,
    commands: [...new Set(entries.flatMap((entry) => (entry.kind === "request" ? (entry.command ?? []) : [])))],
    notebook: visible(secrets.everywhere(`{\n${members.join("")}"cells": [\n${cells.join(",\n")}\n]\n}\n`)),
    cells: entries.map((entry, at) =>
      entry.kind === "markdown"
        ? { kind: "markdown", text: visible(secrets.everywhereIn(entry.text)) }
        : {
            kind: "request",
            text: visible(secrets.everywhere(requestText(entry, names[at], undefined))),
            ...(targets[at] && { target: targets[at] }),
          },
    ),
    endpoints,
    notes: [...notes, ...unknown, ...secrets.notes]
      .map((note) => ({ ...note, what: secrets.note(note.what) }))
      .sort((a, b) => a.at - b.at),
  };
}

/** Puts secrets in place of the variables that the tool calls secret. */
function withoutHidden(read: Imported, secrets: SecretRemover): Imported {
  const { hidden } = read;
  if (!hidden || hidden.size === 0) return read;
  const renamed = (text: string): string =>
    withNames(text, (name) => {
      const value = hidden.get(name);
      return value === undefined ? undefined : secrets.variable(name, value, true);
    });
  const entries = read.entries.map((entry): Entry => {
    if (entry.kind === "markdown") return entry;
    const { target, body } = entry;
    if (!target) return { ...entry, body: renamed(body) };
    const headers = target.headers.map((header) => ({ ...header, value: renamed(header.value) }));
    return { ...entry, body: renamed(body), target: { ...target, url: renamed(target.url), headers } };
  });
  return { ...read, entries };
}

/** Takes the variables that have no value in the text from the environment: an endpoint knows no others. */
function withSources(target: Target, notes: Note[]): Target {
  const known = (text: string): string =>
    text.replace(/\{\{(?!\$(?:env|dotenv|secret)\.)([^{}]*)\}\}/g, (all, name: string) => {
      const plain = variableName(name.replace(/^\s*\$/, "")).replaceAll("-", "_");
      const what = `\`${all}\` has no value here, so the endpoint uses \`{{$env.${plain}}}\`. Set it in the environment.`;
      if (!notes.some((note) => note.what === what))
        notes.push({ at: target.at, severity: "note", what, isAboutTarget: true });
      return `{{$env.${plain}}}`;
    });
  const headers = target.headers.map((header) => ({ ...header, value: known(header.value) }));
  return target.isName ? target : { ...target, url: known(target.url), headers };
}

function withNames(text: string, placeholder: (name: string) => string | undefined): string {
  return text.replace(/\{\{\s*([\p{L}_][\p{L}\p{N}_-]*)\s*\}\}/gu, (all, name: string) => placeholder(name) ?? all);
}

/** Removes secrets from bodies, names, comments and variables. A variable that is a secret is replaced where it is used. */
function withoutSecrets(read: Imported, secrets: SecretRemover): Imported {
  const { variables, notes } = variablesFor(read);
  const placeholders = new Map(
    [...variables].flatMap(([name, value]) => {
      const placeholder = secrets.variable(name, value);
      return placeholder === undefined ? [] : [[name, placeholder] as const];
    }),
  );
  const renamed = (text: string): string =>
    placeholders.size === 0 ? text : withNames(text, (name) => placeholders.get(name));
  const entries = read.entries.map((entry): Entry => {
    if (entry.kind === "markdown") return { ...entry, text: secrets.text(entry.text, 0) };
    const at = entry.target?.at ?? 0;
    const name = entry.name === undefined ? undefined : secrets.text(entry.name, at);
    return { ...entry, name, body: secrets.json(renamed(entry.body), at) };
  });
  const kept = [...variables].flatMap(([name, value]) =>
    placeholders.has(name) ? [] : [[name, typeof value === "string" ? renamed(value) : value] as const],
  );
  return { entries, variables: new Map(kept), notes };
}

/** Names the placeholders of bodies that nothing in the notebook gives a value. */
function unknownNotes(entries: readonly Entry[], known: ReadonlySet<string | undefined>): readonly Note[] {
  const notes = new Map<string, Note>();
  for (const entry of entries) {
    if (entry.kind === "markdown") continue;
    for (const [all, name] of entry.body.matchAll(/\{\{\s*([\p{L}_][\p{L}\p{N}_-]*)[^{}]*\}\}/gu)) {
      const what = `\`${all}\` has no value here. Add \`${name}\` to the variables of the notebook.`;
      if (!known.has(name) && !notes.has(what)) notes.set(what, { at: entry.target?.at ?? 0, severity: "note", what });
    }
  }
  return [...notes.values()];
}

/** Adds a number to the name of a request that another request or a variable has already. */
function uniqueNames(entries: readonly Entry[], variables: Imported["variables"]): readonly (string | undefined)[] {
  const taken = new Set(variables.keys());
  return entries.map((entry) => {
    const wanted = entry.kind === "request" ? entry.name?.trim() : undefined;
    if (!wanted) return undefined;
    const name = freeName(wanted, " ", (one) => taken.has(one));
    taken.add(name);
    return name;
  });
}

interface Endpoints {
  /** The endpoint of the header: where most requests go. */
  readonly endpoint: string | undefined;
  /** The endpoint of each entry; `undefined` for that of the header. */
  readonly directives: readonly (string | undefined)[];
  readonly endpoints: JsonObject;
}

/** Names the endpoints: an address with headers or secrets gets an entry in a file, any other is its own name. */
function endpointsOf(targets: readonly (CleanTarget | undefined)[], existing: JsonObject): Endpoints {
  const names = new Map(Object.entries(existing).map(([name, entry]) => [printJson(entry), name]));
  const endpoints: Record<string, JsonValue> = {};
  const nameOf = (target: CleanTarget): string => {
    const { url, headers } = target;
    const hasHeaders = Object.keys(headers).length > 0;
    if (!hasHeaders && !url.includes("{{")) return url;
    const entry = hasHeaders ? { url, headers } : { url };
    const key = printJson(entry);
    const before = names.get(key);
    if (before !== undefined) return before;
    const host = hostOf(url);
    const wanted =
      (host.includes("{") ? "" : host) || (/\{\{\$\w+\.([\w-]+)/.exec(url)?.[1] ?? "imported").toLowerCase();
    const name = freeName(wanted, "-", (one) => Object.hasOwn(endpoints, one) || Object.hasOwn(existing, one));
    names.set(key, name);
    endpoints[name] = entry;
    return name;
  };
  const chosen = targets.map((target) => target && nameOf(target));
  const counts = new Map<string, number>();
  for (const name of chosen) if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1);
  const [endpoint] = [...counts].sort(([, a], [, b]) => b - a)[0] ?? [];
  return { endpoint, directives: chosen.map((name) => (name === endpoint ? undefined : name)), endpoints };
}

function cellJson(entry: Entry, name: string | undefined, endpoint: string | undefined): string {
  if (entry.kind === "markdown") return printJson({ markdown: linesOf(entry.text) });
  const text = requestText(entry, name, endpoint);
  const { root, faults, kind } = readCell(text);
  const isCell =
    (kind === "opaque" && isJson(text)) || (faults.length === 0 && (root?.type === "object" || root?.type === "array"));
  return isCell ? text : printJson({ text: linesOf(text) });
}

/** Returns the body as it was written, with the name and the endpoint before its members. */
function requestText({ body }: RequestEntry, name: string | undefined, endpoint: string | undefined): string {
  const { root, faults, kind } = readCell(body);
  if (faults.length > 0 || kind === "opaque" || !root) return body;
  const own = (key: string): boolean =>
    kind === "request" && root.children?.some((one) => one.children?.[0]?.value === key) === true;
  const members = Object.entries({ name, endpoint }).flatMap(([key, value]) =>
    value === undefined || own(key) ? [] : [`${JSON.stringify(key)}: ${JSON.stringify(value)}`],
  );
  if (members.length === 0) return body;
  if (root.type === "array") return `{ ${members.join(", ")}, "batch": ${body} }`;
  if (root.type !== "object") return body;
  const rest = body.slice(root.offset + 1);
  return `${body.slice(0, root.offset)}{ ${members.join(", ")}${root.children?.length ? "," : ""}${/^\s/.test(rest) ? "" : " "}${rest}`;
}

function linesOf(text: string): readonly string[] {
  return text.split(/\r\n|\r|\n/);
}

/**
 * Chooses the variables of the notebook. Leaves out those that only addresses and headers use, where their values are
 * written out, and those that nothing uses and that may be keys.
 */
function variablesFor({ entries, variables, notes }: Imported): Imported {
  const bodies = entries.map((entry) => (entry.kind === "request" ? entry.body : ""));
  const used = namedIn(bodies, variables);
  const targets = entries.flatMap((entry) => (entry.kind === "request" && entry.target ? [entry.target] : []));
  const written = targets.flatMap(({ url, headers }) => [url, ...headers.map(({ value }) => value)]);
  const texts = new Map([...variables].map(([name, value]) => [name, String(value)]));
  const left: Note[] = [];
  const kept = [...variables].filter(([name, value]) => {
    if (used.has(name)) return true;
    const text = typeof value === "string" ? filled(value.trim(), texts) : "";
    if (text !== "" && written.some((one) => one.includes(text))) return false;
    if (!/auth|key|token|secret|password|jwt/i.test(name) && !looksLikeKey(text)) return true;
    left.push({
      at: 0,
      severity: "note",
      what: `The variable \`${name}\` may be a secret and no request uses it, so it is left out.`,
    });
    return false;
  });
  return { entries, variables: new Map(kept), notes: [...notes, ...left] };
}

/** Returns the names that the texts use, directly or in the value of a variable. */
function namedIn(texts: readonly string[], variables: ReadonlyMap<string, JsonValue>): ReadonlySet<string> {
  const used = new Set<string>();
  const next = [...texts];
  for (let text = next.pop(); text !== undefined; text = next.pop()) {
    for (const [, name = ""] of text.matchAll(/\{\{\s*([\p{L}_][\p{L}\p{N}_-]*)/gu)) {
      if (used.has(name)) continue;
      used.add(name);
      next.push(String(variables.get(name) ?? ""));
    }
  }
  return used;
}
