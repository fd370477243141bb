import { isArray, isObject, type JsonValue, parseJson } from "../base/json.ts";
import { exactValue, items, type JsonNode, member } from "../notebook/json.ts";
import { readCell } from "../notebook/readCell.ts";
import { readBody } from "./body.ts";
import { filled } from "./http.ts";
import type { Entry, Header, Imported, Note, Quoted } from "./imported.ts";
import { rewritten, variableName, variableValue } from "./placeholders.ts";

/** A collection is known by what it says of itself, or by its shape. */
export function isPostman(text: string): boolean {
  const value = parseJson(text);
  return isObject(value) && isArray(value.item) && (isObject(value.info) || isObject(value.collection));
}

/**
 * Reads a Postman collection, versions 2.0 and 2.1: folders and descriptions become Markdown, variables those of the
 * header.
 *
 * @see https://schema.postman.com/collection/json/v2.1.0/draft-07/docs/index.html
 */
export function readPostman(text: string): Imported {
  const { root, faults } = readCell(text, "header");
  const [fault] = faults;
  if (fault || root?.type !== "object" || !member(root, "item")) {
    const what = fault
      ? `The collection is not JSON: ${fault.what}.`
      : "A collection has an `item` list, and this text has none.";
    return { entries: [], variables: new Map(), notes: [{ at: fault?.span.start ?? 0, severity: "error", what }] };
  }
  const reader = new CollectionReader(text);
  reader.variables(member(root, "variable"));
  const info = member(root, "info");
  reader.heading(1, stringOf(member(info, "name")), descriptionOf(member(info, "description")));
  reader.list(member(root, "item"), 2, member(root, "auth"));
  return reader.imported();
}

class CollectionReader {
  readonly #text: string;
  readonly #entries: Entry[] = [];
  readonly #notes: Note[] = [];
  /** As written: whether a placeholder stands in quotes is lost later. */
  readonly #bodies: string[] = [];
  readonly #variables = new Map<string, string>();

  constructor(text: string) {
    this.#text = text;
  }

  imported(): Imported {
    const variables = new Map<string, JsonValue>();
    for (const [written, value] of this.#variables) {
      const name = variableName(written);
      variables.set(name, variableValue(name, value, this.#bodies));
    }
    return { entries: this.#entries, variables, notes: this.#notes };
  }

  variables(list: JsonNode | undefined): void {
    for (const one of items(list)) {
      const name = stringOf(member(one, "key") ?? member(one, "id"));
      const value = member(one, "value");
      if (name === undefined || !value) continue;
      const exact = exactValue(this.#text, value);
      this.#variables.set(
        name,
        typeof exact === "string" ? exact : this.#text.slice(value.offset, value.offset + value.length),
      );
    }
  }

  heading(level: number, name: string | undefined, description: string | undefined): void {
    const title = name === undefined ? [] : [`${"#".repeat(Math.min(level, 6))} ${name}`];
    const lines = [...title, ...(description ? [description] : [])];
    if (lines.length > 0) this.#entries.push({ kind: "markdown", text: lines.join("\n\n") });
  }

  list(list: JsonNode | undefined, level: number, auth: JsonNode | undefined): void {
    for (const item of items(list)) {
      const name = stringOf(member(item, "name"));
      if (member(item, "event")) this.#tell("note", "Its scripts are left out.", item);
      if (member(item, "item")) {
        this.heading(level, name, descriptionOf(member(item, "description")));
        this.list(member(item, "item"), level + 1, member(item, "auth") ?? auth);
      } else this.#request(item, name, level, auth);
    }
  }

  #tell(severity: Note["severity"], what: string, at: JsonNode): void {
    this.#notes.push({ at: at.offset, severity, what });
  }

  #request(item: JsonNode, name: string | undefined, level: number, auth: JsonNode | undefined): void {
    const request = member(item, "request");
    if (request?.type !== "object") {
      this.#tell("error", "This item has no request that could be read.", item);
      return;
    }
    const method = stringOf(member(request, "method")) ?? "POST";
    const body = member(request, "body");
    const raw = member(body, "raw");
    if (method.toUpperCase() !== "POST" || raw?.type !== "string") {
      const why = method.toUpperCase() !== "POST" ? `is a ${method}` : "has no raw body";
      this.#tell(
        "error",
        `The request ${name === undefined ? "here" : `\`${name}\``} ${why}, so it is left out.`,
        request,
      );
      return;
    }
    const description = descriptionOf(member(request, "description"));
    if (description) this.heading(level, name, description);
    const written = stringText(this.#text, raw);
    this.#bodies.push(rewritten(written.text, raw.offset).text);
    const { text, notes } = readBody(written);
    const { text: made, notes: unknown } = rewritten(text, raw.offset);
    this.#notes.push(...notes, ...unknown);
    const target = this.#target(request, member(request, "auth") ?? auth);
    this.#entries.push({ kind: "request", body: made, name, target });
  }

  #target(
    request: JsonNode,
    auth: JsonNode | undefined,
  ): { url: string; headers: readonly Header[]; at: number } | undefined {
    const node = member(request, "url");
    const url = stringOf(node) ?? stringOf(member(node, "raw"));
    if (url === undefined || !node || url.trim() === "") return undefined;
    const fill = (text: string): string => filled(rewritten(text, node.offset).text, this.#variables);
    const headers = [...this.#headers(member(request, "header")), ...this.#auth(auth)];
    return {
      url: fill(url),
      headers: headers.map((header) => ({ ...header, value: fill(header.value) })),
      at: node.offset,
    };
  }

  #headers(list: JsonNode | undefined): readonly Header[] {
    return items(list).flatMap((one): readonly Header[] => {
      const [name, value] = [stringOf(member(one, "key")), stringOf(member(one, "value"))];
      const off = member(one, "disabled")?.value === true;
      return off ||
        !name ||
        value === undefined ||
        /^(?:content-type|accept|user-agent|host|content-length)$/i.test(name)
        ? []
        : [{ name, value }];
    });
  }

  /** Version 2.1 has lists of keys and values where 2.0 has an object. */
  #auth(auth: JsonNode | undefined): readonly Header[] {
    const type = stringOf(member(auth, "type"));
    if (type === undefined || type === "noauth" || !auth) return [];
    const parts = member(auth, type);
    const part = (key: string): string => {
      const pair = items(parts).find((one) => member(one, "key")?.value === key);
      return stringOf(pair ? member(pair, "value") : member(parts, key)) ?? "";
    };
    if (type === "bearer") return [{ name: "Authorization", value: `Bearer ${part("token")}` }];
    if (type === "apikey" && part("in") !== "query")
      return [{ name: part("key") || "X-Api-Key", value: part("value"), isSecret: true }];
    if (type === "basic") return [{ name: "Authorization", value: `Basic ${part("username")}:${part("password")}` }];
    this.#tell("note", `Authorisation of the kind \`${type}\` has no counterpart here, so it is left out.`, auth);
    return [];
  }
}

function stringOf(node: JsonNode | undefined): string | undefined {
  return node?.type === "string" ? String(node.value) : undefined;
}

function descriptionOf(node: JsonNode | undefined): string | undefined {
  return stringOf(node) ?? stringOf(member(node, "content"));
}

/** What a string says, and where each of its characters stands between the quotes. */
function stringText(text: string, node: JsonNode): Quoted {
  const places: number[] = [];
  let made = "";
  const token = text.slice(node.offset + 1, node.offset + node.length - 1);
  for (const { 0: part, index } of token.matchAll(/\\u[0-9a-fA-F]{4}|\\.|[^\\]/gs)) {
    const said = part.startsWith("\\") ? String(JSON.parse(`"${part}"`)) : part;
    for (let i = 0; i < said.length; i++) places.push(node.offset + 1 + index);
    made += said;
  }
  return { text: made, places: [...places, node.offset + node.length - 1] };
}
