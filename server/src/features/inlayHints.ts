import { assumptionsIn } from "../analysis/assume.ts";
import type { Scope } from "../analysis/scope.ts";
import { type TypedToken, typedTokens } from "../analysis/typedTokens.ts";
import { isAddress, isHex } from "../base/hex.ts";
import { isArray, isObject, type JsonValue } from "../base/json.ts";
import { type Span, span } from "../base/span.ts";
import { brief, listed, plural, shortHex } from "../base/text.ts";
import { formatDuration, formatTime, formatTimeMs, formatWei, grouped } from "../base/units.ts";
import { chain } from "../catalog/catalog.ts";
import { wellKnownSlot } from "../catalog/slots.ts";
import type { QuantityType, TypeRef, TypeSpec } from "../catalog/spec.ts";
import { isBlock, shapesOf } from "../catalog/types.ts";
import type { Assumption } from "../evaluate/assume/assumption.ts";
import type { Cell } from "../notebook/cell.ts";
import { eventsAt } from "./abiLookup.ts";
import { addressNames } from "./addressNames.ts";
import { functionNames } from "./callData.ts";
import { referencesIn } from "./placeholderDocs.ts";
import { placeholderValue } from "./placeholderValue.ts";
import { topicParams, topicPlace } from "./topicDocs.ts";
import { deploys } from "./valueMeaning.ts";

/** A few words behind a value. */
export interface InlayHint extends HintText {
  /** Empty: the position of the hint. */
  readonly span: Span;
}

interface HintText {
  /** Plain text. */
  readonly label: string;
  readonly kind: HintKind;
}

/**
 * The kind of a hint: an amount, a time or a number in other words; a name; the value of a placeholder; the result of
 * the cell; the result that it would have now.
 */
export type HintKind = "unit" | "name" | "value" | "result" | "live";

/** Says what values mean where their text does not. Asks no network. */
export function inlayHints(cell: Cell, scope: Scope): readonly InlayHint[] {
  const found = typedTokens(cell, scope.catalog).flatMap((word) => {
    const hint = word.kind === "key" ? keyHint(word, scope) : valueHint(word, cell, scope);
    return hint ? [{ span: span(word.span.end, word.span.end), kind: hint.kind, label: brief(hint.label, 60) }] : [];
  });
  const result = resultHint(cell, scope);
  return [...found, ...assumptionHints(cell, scope), ...(result ? [result] : [])];
}

function resultHint(cell: Cell, scope: Scope): InlayHint | undefined {
  const last = cell.requests.length > 0 && cell.root ? scope.lastResult(cell) : undefined;
  if (!last || !cell.root) return undefined;
  const end = cell.root.offset + cell.root.length;
  return {
    span: span(end, end),
    kind: "result",
    label: `${last.stale ? "stale: " : ""}${last.ok ? "✓" : "✗"} ${brief(last.summary, 60)}`,
  };
}

/** An address whose state is overridden, a slot. The keys of `labels` have their names beside them. */
function keyHint({ text, role, owner }: TypedToken, scope: Scope): HintText | undefined {
  if (owner.kind === "labels" || role.kind !== "typed") return undefined;
  return nameHint(text, scope) ?? slotHint(text);
}

function valueHint(word: TypedToken, cell: Cell, scope: Scope): HintText | undefined {
  const { text, role, quoted } = word;
  const blocks = quoted ? blocksIn(word) : undefined;
  if (blocks !== undefined) return timeHint(blocks, scope);
  if (quoted && word.param !== undefined && text.includes("{{")) return placeholderHint(word, cell, scope);
  if (!/^0x/i.test(text)) return undefined;
  if (role.kind === "typed") return typedHint(word, role.type, role.field?.name, cell, scope);
  if (role.kind === "member") return role.name === "chainId" ? quantityHint(text, "none", "chainId") : undefined;
  return nameHint(text, scope, word.owner.kind === "variables" ? word.path.at(-1)?.key : undefined);
}

/** How many blocks are counted: `"latest - 100"`, or `within`'s `"3 blocks"`. */
function blocksIn({ text, role }: TypedToken): number | undefined {
  if (role.kind === "member" && role.name === "within")
    return Number(/^(\d{1,9}) blocks?$/.exec(text)?.[1] ?? Number.NaN) || undefined;
  if (role.kind !== "typed" || !isBlock(role.type)) return undefined;
  return Number(/^[a-z]+ *- *(\d{1,9})$/.exec(text)?.[1] ?? Number.NaN) || undefined;
}

/** How long that is, at the rate at which blocks come. */
function timeHint(blocks: number, { endpoint }: Scope): HintText | undefined {
  const blockMs = endpoint?.cadence.blockMs;
  if (blockMs === undefined) return undefined;
  return { kind: "unit", label: `${plural(blocks, "block")}, about ${formatDuration(blocks * blockMs)}` };
}

function typedHint(
  word: TypedToken,
  type: TypeRef,
  field: string | undefined,
  cell: Cell,
  scope: Scope,
): HintText | undefined {
  for (const shape of shapesOf(type)) {
    const hint = shape.kind === "one" ? shapeHint(word, shape.type, isBlock(type), field, cell, scope) : undefined;
    if (hint) return hint;
  }
  return undefined;
}

function shapeHint(
  { text, path }: TypedToken,
  type: TypeSpec,
  block: boolean,
  field: string | undefined,
  cell: Cell,
  scope: Scope,
): HintText | undefined {
  if (type.kind === "quantity") return block && text.length > 18 ? undefined : quantityHint(text, type.unit, field);
  if (type.kind === "any") return nameHint(text, scope);
  if (type.kind !== "bytes") return undefined;
  switch (type.role) {
    case "address":
      return nameHint(text, scope);
    case "topic":
      return topicHint(text, path, cell, scope);
    case "calldata":
      return isHex(text) && text.length >= 10 && !deploys(path)
        ? named(functionNames(text, path, cell, scope))
        : undefined;
    case "slot":
    case "word":
      return slotHint(text);
    default:
      return undefined;
  }
}

/** A single digit is the same in decimal, and a number beyond 2^64 is not a count. */
function quantityHint(text: string, unit: QuantityType["unit"], field?: string): HintText | undefined {
  if (!/^0x[0-9a-f]{1,64}$/i.test(text)) return undefined;
  const amount = BigInt(text.toLowerCase());
  const chainName = field === "chainId" ? chain(amount)?.name : undefined;
  if (chainName !== undefined) return { kind: "name", label: chainName };
  if (amount < 10n) return undefined;
  if (unit === "wei") return { kind: "unit", label: formatWei(amount) };
  if (amount >= 1n << 64n) return undefined;
  return { kind: "unit", label: countText(amount, unit) };
}

function countText(amount: bigint, unit: QuantityType["unit"]): string {
  return unit === "seconds" ? formatTime(amount) : unit === "milliseconds" ? formatTimeMs(amount) : grouped(amount);
}

/** @param known - A name that is beside it already. */
function nameHint(text: string, scope: Scope, known?: string): HintText | undefined {
  const name = isAddress(text) ? addressNames(scope).get(text.toLowerCase()) : undefined;
  return name === undefined || name === known ? undefined : { kind: "name", label: name };
}

function slotHint(text: string): HintText | undefined {
  const known = /^0x[0-9a-f]{60,64}$/i.test(text) ? wellKnownSlot(text) : undefined;
  return known && { kind: "name", label: known.name };
}

function topicHint(text: string, path: TypedToken["path"], cell: Cell, scope: Scope): HintText | undefined {
  if (!/^0x[0-9a-f]{64}$/i.test(text)) return undefined;
  const place = topicPlace(path, cell, scope);
  if (!place || place.position === 0)
    return named([...new Set(eventsAt(text, cell, scope, place?.address).map(({ name }) => name))]);
  const [first, ...others] = topicParams(place);
  if (!first) return undefined;
  const address = first.param.type.kind === "address" && /^0x0{24}/.test(text) ? `0x${text.slice(26)}` : undefined;
  const whose = address && addressNames(scope).get(address.toLowerCase());
  const label = [others.length === 0 ? first.param.name : "", whose ?? ""].filter((part) => part).join(": ");
  return label === "" ? undefined : { kind: "name", label };
}

function named(names: readonly string[]): HintText | undefined {
  return names.length === 0 ? undefined : { kind: "name", label: listed(names.slice(0, 3), "or") };
}

/** Longer values are for the hover. */
const shortValue = 40;

/** The value of a string that is one placeholder, if it is short. */
function placeholderHint({ span: at, role }: TypedToken, cell: Cell, scope: Scope): HintText | undefined {
  const [reference] = referencesIn(cell.text, at);
  const found = reference?.whole ? placeholderValue(reference.path, scope) : undefined;
  if (!found || (found.from !== "variable" && found.from !== "cell")) return undefined;
  const { value } = found;
  if (value === undefined || value === null || isArray(value) || isObject(value)) return undefined;
  const label = `= ${inWords(value, role.kind === "typed" ? role.type : undefined)}`;
  return label.length <= shortValue ? { kind: "value", label } : undefined;
}

function inWords(value: JsonValue, type: TypeRef | undefined): string {
  const text = String(value);
  if (isAddress(text)) return shortHex(text);
  const units =
    type === undefined
      ? []
      : shapesOf(type).flatMap((shape) =>
          shape.kind === "one" && shape.type.kind === "quantity" ? [shape.type.unit] : [],
        );
  return (units[0] && quantityHint(text, units[0])?.label) ?? text;
}

/** Says what each assumption becomes: the word of storage, the time. The word of a token is known after a run. */
function assumptionHints(cell: Cell, scope: Scope): readonly InlayHint[] {
  return assumptionsIn(cell, scope)
    .flatMap(({ list }) => list)
    .flatMap(({ override, span: at }): readonly InlayHint[] => {
      const label = labelOf(override);
      return label === undefined ? [] : [{ span: span(at.end, at.end), label: brief(label, 60), kind: "value" }];
    });
}

function labelOf(override: Assumption["override"]): string | undefined {
  switch (override.kind) {
    case "slot":
      return `= ${shortNumber(override.value)} in slot ${shortHex(override.slot)}`;
    case "time":
      return `= ${formatTime(BigInt(override.value))}`;
    case "balance":
    case "code":
      return undefined;
  }
}

/** @example shortNumber("0x0…0a"); //=> "0xa" */
function shortNumber(word: string): string {
  const hex = `0x${BigInt(word).toString(16)}`;
  return hex.length > 20 ? shortHex(hex) : hex;
}
