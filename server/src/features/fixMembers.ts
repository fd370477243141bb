import type { ProblemWith } from "../analysis/problem.ts";
import { isTypo } from "../analysis/typo.ts";
import { quantity, toQuantity } from "../base/hex.ts";
import { type Span, span } from "../base/span.ts";
import type { JsonNode } from "../notebook/json.ts";
import { nodeAt, propertyOf, removal, replace, textOf } from "./edits.ts";
import { type Fix, fix, inTitle, type Site } from "./fix.ts";

/** A key that means nothing: the one that was meant, or none. */
export function fixKey(
  site: Site,
  { span: at, name, nearest, code }: ProblemWith<"unknown-member"> | ProblemWith<"unknown-field">,
): readonly Fix[] {
  const property = propertyOf(nodeAt(site.cell.root, at));
  if (!property) return [];
  const free = nearest.filter((one) => !siblingNamed(property, one));
  const renamed = free.flatMap((one) => {
    const sure = free.length === 1 && (isTypo(name, one) || code === "unknown-field");
    return fix(site, `Rename it to ${inTitle(one)}`, sure, replace(at, JSON.stringify(one)));
  });
  return [...renamed, ...fix(site, `Delete ${inTitle(name)}`, false, removal(property))];
}

function siblingNamed(property: JsonNode, name: string): JsonNode | undefined {
  return property.parent?.children?.find((other) => other !== property && other.children?.[0]?.value === name);
}

/** Readers take the last one: deleting those before it changes nothing. */
export function fixDuplicate(site: Site, { span: at, name }: ProblemWith<"duplicate-key">): readonly Fix[] {
  const property = propertyOf(nodeAt(site.cell.root, at));
  const earlier = property && siblingNamed(property, name);
  if (!property || !earlier || earlier.offset > property.offset) return [];
  return [
    ...fix(site, `Delete the first ${inTitle(name)}, which is ignored`, true, removal(earlier)),
    ...fix(site, `Delete this ${inTitle(name)}`, false, removal(property)),
  ];
}

/** Keeps the specification's of two names of the same member; lets you choose between two that exclude each other. */
export function fixExclusive(site: Site, { span: at, names }: ProblemWith<"exclusive-fields">): readonly Fix[] {
  const property = propertyOf(nodeAt(site.cell.root, at));
  const object = property?.parent;
  if (!object) return [];
  const kept = names.includes("data") && names.includes("input") ? "input" : aliasKept(names);
  return names
    .flatMap((name) => object.children?.findLast((one) => one.children?.[0]?.value === name) ?? [])
    .map((one) => ({
      one,
      name: String(one.children?.[0]?.value),
      sure: kept !== undefined && one.children?.[0]?.value !== kept,
    }))
    .sort((a, b) => Number(b.sure) - Number(a.sure))
    .flatMap(({ one, name, sure }) => fix(site, `Delete ${inTitle(name)}`, sure && names.length === 2, removal(one)));
}

/** Fields that have more than one name, in the name to write. */
const canonical: readonly string[] = ["number", "time", "feeRecipient", "prevRandao", "baseFeePerGas", "beaconRoot"];

function aliasKept(names: readonly string[]): string | undefined {
  const kept = names.filter((name) => canonical.includes(name));
  return kept.length === 1 ? kept[0] : undefined;
}

export function fixTooMany(site: Site, { span: at, most }: ProblemWith<"too-many-items">): readonly Fix[] {
  const list = propertyOf(nodeAt(site.cell.root, at))?.children?.[1];
  const items = list?.children ?? [];
  const [last, end] = [items[most - 1], items.at(-1)];
  if (!last || !end) return [];
  const empty = items.slice(most).every(({ type }) => type === "null");
  const rest = span(last.offset + last.length, end.offset + end.length);
  return fix(site, `Keep the first ${most}`, empty, replace(rest, ""));
}

export function fixInverted(site: Site, at: Span): readonly Fix[] {
  const range = rangeAround(site, at);
  if (!range) return [];
  const [from, to] = range;
  const { text } = site.cell;
  const edits = [replace(from, textOf(text, to)), replace(to, textOf(text, from))];
  return fix(site, "Swap `fromBlock` and `toBlock`", true, ...edits);
}

/** Never preferred: a run splits a wide range by itself. */
export function fixRange(site: Site, { span: at, limit }: ProblemWith<"log-range-over-limit">): readonly Fix[] {
  const [from, to] = rangeAround(site, at) ?? [];
  const [first, last] = [quantity(from?.value), quantity(to?.value)];
  if (!from || !to || first === undefined || last === undefined) return [];
  const [end, start] = [toQuantity(first + limit), toQuantity(last - limit)];
  return [
    ...fix(site, `End at ${inTitle(end)}`, false, replace(to, JSON.stringify(end))),
    ...fix(site, `Begin at ${inTitle(start)}`, false, replace(from, JSON.stringify(start))),
  ];
}

function rangeAround({ cell }: Site, at: Span): readonly [JsonNode, JsonNode] | undefined {
  const filter = nodeAt(cell.root, at)?.parent?.parent;
  const value = (key: string): JsonNode | undefined =>
    filter?.children?.findLast((one) => one.children?.[0]?.value === key)?.children?.[1];
  const [from, to] = [value("fromBlock"), value("toBlock")];
  return from && to ? [from, to] : undefined;
}
