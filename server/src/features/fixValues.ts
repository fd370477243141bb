import { parseItem } from "../abi/item.ts";
import { cursorContext } from "../analysis/cursorContext.ts";
import type { ProblemWith } from "../analysis/problem.ts";
import { itemType, mapAt } from "../analysis/types.ts";
import { isTypo } from "../analysis/typo.ts";
import { checkValue } from "../analysis/value.ts";
import { isHex, toQuantity } from "../base/hex.ts";
import type { Span } from "../base/span.ts";
import { nearest } from "../base/text.ts";
import type { BytesType, TypeRef } from "../catalog/spec.ts";
import { shapesOf } from "../catalog/types.ts";
import { readWithin } from "../evaluate/operators.ts";
import type { JsonNode } from "../notebook/json.ts";
import { nodeAt, replace, textOf } from "./edits.ts";
import { type Fix, fix, inTitle, type Site, write } from "./fix.ts";
import { freeName, nameFrom, newVariable, nothingYet } from "./variables.ts";

export function fixQuantity(site: Site, { why, meant, span: at }: ProblemWith<"bad-quantity">): readonly Fix[] {
  if (why === "empty") return write(site, at, '"0x0"');
  const text = stringAt(site, at);
  const [, digits, zeros] = /^(\d{1,60})e(\d{1,2})$/i.exec(text ?? "") ?? [];
  if (digits !== undefined) {
    const power = toQuantity(BigInt(digits + "0".repeat(Number(zeros))));
    return [power, `0x${text}`].flatMap((one) => write(site, at, quote(one), false));
  }
  if (meant === undefined && text !== undefined && text.trim() !== text) return write(site, at, quote(text.trim()));
  return meant === undefined ? [] : write(site, at, quote(meant));
}

const units = ["ether", "gwei", "wei"] as const;

/** The unit that was meant, or one of those that there are; a fraction is never one of wei. */
export function fixAmount(site: Site, { span: at, why }: ProblemWith<"bad-amount">): readonly Fix[] {
  const [, amount, word = ""] = /^\s*([\d.,]+)\s*([A-Za-z]*)\s*$/.exec(stringAt(site, at) ?? "") ?? [];
  if (why !== "unit" || amount === undefined) return [];
  const meant = /^eths?$/i.test(word) ? ["ether"] : nearest(word, units, 1);
  const shown = word === "" ? units.slice(0, 2) : meant;
  return shown.flatMap((unit) => write(site, at, quote(`${amount} ${unit}`), word !== "" && shown.length === 1));
}

export function fixHex(site: Site, problem: ProblemWith<"bad-hex">): readonly Fix[] {
  const { span: at, why } = problem;
  const text = stringAt(site, at);
  if (text === undefined) return [];
  const cleaned = text.trim().replace(/^0X/, "0x");
  if (cleaned !== text && isHex(cleaned)) return write(site, at, quote(cleaned));
  if (why === "no-prefix") return write(site, at, quote(`0x${text}`));
  const call = why === "function" ? callOf(text) : undefined;
  if (call !== undefined) return write(site, at, call);
  const topic = topicOf(site, at, text);
  if (topic !== undefined) return write(site, at, quote(topic));
  if (text === "0x0" && why === "odd") return [...write(site, at, '"0x"', false), ...write(site, at, '"0x00"', false)];
  return padded(site, problem, text);
}

/** The object for a call that is written as in code, or as a signature. What arguments in brackets mean is not known. */
function callOf(text: string): string | undefined {
  const [, name = "", inner = ""] = /^\s*([^\s(]+)\s*\(([^()[\]{}"']*)\)\s*$/.exec(text) ?? [];
  const signature = parseItem(`function ${text}`, "as written") && text.trim();
  if (signature === undefined && name === "") return undefined;
  const args = signature !== undefined || inner.trim() === "" ? [] : inner.split(",").map((arg) => quote(arg.trim()));
  return `{ "function": ${quote(signature ?? name)}, "args": [${args.join(", ")}] }`;
}

/** Where a topic is expected, the hash of the signature that is there. */
function topicOf(site: Site, at: Span, text: string): string | undefined {
  if (!rolesAt(site, at).includes("topic")) return undefined;
  return parseItem(`event ${text.replace(/^\s*event\s/, "")}`, "as written")?.hash;
}

/** A word is a number too, so that a short one has zeros in front; of a hash that is cut short a part is lost. */
function padded(site: Site, { span: at, expectedDigits }: ProblemWith<"bad-hex">, text: string): readonly Fix[] {
  if (expectedDigits !== 64 || !isHex(text) || text.length - 2 >= expectedDigits) return [];
  const roles = rolesAt(site, at);
  const isNumber = roles.includes("word") || (roles.includes("topic") && text.length === 42);
  return isNumber ? write(site, at, quote(`0x${text.slice(2).padStart(expectedDigits, "0")}`)) : [];
}

function rolesAt(site: Site, at: Span): readonly NonNullable<BytesType["role"]>[] {
  return shapesOf(typeAt(site, at) ?? "").flatMap((shape) =>
    shape.kind === "one" && shape.type.kind === "bytes" ? (shape.type.role ?? []) : [],
  );
}

export function fixBlock(site: Site, { span: at, meant, nearest: near }: ProblemWith<"bad-block">): readonly Fix[] {
  if (meant !== undefined) return write(site, at, quote(meant));
  const text = stringAt(site, at)?.trim() ?? "";
  return near.flatMap((tag) => write(site, at, quote(tag), near.length === 1 && (tag === text || isTypo(text, tag))));
}

/** More than these are for completion. */
const maxValues = 6;

export function fixValue(site: Site, { span: at, text, allowed }: ProblemWith<"unknown-value">): readonly Fix[] {
  const near = nearest(text, allowed, 1);
  const likely = near.filter((value) => isTypo(text, value));
  const shown = near.length > 0 ? near : allowed.length <= maxValues ? allowed : [];
  return shown.flatMap((value) => write(site, at, quote(value), likely.includes(value)));
}

/** A value of another type that becomes right by its brackets or its quotes. */
export function fixType(site: Site, at: Span): readonly Fix[] {
  const node = nodeAt(site.cell.root, at);
  if (!node) return [];
  const { text } = site.cell;
  const written = textOf(text, node);
  const key = node.parent?.type === "property" ? node.parent.children?.[0]?.value : undefined;
  if (key === "jsonrpc") return write(site, at, '"2.0"');
  if (key === "expect") return node.type === "array" ? [] : write(site, at, `{ "result": ${written} }`);
  if (key === "within" && node.type === "number") return fixWithin(site, at, written);
  if (key === "params" && node.type !== "object") return write(site, at, `[${written}]`, false);
  const type = typeAt(site, at);
  return type === undefined ? [] : otherForms(node, written).flatMap((json) => inType(site, node, type, json));
}

function otherForms(node: JsonNode, written: string): readonly string[] {
  if (node.type === "array") return node.children?.length === 1 ? [written.slice(1, -1).trim()] : [];
  const forms = [`[${written}]`];
  if (node.type === "string" && /^(?:true|false|null|-?\d+)$/.test(String(node.value))) forms.push(String(node.value));
  if (node.type === "boolean" || node.type === "number") forms.push(quote(written));
  return forms;
}

/** A time or a number of blocks: by the unit that was begun, or either. */
export function fixWithin(site: Site, at: Span, text: string): readonly Fix[] {
  const [, count, word = ""] = /^\s*(\d{1,9}(?:\.\d{1,3})?)\s*([A-Za-z]*)/.exec(text) ?? [];
  if (count === undefined) return [];
  const meant = nearest(word, ["s", "ms", "min", "blocks"], 1);
  return (word === "" ? ["s", "blocks"] : meant)
    .map((unit) => `${count} ${unit}`)
    .filter((within) => readWithin(within) !== undefined)
    .flatMap((within) => write(site, at, quote(within), false));
}

/** Offered only where the other form is right. */
function inType(site: Site, node: JsonNode, type: TypeRef, json: string): readonly Fix[] {
  const inList = json.startsWith("[") && node.type !== "array";
  const item = inList ? itemType(type) : undefined;
  if (inList) {
    const right = item !== undefined && checkValue(site.cell.text, node, item).length === 0;
    return right ? fix(site, "Put it in a list", true, replace(node, json)) : [];
  }
  const only = node.type === "array" ? node.children?.[0] : undefined;
  if (only) {
    const right = checkValue(site.cell.text, only, type).length === 0;
    return right ? fix(site, "Take it out of the list", true, replace(node, json)) : [];
  }
  const kinds = shapesOf(type).flatMap((shape) => (shape.kind === "one" ? [shape.type.kind] : []));
  const fits =
    (/^(?:true|false)$/.test(json) && kinds.includes("boolean")) ||
    (json === "null" && kinds.includes("null")) ||
    (/^-?\d+$/.test(json) && kinds.includes("integer"));
  return fits ? write(site, { start: node.offset, end: node.offset + node.length }, json) : [];
}

/** Never preferred: where a digit is wrong, it would only hide that. */
export function fixChecksum(site: Site, at: Span, right: string): readonly Fix[] {
  return fix(site, `Write the address as ${inTitle(right)}`, false, replace(at, quote(right)));
}

export function fixSample(site: Site, { span: at, text }: ProblemWith<"sample-placeholder">): readonly Fix[] {
  if (site.cell.kind === "header") return [];
  const word = /[\p{L}][\p{L}\p{N}_ -]*/u.exec(
    text.replace(/^0x/i, "").replace(/^(?:your|my|some|insert)(?=[-_ A-Z])/i, ""),
  )?.[0];
  return variableFor(site, at, nameFrom(word ?? "", nameOfPlace(site, at)));
}

/** A variable that a person fills in, in place of what is there. */
function variableFor(site: Site, at: Span, wanted: string): readonly Fix[] {
  const name = freeName(wanted, site.scope);
  const variable = newVariable(name, nothingYet, site.scope);
  if (!variable) return [];
  const edits = [{ cell: site.cell, ...replace(at, quote(`{{${name}}}`)) }, variable];
  return [{ title: `Make it a variable ${inTitle(`{{${name}}}`)}`, preferred: false, edits }];
}

/** The catalogue's name for a place: that of the parameter or field. */
export function nameOfPlace({ cell, scope }: Site, at: Span): string {
  const place = cursorContext(cell, at.start + 1, scope.catalog);
  if (place?.role.kind === "typed" && place.role.field) return nameFrom(place.role.field.name, "value");
  return place?.kind === "value" && place.key !== undefined ? nameFrom(place.key, "value") : "value";
}

/** Secrets are filled into parameters when they are sent, and nowhere else. */
export function fixSecret(site: Site, { span: at }: ProblemWith<"secret-in-file">): readonly Fix[] {
  const place = cursorContext(site.cell, at.start + 1, site.scope.catalog);
  if (place?.param === undefined) return [];
  const name = nameOfPlace(site, at)
    .replace(/(\p{Ll})(\p{Lu})/gu, "$1_$2")
    .toUpperCase();
  const reference = `{{$secret.${name}}}`;
  return fix(site, `Take it from the secret storage: ${inTitle(reference)}`, false, replace(at, quote(reference)));
}

/** A name that is set, or, where an editor keeps secrets, setting this one. */
export function fixUnset(
  site: Site,
  { span: at, source, name, nearest: near }: ProblemWith<"unset-value">,
): readonly Fix[] {
  const renamed = near.flatMap((other) => {
    const reference = `{{$${source}.${other}}}`;
    return fix(site, `Write ${inTitle(reference)}`, false, { span: at, insert: reference });
  });
  if (source !== "secret" || site.scope.hostNames?.stored === undefined) return renamed;
  return [{ title: `Set the secret ${inTitle(name)}…`, preferred: false, edits: [], setsSecret: name }, ...renamed];
}

/** The type that a value or a key of a map should have. */
function typeAt({ cell, scope }: Site, at: Span): TypeRef | undefined {
  const isList = /^[[{]/.test(cell.text.charAt(at.start)); // behind the bracket another place begins
  const place = cursorContext(cell, isList ? at.start : at.start + 1, scope.catalog);
  if (place?.kind === "key") return place.owner.kind === "typed" ? mapAt(place.owner.type)?.keys : undefined;
  return place?.role.kind === "typed" ? place.role.type : undefined;
}

function stringAt({ cell }: Site, at: Span): string | undefined {
  const node = nodeAt(cell.root, at);
  return node?.type === "string" ? String(node.value) : undefined;
}

export function quote(text: string): string {
  return JSON.stringify(text);
}
