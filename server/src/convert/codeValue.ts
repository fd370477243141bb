/** A value in code, as far as requests need it. Each knows its place in the text. */
export type CodeValue =
  | { readonly kind: "text"; readonly text: string; readonly at: number }
  /** A number, `true`, `false` or `null`, as JSON. */
  | { readonly kind: "plain"; readonly json: string; readonly at: number }
  /** `undefined`, which JSON leaves out. */
  | { readonly kind: "nothing"; readonly at: number }
  | { readonly kind: "list"; readonly items: readonly CodeValue[]; readonly at: number }
  | { readonly kind: "object"; readonly members: readonly Member[]; readonly at: number }
  | CallValue
  | UnknownValue;

/** A member of an object. The name of what is spread into the object is `...`. */
export type Member = readonly [key: string, value: CodeValue];

/** A call or a new object. */
export interface CallValue {
  readonly kind: "call";
  /** The names of the function, such as `axios.post`. */
  readonly path: string;
  /** The value of the first of these names. */
  readonly root: CodeValue | undefined;
  readonly values: readonly CodeValue[];
  /** The arguments that have names, in Python. */
  readonly named: readonly Member[];
  readonly at: number;
}

/** A value that has to be computed. */
export interface UnknownValue {
  readonly kind: "unknown";
  readonly at: number;
  /** The names that lead to it. */
  readonly path?: string;
  readonly root?: CodeValue | undefined;
}

/** Deeper values, and values of longer chains of variables, are not read. */
export const maxDepth = 200;
/** Of texts in UTF-16 code units, and of the items of a list. */
export const maxLength = 100_000;

/** The members to spread. */
export function membersOf(value: CodeValue): readonly Member[] {
  return value.kind === "object" ? value.members : [["...", value]];
}

export function text(written: string, at: number): CodeValue {
  return { kind: "text", text: written, at };
}

export function joined(left: CodeValue, right: CodeValue): CodeValue {
  const [a, b] = [textIn(left), textIn(right)];
  if (a === undefined) return left.kind === "unknown" ? left : { kind: "unknown", at: left.at };
  if (b === undefined) return right.kind === "unknown" ? right : { kind: "unknown", at: right.at };
  const isSum = left.kind === "plain" && right.kind === "plain";
  return isSum || a.length + b.length > maxLength ? { kind: "unknown", at: left.at } : text(a + b, left.at);
}

function textIn(value: CodeValue): string | undefined {
  if (value.kind === "text") return value.text;
  return value.kind === "plain" ? value.json : undefined;
}

/** `a ?? b`: the environment may not have the variable, so its fallback is taken. */
export function fallback(left: CodeValue, right: CodeValue): CodeValue {
  const isEnvironment = left.kind === "text" && /^\{\{\$env\.\w+\}\}$/.test(left.text);
  if (left.kind === "nothing" || (isEnvironment && right.kind !== "unknown" && right.kind !== "call")) return right;
  return left;
}

export function memberIn(value: CodeValue, name: string): CodeValue {
  if (value.kind === "object") return memberOf(value, name) ?? { kind: "unknown", at: value.at };
  if (value.kind !== "unknown" || value.path === undefined)
    return { kind: "unknown", at: value.at, path: `.${name}`, root: value };
  const path = `${value.path}.${name}`;
  const variable = /^(?:process\.env|import\.meta\.env|Bun\.env|os\.environ)\.([A-Za-z_]\w*)$/.exec(path)?.[1];
  if (variable !== undefined && !/^(?:get|copy|items|keys|values|pop|setdefault|update)$/.test(variable))
    return text(`{{$env.${variable}}}`, value.at);
  return { ...value, path };
}

export function itemIn(value: CodeValue, index: CodeValue | undefined): CodeValue {
  const at = index?.kind === "plain" && /^\d{1,6}$/.test(index.json) ? Number(index.json) : -1;
  return (value.kind === "list" ? value.items[at] : undefined) ?? { kind: "unknown", at: value.at };
}

/** Returns the member of an object. One that may be in what is spread behind it is not known. */
export function memberOf(value: CodeValue | undefined, name: string): CodeValue | undefined {
  return value?.kind === "object" ? memberNamed(value.members, name) : undefined;
}

export function memberNamed(members: readonly Member[], name: string): CodeValue | undefined {
  return members.findLast(([key]) => key === name || key === "...")?.[1];
}

/** Returns the result of the few functions that only change the form of a value. */
export function resultOf({ path, root, values, named, at }: CallValue): CodeValue | undefined {
  const [first, second] = values;
  switch (path) {
    case "JSON.stringify":
    case "json.dumps": {
      const json = first && jsonOf(first, path === "JSON.stringify" || memberNamed(named, "separators") ? "" : " ");
      return typeof json === "string" ? text(json, at) : json;
    }
    case "os.getenv":
    case "os.environ.get":
    case "Deno.env.get":
      if (first?.kind !== "text" || !/^[A-Za-z_]\w*$/.test(first.text)) return undefined;
      return second?.kind === "text" ? second : text(`{{$env.${first.text}}}`, at);
    case "URL":
    case "String":
    case "str":
    case "RPCEndpoint":
      return first?.kind === "text" && values.length === 1 ? first : undefined;
    case "Headers":
    case "Object.freeze":
      return first;
    case "dict":
      return values.length === 0 ? { kind: "object", members: named, at } : undefined;
    case ".encode":
    case ".toString":
    case ".trim":
    case ".strip":
      return root?.kind === "text" ? { ...root, text: root.text.trim() } : undefined;
    default:
      return undefined;
  }
}

/**
 * Writes a value as JSON. An `id` that is computed is left out of a request.
 *
 * @param space - After commas and colons: text in a text is sent as it is.
 * @returns The part that has to be computed, if there is one.
 */
export function jsonOf(value: CodeValue, space = " "): string | UnknownValue {
  const size = { left: 2_000_000 };
  const write = (one: CodeValue, depth: number): string | UnknownValue | undefined => {
    if (depth > maxDepth) size.left = 0;
    if (size.left-- <= 0) return { kind: "unknown", at: one.at }; // lists in lists may be the same ones many times
    const json = written(one, depth);
    if (typeof json === "string") size.left -= json.length;
    return json;
  };
  const written = (one: CodeValue, depth: number): string | UnknownValue | undefined => {
    switch (one.kind) {
      case "text":
        return JSON.stringify(one.text);
      case "plain":
        return one.json;
      case "nothing":
        return undefined;
      case "list": {
        const items = one.items.map((item) => write(item, depth + 1) ?? "null");
        return items.find((item) => typeof item !== "string") ?? `[${items.join(`,${space}`)}]`;
      }
      case "object": {
        const isRequest = one.members.some(([key]) => key === "method");
        const members = one.members.flatMap(([key, member]) => {
          const json = write(member, depth + 1);
          if (json === undefined || (isRequest && key === "id" && typeof json !== "string")) return [];
          return [typeof json === "string" ? `${JSON.stringify(key)}:${space}${json}` : json];
        });
        return members.find((member) => typeof member !== "string") ?? `{${members.join(`,${space}`)}}`;
      }
      case "call":
      case "unknown":
        return { kind: "unknown", at: one.at };
    }
  };
  return write(value, 0) ?? { kind: "unknown", at: value.at };
}
