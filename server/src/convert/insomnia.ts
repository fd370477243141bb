import { isArray, isObject, type JsonObject, type JsonValue, parseJson } from "../base/json.ts";
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
import { filled, rewritten, valuesOf } from "./placeholders.ts";
import { wordAt } from "./words.ts";

/** Tells an export of Insomnia, version 4, by its members. */
export function isInsomnia(value: JsonValue | undefined): boolean {
  return isObject(value) && value._type === "export" && isArray(value.resources);
}

/** Tells an export of Insomnia in YAML, which is always so in version 5. */
export function isInsomniaYaml(text: string): boolean {
  return /^type: collection\.insomnia\.rest\/|^_type: export$/m.test(text);
}

/**
 * Reads an export of Insomnia, version 4. Folders become Markdown, the values of its base environment become variables.
 *
 * @see https://developer.konghq.com/insomnia/import-export/
 */
export function readInsomnia(text: string): Imported {
  const value = parseJson(text);
  if (isInsomniaYaml(text))
    return failedImport(
      "An Insomnia export in YAML cannot be read. In Insomnia, export as “Insomnia v4 (JSON)” or “HAR”.",
    );
  if (!isObject(value) || !isArray(value.resources))
    return failedImport("An Insomnia export has a list `resources`, which is missing here.");
  return new InsomniaReader(text, value.resources.filter(isObject)).imported();
}

class InsomniaReader {
  readonly #text: string;
  readonly #resources: readonly JsonObject[];
  readonly #notes: Note[] = [];
  readonly #bodies: string[] = [];
  readonly #written = new Map<string, string>();

  constructor(text: string, resources: readonly JsonObject[]) {
    this.#text = text;
    this.#resources = resources;
    for (const { _type: type, data } of resources)
      if (type === "environment" && isObject(data))
        for (const [name, one] of Object.entries(data))
          if (!isObject(one) && !isArray(one) && !this.#written.has(name)) this.#written.set(name, plain(String(one)));
  }

  imported(): Imported {
    const ids = new Set(this.#resources.map(({ _id: id }) => String(id)));
    const roots = this.#resources.filter(({ parentId }) => !ids.has(String(parentId)));
    const entries = roots.flatMap((root) => this.#entries(root, 1));
    return { entries, variables: valuesOf(this.#written, this.#bodies), notes: this.#notes };
  }

  #entries(resource: JsonObject, level: number): readonly Entry[] {
    if (resource._type === "request") return this.#request(resource);
    if (!/^(?:workspace|request_group)$/.test(String(resource._type)) || level > 20) return [];
    const own = this.#resources.filter(({ parentId, _id: id }) => parentId === resource._id && id !== resource._id);
    const ordered = own.sort((a, b) => Number(a.metaSortKey ?? 0) - Number(b.metaSortKey ?? 0));
    const entries = ordered.flatMap((one) => this.#entries(one, level + 1));
    const title = `${"#".repeat(Math.min(level, 6))} ${String(resource.name ?? "")}`;
    return entries.length > 0 && resource.name ? [{ kind: "markdown", text: title }, ...entries] : entries;
  }

  #request(request: JsonObject): readonly Entry[] {
    const { name, method, url, body } = request;
    const at = Math.max(0, this.#text.indexOf(JSON.stringify(request._id ?? "")));
    const written = isObject(body) && typeof body.text === "string" ? plain(body.text) : undefined;
    const why =
      String(method).toUpperCase() !== "POST"
        ? `is a ${String(method)}`
        : written === undefined
          ? "has no text as its body"
          : undefined;
    if (why !== undefined || written === undefined || typeof url !== "string") {
      const what = `The request \`${String(name)}\` ${why ?? "has no address"}, so it is left out.`;
      this.#notes.push({ at, severity: "error", what });
      return [];
    }
    this.#bodies.push(written);
    const { text, notes } = readBody(wordAt(written, at));
    const { text: made, notes: unknown } = rewritten(text, at);
    const [tag] = /\{%.*?%\}/.exec(made) ?? [];
    const what = `\`${tag}\` is not known here. Write its value instead.`;
    this.#notes.push(...notes, ...unknown, ...(tag === undefined ? [] : [{ at, severity: "error", what } as const]));
    const fill = (part: string): string => filled(rewritten(plain(part), at).text, this.#written);
    const headers = [...headersOf(request), ...this.#auth(request, at)];
    const target = { url: fill(url), headers: headers.map((one) => ({ ...one, value: fill(one.value) })), at };
    return [{ kind: "request", body: made, name: typeof name === "string" ? name : undefined, target }];
  }

  #auth({ authentication }: JsonObject, at: number): readonly Header[] {
    if (!isObject(authentication) || authentication.disabled === true) return [];
    const part = (key: string): string => String(authentication[key] ?? "");
    const type = part("type") || "none";
    const isInQuery = type === "apikey" && part("addTo") === "queryParams";
    const headers = isInQuery ? undefined : authHeaders(type, part, part("prefix") || "Bearer");
    if (headers) return headers;
    const what = `Authorization of type \`${type}\` has no counterpart here, so it is left out.`;
    this.#notes.push({ at, severity: "note", what });
    return [];
  }
}

function headersOf({ headers }: JsonObject): readonly Header[] {
  return (isArray(headers) ? headers : []).flatMap((one) => {
    if (!isObject(one) || one.disabled === true || typeof one.name !== "string") return [];
    return isOwnHeader(one.name) ? [] : [{ name: one.name, value: String(one.value ?? "") }];
  });
}

/** Writes `{{ _.name }}` and `{{ _['name'] }}` without the underscore. */
function plain(text: string): string {
  return text.replace(
    /\{\{\s*_(?:\.([\w-]+)|\[\s*['"]([\w -]+)['"]\s*\])\s*\}\}/g,
    (_, name, quoted) => `{{${name ?? quoted}}}`,
  );
}
