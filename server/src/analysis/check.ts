import { checksummed } from "../abi/address.ts";
import type { AbiItem } from "../abi/item.ts";
import { isAddress } from "../base/hex.ts";
import { maxDepth } from "../base/json.ts";
import { bracketBeyond } from "../base/jsonScan.ts";
import { memoByObject, memoByPair } from "../base/memo.ts";
import { type Span, span } from "../base/span.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { Cell, SyntaxFault } from "../notebook/cell.ts";
import { isJson, spanOf, textsIn } from "../notebook/json.ts";
import { abiItems } from "./abi.ts";
import { checkInScope } from "./checkInScope.ts";
import { checkHeader } from "./header.ts";
import { unfilled } from "./placeholders.ts";
import type { Problem } from "./problem.ts";
import { checkBatch, checkRequest } from "./request.ts";
import type { Scope } from "./scope.ts";
import { keysBesideAddresses, secretsIn } from "./secrets.ts";

/**
 * Finds the mistakes in a cell, in the order of the text. What the cell alone decides is remembered for as long as
 * the cell lives, so that only its names, endpoint and limits are looked at again.
 */
export function check(cell: Cell, scope: Scope): readonly Problem[] {
  const found = [
    ...problemsAlone(cell)(scope.catalog, abiItems(cell, scope)),
    ...checkInScope(cell, scope),
    ...keysBesideAddresses(cell, scope),
  ];
  return found.sort((a, b) => a.span.start - b.span.start || a.span.end - b.span.end);
}

/** Finds the mistakes that a cell alone shows, by the catalogue, without a notebook around it. */
export function mistakesIn(cell: Cell, catalog: Catalog): readonly Problem[] {
  return problemsAlone(cell)(catalog, noItems);
}

const noItems: readonly AbiItem[] = [];

const problemsAlone = memoByObject((cell: Cell) =>
  memoByPair((catalog: Catalog, abi: readonly AbiItem[]) => checkAlone(cell, catalog, abi)),
);

/** Checks what the cell alone decides. If the JSON is broken, reports nothing else at the same place. */
function checkAlone(cell: Cell, catalog: Catalog, abi: readonly AbiItem[]): readonly Problem[] {
  if (cell.kind === "markdown") return [...cell.faults, ...secretsIn(cell)];
  const faults = syntaxProblems(cell);
  const others = [...hiddenCharacters(cell.text), ...inTree(cell, catalog, abi)];
  return [...faults, ...others.filter(({ span: at }) => !faults.some(({ span: fault }) => includes(fault, at.start)))];
}

function includes({ start, end }: Span, offset: number): boolean {
  return start <= offset && offset < end;
}

function inTree(cell: Cell, catalog: Catalog, abi: readonly AbiItem[]): readonly Problem[] {
  switch (cell.kind) {
    case "batch":
      return [...wherever(cell), ...checkBatch(cell, catalog), ...inRequests(cell, catalog, abi)];
    case "request":
      return [...wherever(cell), ...inRequests(cell, catalog, abi)];
    case "header":
      return [...wherever(cell), ...checkHeader(cell.text, cell.root)];
    case "opaque":
      return [...tooDeep(cell.text), ...secretsIn(cell)];
    case "unfinished":
      return secretsIn(cell);
    case "markdown":
      return [];
  }
}

function tooDeep(text: string): readonly Problem[] {
  const at = bracketBeyond(text, maxDepth) ?? 0;
  return [{ code: "too-deep", span: span(at, at + 1), isJson: isJson(text) }];
}

/** Finds problems that do not depend on their place. */
function wherever(cell: Cell): readonly Problem[] {
  return [...badChecksums(cell), ...secretsIn(cell), ...unfilled(cell)];
}

/** In broken text nothing is said to be missing: it may be what is being typed. */
function inRequests(cell: Cell, catalog: Catalog, abi: readonly AbiItem[]): readonly Problem[] {
  const known = { cell, text: cell.text, broken: cell.faults.length > 0, catalog, abi };
  return cell.requests.flatMap((request) => checkRequest(request, known));
}

/** Marks that reorder a line and spaces without width, raw in the text; written as an escape they can be seen. */
const hiddenMark = /[\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

function hiddenCharacters(text: string): readonly Problem[] {
  return [...text.matchAll(hiddenMark)].map(({ 0: mark, index }) => ({
    code: "bidi-character",
    span: span(index, index + 1),
    character: `U+${hexOf(mark)}`,
  }));
}

/**
 * Finds addresses whose letters, small and capital, are not those of their checksum. In one case alone they carry none.
 * @see https://eips.ethereum.org/EIPS/eip-55
 */
function badChecksums({ root }: Cell): readonly Problem[] {
  if (!root) return [];
  return [...textsIn(root)].flatMap(({ node }): readonly Problem[] => {
    const address = node.value;
    if (!isAddress(address) || !/[a-f]/.test(address) || !/[A-F]/.test(address)) return [];
    const right = checksummed(address);
    return right === address ? [] : [{ code: "bad-checksum", span: spanOf(node), right }];
  });
}

/** A `curl` command, as documentation has it, behind the prompt of a shell or none. */
export const curlCommand = /^\s*(?:[$>]\s*)?(curl(?:\.exe)?)\s/;

/** The faults of a cell's JSON; those that come of something pasted or half known say what to do instead. */
function syntaxProblems({ text, faults }: Cell): readonly SyntaxFault[] {
  if (faults.length === 0) return faults;
  const pasted = curlCommand.exec(text);
  if (pasted) {
    const start = pasted[0].indexOf("curl");
    const what = "this is a `curl` command; paste the JSON of its `--data` in place of it";
    return [{ code: "json-syntax", span: span(start, start + (pasted[1]?.length ?? 0)), what }];
  }
  const loose = faults.flatMap(({ span: at }) => placeholderAt(text, at) ?? []);
  return faults.flatMap((fault) => {
    const around = loose.find(({ start, end }) => start <= fault.span.start && fault.span.start < end);
    if (!around) return [{ ...fault, what: clearer(text, fault) ?? fault.what }];
    if (around.start + 1 !== fault.span.start) return [];
    return [{ ...fault, span: around, what: "placeholders belong inside a string, in double quotes" }];
  });
}

/** A placeholder without quotes: the parser stumbles over its second brace. */
function placeholderAt(text: string, { start }: Span): Span | undefined {
  const found =
    text[start] === "{" && text[start - 1] === "{"
      ? /^\{\{[^{}"\r\n]{1,200}\}\}/.exec(text.slice(start - 1, start + 204))
      : null;
  return found ? span(start - 1, start - 1 + found[0].length) : undefined;
}

function clearer(text: string, { span: at }: SyntaxFault): string | undefined {
  const token = text.slice(at.start, at.end);
  if (/^(?:\.{3}|…|<[^<>]+>$)/.test(token)) return "this is a sample: write your own value";
  if (/^[“”„«»]/.test(token)) return "strings need straight double quotes";
  if (/^\s$/.test(token)) return `this space (U+${hexOf(token)}) is not allowed in JSON`;
  return undefined;
}

function hexOf(mark: string): string {
  return mark.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0");
}
