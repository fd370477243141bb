import { decodeCreation } from "../abi/code.ts";
import { abiScope } from "../analysis/abi.ts";
import type { Scope } from "../analysis/scope.ts";
import { memberOf, type TypedToken, textOf } from "../analysis/typedTokens.ts";
import { byteLength, isAddress, isHex, isWord } from "../base/hex.ts";
import { code, figure, joined, link, type Markdown, markdown, prose } from "../base/markdown.ts";
import { plural } from "../base/text.ts";
import { amountInWei, formatTime, formatTimeMs, formatUnit, formatUnits, formatWei } from "../base/units.ts";
import { chain } from "../catalog/catalog.ts";
import { wellKnownSlot } from "../catalog/slots.ts";
import type { BytesType, QuantityType, TypeRef } from "../catalog/spec.ts";
import { isBlock, type Shape, shapesOf } from "../catalog/types.ts";
import type { Cell } from "../notebook/cell.ts";
import { wordShown } from "../report/word.ts";
import { functionsAt, sourceText } from "./abiLookup.ts";
import { addressCard, addressNames, explorerLink } from "./addressNames.ts";
import { callDocs } from "./callData.ts";
import { slotDocs } from "./storedVariables.ts";
import { eventDocs, topicDocs } from "./topicDocs.ts";
import { abiValueMarkdown, shownMarkdown } from "./valueMarkdown.ts";

/** A value and its place. */
export interface ValueMeaning {
  readonly text: string;
  readonly path: TypedToken["path"];
  /** The method of the request around it. */
  readonly method: string | undefined;
  readonly cell: Cell;
  readonly scope: Scope;
}

/** Describes a value of a known type in other words, as Markdown. */
export function meaningOf(value: ValueMeaning, type: TypeRef, field?: string): Markdown | undefined {
  const shapes = shapesOf(type).flatMap((shape) => (shape.kind === "one" ? [shape] : []));
  const parts = isBlock(type) ? [blockReading(value, shapes)] : shapes.map(({ type }) => ofShape(value, type, field));
  return [...new Set(parts)].find((part) => part !== undefined);
}

type One = Extract<Shape, { readonly kind: "one" }>;

function ofShape(value: ValueMeaning, type: One["type"], field: string | undefined): Markdown | undefined {
  switch (type.kind) {
    case "oneOf":
      return meaning(value.text, type.values);
    case "quantity":
      return quantityReading(value.text, type.unit, value.scope, field);
    case "bytes":
      return bytesReading(value, type, field);
    case "any":
    case "string":
      return guess(value);
    case "boolean":
    case "integer":
    case "null":
    case "object":
    case "map":
      return undefined;
  }
}

function meaning(
  text: string,
  values: readonly { readonly value: string; readonly summary: string }[],
): Markdown | undefined {
  const found = values.find(({ value }) => value === text);
  if (!found) return undefined;
  return found.summary === "" ? code(found.value) : markdown`${code(found.value)}: ${prose(found.summary)}`;
}

function blockReading(value: ValueMeaning, shapes: readonly One[]): Markdown | undefined {
  const { text, scope } = value;
  if (isWord(text)) return joined([markdown`The block with this hash.`, explorerLink("block", text, scope)], " ");
  const tag = shapes.flatMap(({ type }) => (type.kind === "oneOf" ? type.values : []));
  return meaning(text, tag) ?? quantityReading(text, "block", scope);
}

/** Parses a text as a number, including the ways in which people write numbers. */
function amountOf(text: string): bigint | undefined {
  if (/^(0x[0-9a-f]{1,64}|\d{1,78})$/i.test(text)) return BigInt(text.toLowerCase());
  const wei = amountInWei(text);
  return typeof wei === "bigint" ? wei : undefined;
}

function quantityReading(text: string, unit: QuantityType["unit"], scope: Scope, field?: string): Markdown | undefined {
  const amount = /[a-z]$/i.test(text) && !/^0x/i.test(text) && unit !== "wei" ? undefined : amountOf(text);
  return amount === undefined ? undefined : amountWords(amount, unit, scope, field);
}

function amountWords(amount: bigint, unit: QuantityType["unit"], scope: Scope, field: string | undefined): Markdown {
  switch (unit) {
    case "wei": {
      const smaller = (["gwei", "wei"] as const).map((unit) => formatUnit(amount, unit));
      const forms = [...new Set([formatWei(amount), ...(amount === 0n ? [] : smaller)])];
      return joined(forms.map(figure), " = ");
    }
    case "gas":
      return markdown`${amount} gas`;
    case "block":
      return joined([markdown`Block ${amount}`, explorerLink("block", String(amount), scope)], " · ");
    case "seconds":
      return markdown`${figure(formatTime(amount))} (${amount} s since 1970)`;
    case "milliseconds":
      return markdown`${figure(formatTimeMs(amount))} (${amount} ms since 1970)`;
    case "count":
    case "index":
    case "none": {
      const name = field === "chainId" ? chain(amount)?.name : undefined;
      if (name !== undefined) return markdown`${amount} in decimal: ${prose(name)}`;
      const inDecimal = markdown`${amount} in decimal`;
      return amount < 10n ** 12n ? inDecimal : markdown`${inDecimal} (${inUnits(amount)})`;
    }
  }
}

function bytesReading(value: ValueMeaning, { role }: BytesType, field: string | undefined): Markdown | undefined {
  const { text, cell, scope, path } = value;
  switch (role) {
    case "address":
      return isAddress(text) ? addressCard(text, scope) : undefined;
    case "topic":
      return topicDocs(text, path, cell, scope);
    case "slot":
      return (
        slotReading(text) ??
        slotDocs(text, path, cell, scope) ??
        (text.length <= 18 ? quantityReading(text, "none", scope) : undefined)
      );
    case "word":
      return slotReading(text) ?? wordReading(value);
    case "calldata":
      return deploys(path) ? initCode(value) : callDocs(text, path, cell, scope);
    case "hash":
      return hashReading(value, field ?? value.method ?? "");
    case "returndata":
    case "code":
    case "bloom":
    case undefined:
      return isHex(text) && text.length > 66 ? figure(plural(byteLength(text), "byte")) : undefined;
  }
}

/** @param of - The field or the method, whose name distinguishes a transaction's hash from a block's. */
function hashReading({ text, scope }: ValueMeaning, of: string): Markdown | undefined {
  if (!isWord(text)) return undefined;
  if (/transaction/i.test(of)) return explorerLink("transaction", text, scope);
  return /block/i.test(of) ? explorerLink("block", text, scope) : undefined;
}

function slotReading(text: string): Markdown | undefined {
  const known = /^0x[0-9a-fA-F]{1,64}$/.test(text) ? wellKnownSlot(text) : undefined;
  return known && joined([markdown`${code(known.name)} · ${prose(known.summary)}`, link("Source", known.source)], " ");
}

function wordReading({ text, scope }: ValueMeaning): Markdown | undefined {
  return isWord(text) ? shownMarkdown(wordShown(text.toLowerCase(), addressNames(scope))) : undefined;
}

/** A call object without `to` deploys what is in `data`. */
export function deploys(path: TypedToken["path"]): boolean {
  const object = path.at(-1)?.container;
  const to = memberOf(object, "to");
  return object?.kind === "object" && (to === undefined || textOf(to) === "null");
}

/** Code without a receiver deploys a contract; of one of the project also what its constructor is given. */
function initCode({ text, cell, scope }: ValueMeaning): Markdown | undefined {
  if (!isHex(text) || text.length <= 2) return undefined;
  const { contract, args = [] } = decodeCreation(text, abiScope(cell, scope).creatables) ?? {};
  const names = addressNames(scope);
  const size = figure(plural(byteLength(text), "byte"));
  const lines = args.map(({ name, type, value }, at) => {
    const label = name === "" ? markdown`argument ${at + 1}` : code(name, 60);
    return markdown`- ${label} (${code(type, 80)}): ${abiValueMarkdown(value, type, names)}`;
  });
  return joined(
    [
      markdown`${size} of code that deploys a contract, since there is no \`to\`.`,
      contract && markdown`It creates ${code(contract.name, 60)} · ${sourceText(contract.source)}`,
      joined(lines, "\n"),
    ],
    "\n\n",
  );
}

/** Guesses the meaning of a value without a declared type: a variable, an argument, an operand of `expect`. */
export function guess(value: ValueMeaning): Markdown | undefined {
  const { text, cell, scope } = value;
  if (isAddress(text)) return addressCard(text, scope);
  if (isWord(text)) return slotReading(text) ?? eventDocs(text, cell, scope) ?? wordReading(value);
  if (isCallData(text) && functionsAt(text.slice(0, 10), cell, scope).length > 0)
    return callDocs(text, value.path, cell, scope);
  if (isHex(text) && text.length > 66) return figure(plural(byteLength(text), "byte"));
  const amount = /^0x/i.test(text) || text.length > 12 ? amountOf(text) : undefined;
  if (amount === undefined) return undefined;
  return joined([markdown`${amount} in decimal`, amount < 10n ** 12n ? undefined : inUnits(amount)], " · ");
}

/** A large number as tokens have it. */
function inUnits(amount: bigint): Markdown {
  return markdown`${figure(formatUnits(amount, 18))} with 18 decimals`;
}

/** A selector, alone or with whole words behind it. */
function isCallData(text: string): boolean {
  return isHex(text) && text.length >= 10 && (text.length - 10) % 64 === 0;
}
