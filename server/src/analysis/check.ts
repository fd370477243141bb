import type { AbiItem } from "../abi/item.ts";
import { maxDepth } from "../base/json.ts";
import { bracketBeyond } from "../base/jsonScan.ts";
import { memoByObject, memoByPair } from "../base/memo.ts";
import { type Span, span } from "../base/span.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { Cell } from "../notebook/cell.ts";
import { isJson } from "../notebook/json.ts";
import { abiItems } from "./abi.ts";
import { checkBatch } from "./batch.ts";
import { checkInScope } from "./checkInScope.ts";
import { badChecksums } from "./checksum.ts";
import { checkHeader } from "./header.ts";
import { unfilled } from "./placeholders.ts";
import type { Problem } from "./problem.ts";
import { checkRequest } from "./request.ts";
import type { Scope } from "./scope.ts";
import { keysBesideAddresses, secretsIn } from "./secrets.ts";
import { syntaxProblems } from "./syntax.ts";

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
function inRequests({ text, requests, faults }: Cell, catalog: Catalog, abi: readonly AbiItem[]): readonly Problem[] {
  const known = { text, broken: faults.length > 0, catalog, abi };
  return requests.flatMap((request) => checkRequest(request, known));
}

/** Marks that reorder a line and spaces without width, raw in the text; written as an escape they can be seen. */
const hiddenMark = /[\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

function hiddenCharacters(text: string): readonly Problem[] {
  return [...text.matchAll(hiddenMark)].map(({ 0: mark, index }) => ({
    code: "bidi-character",
    span: span(index, index + 1),
    character: `U+${mark.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}`,
  }));
}
