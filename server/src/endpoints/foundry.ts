import { parse, TomlError } from "smol-toml";
import type { JsonValue } from "../base/json.ts";
import type { LineColumn } from "../base/text.ts";
import { lineColumns } from "../base/text.ts";
import { grouped } from "../base/units.ts";
import type { HostReference, ValueOf } from "./hostValue.ts";

/** The `[rpc_endpoints]` of a `foundry.toml`, in the form of our own files. */
export interface FoundryEndpoints {
  readonly entries: Readonly<Record<string, JsonValue>>;
  place(name: string): LineColumn;
  readonly fault: { readonly place: LineColumn; readonly what: string } | undefined;
}

/** The longest file, in UTF-16 code units. */
const maxText = 1_000_000;
const variable = () => /\$\{[ \t]*([\p{L}_][\p{L}\p{N}_-]*)[ \t]*\}/gu;

/**
 * Reads the endpoints of Foundry: addresses, and tables with `endpoint` (or `url`) and `auth`. The rest
 * of the file is ignored.
 *
 * @param hostValue - Looks `${NAME}` up: in the environment, then in `.env`, as Foundry does.
 * @see https://getfoundry.sh/config/reference/testing#rpc_endpoints
 */
export function readFoundry(text: string, hostValue: ValueOf): FoundryEndpoints {
  const at = lineColumns(text);
  if (text.length > maxText)
    return {
      entries: {},
      place: () => at(0),
      fault: { place: at(0), what: `the file has more than ${grouped(maxText)} characters` },
    };
  const offsetOf = offsetsIn(text);
  const place = (name: string): LineColumn => at(offsetOf(name));
  const none = { entries: {}, place };
  try {
    const { rpc_endpoints: endpoints } = parse(text, { integersAsBigInt: "asNeeded" });
    const entries = isTable(endpoints) ? Object.entries(endpoints) : [];
    return {
      entries: Object.fromEntries(entries.map(([name, value]) => [name, entryOf(value, hostValue)])),
      place,
      fault: undefined,
    };
  } catch (error) {
    const found = error instanceof TomlError ? { line: error.line, column: error.column } : at(0);
    return { ...none, fault: { place: found, what: "the file is not TOML" } };
  }
}

/** Returns the variables that a `foundry.toml` may name, for both of their sources. */
export function foundryReferences(text: string): readonly HostReference[] {
  return [...text.slice(0, maxText).matchAll(variable())].flatMap(([, name = ""]): readonly HostReference[] => [
    { source: "env", name },
    { source: "dotenv", name },
  ]);
}

function entryOf(value: unknown, hostValue: ValueOf): JsonValue {
  if (typeof value === "string") return withPlaceholders(value, hostValue);
  if (!isTable(value)) return null; // not an endpoint, which is reported
  const { endpoint = value.url, auth } = value;
  const url = typeof endpoint === "string" ? withPlaceholders(endpoint, hostValue) : null;
  if (typeof auth !== "string") return { url };
  const token = withPlaceholders(auth, hostValue);
  return { url, headers: { Authorization: /\S\s+\S/.test(auth) ? token : `Bearer ${token}` } };
}

/** Writes `${NAME}` in our form, with the source that has it. */
function withPlaceholders(text: string, hostValue: ValueOf): string {
  return text.replace(variable(), (_, name: string) => {
    const source =
      hostValue({ source: "env", name }) === undefined && hostValue({ source: "dotenv", name }) !== undefined;
    return `{{$${source ? "dotenv" : "env"}.${name}}}`;
  });
}

function isTable(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Finds the first line that begins with the name, after the name of the table: the parser gives no positions. */
function offsetsIn(text: string): (name: string) => number {
  const table = Math.max(text.search(/^[ \t]*\[?rpc_endpoints/m), 0);
  const offsets = new Map<string, number>();
  const keys = /^([ \t]*)(?:"([^"\r\n]*)"|'([^'\r\n]*)'|([^\s"'=]+))[ \t]*=/gm;
  keys.lastIndex = table;
  for (const { 1: space = "", 2: quoted, 3: plain, 4: bare, index } of text.matchAll(keys)) {
    const name = quoted ?? plain ?? bare ?? "";
    if (!offsets.has(name)) offsets.set(name, index + space.length);
  }
  return (name) => offsets.get(name) ?? table;
}
