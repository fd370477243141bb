import { decodeParams } from "../abi/decode.ts";
import { type AbiItem, selectorOf } from "../abi/item.ts";
import type { AbiParam } from "../abi/type.ts";
import type { Scope } from "../analysis/scope.ts";
import { byteLength, isHex } from "../base/hex.ts";
import type { JsonValue } from "../base/json.ts";
import { isArray } from "../base/json.ts";
import { plural } from "../base/text.ts";
import type { Cell } from "../notebook/cell.ts";
import { wordShown } from "../report/word.ts";
import { declared, functionsAt, sourceText } from "./abi.ts";
import { code, escaped } from "./markdown.ts";
import { addressNames } from "./naming.ts";
import { abiText, shownText } from "./shownText.ts";

/** A function that call data may be meant for, and what it would be called with. */
interface Call {
  readonly item: AbiItem;
  readonly values: readonly (JsonValue | undefined)[];
  readonly faults: readonly string[];
}

/** The functions that call data may be meant for, those that it fits first. */
function callsOf(data: string, cell: Cell, scope: Scope): readonly Call[] {
  const lower = data.toLowerCase();
  return functionsAt(lower.slice(0, 10), cell, scope)
    .map((item) => ({ item, ...decodeParams(item.inputs, lower, 10) }))
    .sort((a, b) => a.faults.length - b.faults.length);
}

/** Names of the functions that call data fits, or of those with its selector where it fits none. */
export function functionNames(data: string, cell: Cell, scope: Scope): readonly string[] {
  const all = functionsAt(data.slice(0, 10), cell, scope);
  if (all.length < 2) return all.map(({ name }) => name);
  const calls = callsOf(data, cell, scope);
  const fitting = calls.filter(({ faults }) => faults.length === calls[0]?.faults.length);
  return [...new Set(fitting.map(({ item }) => item.name))];
}

/** Candidates, words of unknown arguments and items of nested calls that are shown. */
const most = { candidates: 4, words: 8, nested: 8 };
/** Calls inside calls that are followed. */
const maxDepth = 2;

/** Call data argument by argument, as Markdown; all functions that it may be meant for. */
export function callDocs(data: string, cell: Cell, scope: Scope): string | undefined {
  if (!isHex(data) || data === "0x") return data === "0x" ? "No call data: a plain transfer." : undefined;
  if (data.length < 10) return `${plural(byteLength(data), "byte")}: fewer than the four of a selector.`;
  const selector = code(data.slice(0, 10));
  const calls = callsOf(data, cell, scope);
  if (calls.length === 0)
    return [`No known function has the selector ${selector}.`, ...wordLines(data, scope)].join("\n");
  const more = calls.length - most.candidates;
  return [
    ...(calls.length > 1 ? [`${calls.length} known functions have the selector ${selector}:`] : []),
    ...calls.slice(0, most.candidates).map((call) => callLines(call, cell, scope).join("\n")),
    ...(more > 0 ? [`… and ${more} more.`] : []),
  ].join("\n\n");
}

function callLines({ item, values, faults }: Call, cell: Cell, scope: Scope): readonly string[] {
  return [
    `${code(declared(item), 300)} · ${code(selectorOf(item))} · ${sourceText(item.source)}`,
    ...(item.inputs.length > 0 ? [""] : []),
    ...argumentLines(item.inputs, values, cell, scope, 0),
    ...(faults.length > 0 ? ["", `It does not quite fit: ${escaped(faults.join("; "))}.`] : []),
  ];
}

function argumentLines(
  inputs: readonly AbiParam[],
  values: readonly (JsonValue | undefined)[],
  cell: Cell,
  scope: Scope,
  depth: number,
): readonly string[] {
  const names = addressNames(scope);
  return inputs.flatMap(({ name, type }, at) => {
    const label = name === "" ? `argument ${at + 1}` : code(name, 60);
    const line = `${"  ".repeat(depth)}- ${label} (${code(type.text, 80)}): ${abiText(values[at], type.text, names)}`;
    return [line, ...nestedLines(values[at], type.text, cell, scope, depth + 1)];
  });
}

/** Bytes that are call data themselves, as multicalls and proxies carry them. */
function nestedLines(
  value: JsonValue | undefined,
  type: string,
  cell: Cell,
  scope: Scope,
  depth: number,
): readonly string[] {
  if (depth > maxDepth || (type !== "bytes" && type !== "bytes[]")) return [];
  const calls = (isArray(value) ? value : [value]).slice(0, most.nested);
  return calls.flatMap((data) => {
    if (typeof data !== "string" || data.length < 10 || (data.length - 10) % 64 !== 0) return [];
    const [call] = callsOf(data, cell, scope);
    if (!call || call.faults.length > 0) return [];
    const line = `${"  ".repeat(depth)}- calls ${code(call.item.signature, 200)}`;
    return [line, ...argumentLines(call.item.inputs, call.values, cell, scope, depth + 1)];
  });
}

/** The words behind a selector that nobody knows, with what each probably is. */
function wordLines(data: string, scope: Scope): readonly string[] {
  const words =
    data
      .toLowerCase()
      .slice(10)
      .match(/.{1,64}/g) ?? [];
  const lines = words.slice(0, most.words).map((word, at) => {
    const shown = word.length === 64 ? wordShown(`0x${word}`, addressNames(scope)) : { text: `0x${word}` };
    return `- word ${at}: ${shownText({ ...shown, also: shown.also?.slice(0, 1) ?? [] })}`;
  });
  const more = words.length - lines.length;
  return lines.length === 0 ? [] : ["", ...lines, ...(more > 0 ? [`- … and ${plural(more, "word")} more`] : [])];
}
