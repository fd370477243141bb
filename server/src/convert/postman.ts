import { isArray, isObject, type JsonObject, parseJson } from "../base/json.ts";
import { exactValue, items, type JsonNode, member } from "../notebook/json.ts";
import { readCell } from "../notebook/readCell.ts";
import { readBody } from "./body.ts";
import {
  authHeaders,
  type Entry,
  failedImport,
  type Header,
  type Imported,
  isOwnHeader,
  type Note,
} from "./importModel.ts";
import { filled, rewritten, valuesOf, variableName } from "./placeholders.ts";
import { type Quoted, quoted, replacedIn } from "./words.ts";

/** Tells a collection or an environment of Postman by its members. */
export function isPostman(text: string): boolean {
  const value = parseJson(text);
  const whole = isObject(value) && isObject(value.collection) ? value.collection : value;
  if (!isObject(whole)) return false;
  return (isArray(whole.item) && isObject(whole.info)) || isOld(whole) || environmentIn(whole) !== undefined;
}

/** Version 1 has a list of requests, and the order of their ids. */
function isOld(collection: JsonObject): boolean {
  return isArray(collection.requests) && isArray(collection.order);
}

/** Reads the variables of an exported environment; `undefined` if the text is not an environment. */
export function postmanEnvironment(text: string): Variables | undefined {
  const value = parseJson(text);
  return isObject(value) ? environmentIn(value) : undefined;
}

/** By their names as written. */
export type Variables = ReadonlyMap<string, { readonly value: string; readonly isSecret: boolean }>;

function environmentIn(value: JsonObject): Variables | undefined {
  if (!isArray(value.values) || !value.values.every((one) => isObject(one) && typeof one.key === "string"))
    return undefined;
  if (value.item !== undefined || !("_postman_variable_scope" in value || "name" in value)) return undefined;
  return new Map(
    value.values.flatMap((one) =>
      isObject(one) && one.enabled !== false
        ? [[String(one.key), { value: String(one.value ?? ""), isSecret: one.type === "secret" }] as const]
        : [],
    ),
  );
}

/**
 * Reads a Postman collection, versions 1, 2.0 and 2.1. Folders and descriptions become Markdown, variables become those of
 * the header.
 *
 * @param environment - The environment of the collection. Its variables override those of the collection.
 * @see https://schema.postman.com/collection/json/v2.1.0/draft-07/docs/index.html
 */
export function readPostman(text: string, environment: Variables = new Map()): Imported {
  const { root: all, faults } = readCell(text, "header");
  const root = member(all, "collection") ?? all;
  const [fault] = faults;
  const list = member(root, "item") ?? member(root, "requests");
  if (fault) return failedImport(`The collection is not JSON: ${fault.what}.`, fault.span.start);
  if (!list && member(root, "values"))
    return failedImport("A Postman environment has variables only. Import it together with its collection.");
  if (root?.type !== "object" || !list) return failedImport("A collection has an `item` list, which is missing here.");
  const reader = new CollectionReader(text);
  reader.variables(member(root, "variable") ?? member(root, "variables"));
  reader.environment(environment);
  const info = member(root, "info") ?? root;
  reader.heading(1, stringOf(member(info, "name")), descriptionOf(member(info, "description")));
  reader.list(list, 2, member(root, "auth"));
  return reader.imported();
}

class CollectionReader {
  readonly #text: string;
  readonly #entries: Entry[] = [];
  readonly #notes: Note[] = [];
  /** The bodies as written: they show whether a placeholder has quotes. */
  readonly #bodies: string[] = [];
  readonly #variables = new Map<string, string>();
  readonly #hidden = new Map<string, string>();

  constructor(text: string) {
    this.#text = text;
  }

  imported(): Imported {
    const variables = valuesOf(this.#variables, this.#bodies);
    return { entries: this.#entries, variables, hidden: this.#hidden, notes: this.#notes };
  }

  variables(list: JsonNode | undefined): void {
    for (const one of items(list)) {
      const name = stringOf(member(one, "key") ?? member(one, "id"));
      const value = member(one, "value");
      if (name === undefined || !value || member(one, "disabled")?.value === true) continue;
      const exact = exactValue(this.#text, value);
      const text = typeof exact === "string" ? exact : this.#text.slice(value.offset, value.offset + value.length);
      this.#variable(name, text, member(one, "type")?.value === "secret");
    }
  }

  environment(variables: Variables): void {
    for (const [name, { value, isSecret }] of variables) this.#variable(name, value, isSecret);
  }

  /** Keeps a secret apart: it is not filled in, and its name becomes that of a secret. */
  #variable(name: string, value: string, isSecret: boolean): void {
    const isHidden = isSecret && value !== "" && !value.includes("{{");
    this.#variables.delete(name);
    if (isHidden) this.#hidden.set(variableName(name), value);
    else this.#variables.set(name, value);
  }

  heading(level: number, name: string | undefined, description: string | undefined): void {
    const title = name === undefined ? [] : [`${"#".repeat(Math.min(level, 6))} ${name}`];
    const lines = [...title, ...(description ? [description] : [])];
    if (lines.length > 0) this.#entries.push({ kind: "markdown", text: lines.join("\n\n") });
  }

  list(list: JsonNode | undefined, level: number, auth: JsonNode | undefined): void {
    for (const item of items(list)) {
      const name = stringOf(member(item, "name"));
      if (member(item, "event")) this.#note("note", "Its scripts are left out.", item);
      if (member(item, "item")) {
        this.heading(level, name, descriptionOf(member(item, "description")));
        this.list(member(item, "item"), level + 1, member(item, "auth") ?? auth);
      } else this.#request(item, name, level, auth);
    }
  }

  #note(severity: Note["severity"], what: string, at: JsonNode): void {
    this.#notes.push({ at: at.offset, severity, what });
  }

  #request(item: JsonNode, name: string | undefined, level: number, auth: JsonNode | undefined): void {
    const node = member(item, "request") ?? (member(item, "rawModeData") ? item : undefined);
    const label = `The request ${name === undefined ? "here" : `\`${name}\``}`;
    if (!node) {
      this.#note("error", "This item has no request.", item);
      return;
    }
    const method = node.type === "string" ? "GET" : (stringOf(member(node, "method")) ?? "POST");
    const raw = member(member(node, "body"), "raw") ?? member(node, "rawModeData");
    if (method.toUpperCase() !== "POST" || raw?.type !== "string") {
      const why = method.toUpperCase() !== "POST" ? `is a ${method}` : "has no raw body";
      this.#note("error", `${label} ${why}, so it is left out.`, node);
      return;
    }
    const description = descriptionOf(member(node, "description"));
    if (description) this.heading(level, name, description);
    const written = stringText(this.#text, raw);
    this.#bodies.push(rewritten(written.text, raw.offset).text);
    const { text, notes } = readBody(written);
    const { text: made, notes: unknown } = rewritten(text, raw.offset);
    this.#notes.push(...notes, ...unknown);
    const target = this.#target(node, member(node, "auth") ?? auth);
    if (!target) this.#note("error", `${label} has no address.`, member(node, "url") ?? node);
    this.#entries.push({ kind: "request", body: made, name, target });
  }

  #target(
    request: JsonNode,
    auth: JsonNode | undefined,
  ): { url: string; headers: readonly Header[]; at: number } | undefined {
    const node = member(request, "url");
    const url = postmanUrl(node);
    if (url === undefined || !node) return undefined;
    const fill = (text: string): string => filled(rewritten(text, node.offset).text, this.#variables);
    const key = this.#keyInQuery(auth);
    const headers = [
      ...headersOf(member(request, "header") ?? member(request, "headers")),
      ...(key === undefined ? this.#auth(auth) : []),
    ];
    return {
      url: fill(key === undefined ? url : `${url}${url.includes("?") ? "&" : "?"}${key}`),
      headers: headers.map((header) => ({ ...header, value: fill(header.value) })),
      at: node.offset,
    };
  }

  #auth(auth: JsonNode | undefined): readonly Header[] {
    const type = stringOf(member(auth, "type"));
    if (type === undefined || !auth) return [];
    const headers = authHeaders(type, (key) => authPart(auth, type, key));
    if (headers) return headers;
    this.#note("note", `Authorization of type \`${type}\` has no counterpart here, so it is left out.`, auth);
    return [];
  }

  /** Returns an API key that is part of the address. */
  #keyInQuery(auth: JsonNode | undefined): string | undefined {
    if (!auth || stringOf(member(auth, "type")) !== "apikey" || authPart(auth, "apikey", "in") !== "query")
      return undefined;
    return `${authPart(auth, "apikey", "key") || "apikey"}=${authPart(auth, "apikey", "value")}`;
  }
}

/** Reads a part of an authorization: a list of keys and values in version 2.1, an object in 2.0. */
function authPart(auth: JsonNode, type: string, key: string): string {
  const parts = member(auth, type);
  const pair = items(parts).find((one) => member(one, "key")?.value === key);
  return stringOf(pair ? member(pair, "value") : member(parts, key)) ?? "";
}

/** Reads headers: a list of keys and values, or lines of text. */
function headersOf(list: JsonNode | undefined): readonly Header[] {
  const pairs = items(list).flatMap((one): readonly (readonly [string | undefined, string | undefined])[] =>
    member(one, "disabled")?.value === true ? [] : [[stringOf(member(one, "key")), stringOf(member(one, "value"))]],
  );
  const lines = (stringOf(list) ?? "").split(/[\r\n]+/).map((line) => {
    const [, name, value] = /^\s*([^/:\s][^:\s]*)\s*:\s*(.*)$/.exec(line) ?? [];
    return [name, value] as const;
  });
  return [...pairs, ...lines].flatMap(([name, value]) =>
    !name || value === undefined || isOwnHeader(name) ? [] : [{ name, value }],
  );
}

/** Returns an address: text, or its parts joined. `:name` in it is a variable of the address. */
function postmanUrl(node: JsonNode | undefined): string | undefined {
  const written = (stringOf(node) ?? stringOf(member(node, "raw")) ?? "").trim() || fromParts(node);
  const values = new Map(
    items(member(node, "variable")).map((one) => [
      stringOf(member(one, "key") ?? member(one, "id")),
      stringOf(member(one, "value")) ?? "",
    ]),
  );
  return written?.replace(/(?<=\/):([\w-]+)(?=[/?#]|$)/g, (all, name: string) => values.get(name) || all);
}

function fromParts(node: JsonNode | undefined): string | undefined {
  const list = (key: string, between: string): string => {
    const part = member(node, key);
    return (
      stringOf(part) ??
      items(part)
        .map((one) => stringOf(one) ?? stringOf(member(one, "value")) ?? "")
        .join(between)
    );
  };
  const host = list("host", ".");
  if (host === "") return undefined;
  const [protocol, port, path] = [list("protocol", ""), list("port", ""), list("path", "/").replace(/^\//, "")];
  const query = items(member(node, "query")).flatMap((one) => {
    const [key, value] = [stringOf(member(one, "key")), stringOf(member(one, "value"))];
    if (key === undefined || member(one, "disabled")?.value === true) return [];
    return [value === undefined ? key : `${key}=${value}`];
  });
  const scheme = protocol === "" || host.includes("://") ? "" : `${protocol.replace(/:\/*$/, "")}://`;
  const address = `${scheme}${host}${port === "" ? "" : `:${port}`}${path === "" ? "" : `/${path}`}`;
  return query.length === 0 ? address : `${address}?${query.join("&")}`;
}

function stringOf(node: JsonNode | undefined): string | undefined {
  return node?.type === "string" ? String(node.value) : undefined;
}

function descriptionOf(node: JsonNode | undefined): string | undefined {
  return stringOf(node) ?? stringOf(member(node, "content"));
}

/** Returns the value of a string with the place of each character. */
function stringText(text: string, node: JsonNode): Quoted {
  const inside = quoted(text.slice(node.offset + 1, node.offset + node.length - 1), node.offset + 1);
  return replacedIn(inside, /\\(?:u[0-9a-fA-F]{4}|.)/g, ([written]) => String(JSON.parse(`"${written}"`)));
}
