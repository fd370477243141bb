import assert from "node:assert/strict";
import fc from "fast-check";
import { cursorContext } from "../../../server/src/analysis/cursorContext.ts";
import type { Scope } from "../../../server/src/analysis/scope.ts";
import type { Span } from "../../../server/src/base/span.ts";
import type { FilePlace } from "../../../server/src/base/text.ts";
import { bundledCatalog } from "../../../server/src/catalog/catalog.ts";
import { codeActions } from "../../../server/src/features/codeActions.ts";
import { codeLenses } from "../../../server/src/features/codeLens.ts";
import { completion } from "../../../server/src/features/completion.ts";
import { definition } from "../../../server/src/features/definition.ts";
import { diagnostics } from "../../../server/src/features/diagnostics.ts";
import { foldingRanges } from "../../../server/src/features/folding.ts";
import { formatCell } from "../../../server/src/features/formatting.ts";
import { hover } from "../../../server/src/features/hover.ts";
import { inlayHints } from "../../../server/src/features/inlayHints.ts";
import { links } from "../../../server/src/features/links.ts";
import type { CellSpan } from "../../../server/src/features/location.ts";
import { references } from "../../../server/src/features/references.ts";
import { rename, renameable } from "../../../server/src/features/rename.ts";
import { selectionRanges } from "../../../server/src/features/selectionRanges.ts";
import { type SemanticToken, semanticTokens } from "../../../server/src/features/semanticTokens.ts";
import { signatureHelp } from "../../../server/src/features/signatureHelp.ts";
import { type DocumentSymbol, symbols } from "../../../server/src/features/symbols.ts";
import { wireForm } from "../../../server/src/features/wireForm.ts";
import type { Cell } from "../../../server/src/notebook/cell.ts";
import { readCell } from "../../../server/src/notebook/readCell.ts";
import { scopeOf } from "../../support/cell.ts";
import { applied } from "../../support/complete.ts";
import { corpusLines } from "../../support/corpus.ts";
import { some, times } from "../../support/depth.ts";

const samples = [
  `{ "name": "b", "method": "eth_getBalance", "params": ["{{alice}}", "pending"], "expect": { "result": { ">=": "1" } } }`,
  `{\n  "method": "eth_call",\n  "params": [{ "to": "{{token}}", "data": "0x70a08231" }, { "blockNumber": "0x1" }]\n}`,
  `{ "method": "eth_simulateV1", "params": [{ "blockStateCalls": [{ "stateOverrides": { "0x12": { "state": {} } }, "calls": [{ "gas": 1 }] }] }, "late`,
  `{ "method": "eth_getLogs", "params": [{ "address": [], "topics": [null, ["0x\\u00e9", "\u{1f600}"]], "fromBlock": "0x1" }] }`,
  `{ "batch": [{ "method": "eth_chainId" }, [], 3, { "params": {} }], "__proto__": 1, "constructor": { "toString": 2 } }`,
  `[{"method":"eth_chainId",}, {"method" "x"} "y" ]]}} {"`,
];
const around = {
  header: `{ "variables": { "alice": "0x70997970C51812dc3A010C7d01b50e0d17dc79C8" }, "labels": { "0x": 1 } }`,
};

/** A text as each kind of cell, with the answers of the features that need no place. */
interface Read {
  readonly text: string;
  readonly cells: readonly { readonly cell: Cell; readonly scope: Scope; readonly spans: readonly Span[] }[];
}

let last: Read | undefined;

/** Reads a text, and asks the features that need no place. The last text is read once. */
function read(text: string): Read {
  if (last?.text === text) return last;
  const cells = ([undefined, "header"] as const).map((kind) => {
    const cell = readCell(text, kind);
    const scope = scopeOf(cell, around);
    wireForm(cell, scope);
    const spans = [
      ...diagnostics(cell, scope),
      ...codeLenses(cell, scope, 0),
      ...inlayHints(cell, scope),
      ...inOrder(semanticTokens(cell, scope)),
      ...symbols(cell, 1, scope).flatMap(nested),
      ...foldingRanges(cell),
      ...links(cell, scope),
      ...formatCell(cell, { indent: "  " }),
    ].map(({ span }) => span);
    return { cell, scope, spans };
  });
  last = { text, cells };
  return last;
}

/** Asks every feature at one place; what they say has to be in the text. */
function ask(text: string, offset: number): void {
  for (const { cell, scope, spans: others } of read(text).cells) {
    const own = (uses: readonly (CellSpan | FilePlace)[]): readonly CellSpan[] =>
      uses.flatMap((use) => ("cell" in use && use.cell === cell ? use : []));
    const renamed = rename(cell, offset, "renamed", scope);
    const found = completion(cell, offset, scope);
    const spans = [
      ...codeActions(cell, { start: offset, end: offset }, scope).flatMap(({ edits }) => own(edits)),
      ...own(definition(cell, offset, scope)),
      ...own(references(cell, offset, scope)),
      renameable(cell, offset, scope),
      ...("refused" in renamed ? [] : own(renamed)),
      hover(cell, offset, scope),
      cursorContext(cell, offset, bundledCatalog),
      ...found,
    ].flatMap((one) => (one ? one.span : []));
    for (const { documentation } of found.slice(0, 3)) documentation?.();
    const help = signatureHelp(cell, offset, scope);
    for (const { span } of help?.params ?? []) assert.ok(span.end <= (help?.label.length ?? 0));
    for (const { start, end } of [...others, ...spans, ...selectionRanges(cell, offset)])
      assert.ok(0 <= start && start <= end && end <= text.length, text);
  }
}

function nested(symbol: DocumentSymbol): readonly { readonly span: Span }[] {
  const { span, selection, children } = symbol;
  assert.ok(span.start <= selection.start && selection.end <= span.end, symbol.name);
  return [symbol, ...children.flatMap(nested)];
}

function inOrder(tokens: readonly SemanticToken[]): readonly SemanticToken[] {
  for (const [at, { span }] of tokens.entries()) assert.ok(span.start >= (tokens[at - 1]?.span.end ?? 0), "overlap");
  return tokens;
}

/** Requests as people and specifications write them, laid out as a cell. */
function publishedRequests(): readonly string[] {
  const own = bundledCatalog.methods.map(({ name, example }) => ({ method: name, params: example.params }));
  const theirs = [...corpusLines("requests"), ...corpusLines("apis")].map((line) => {
    const { raw, body, method, params } = JSON.parse(line);
    return raw ?? body ?? { method, params };
  });
  return [...own, ...theirs]
    .map((request) => (typeof request === "string" ? request : JSON.stringify(request, undefined, 1)))
    .filter((text) => text.length < 5000);
}

describe("features", function () {
  this.timeout(300_000); // a few hundred thousand answers
  it("answer at every place of a cell, and at the end of every beginning", () => {
    const offsets = (sample: string): readonly number[] => [...Array(sample.length + 1).keys()];
    const places = samples.flatMap((sample) => [
      ...offsets(sample).map((offset) => [sample, offset] as const),
      ...offsets(sample).map((end) => [sample.slice(0, end), end] as const),
    ]);
    for (const [text, offset] of some(places, 100)) ask(text, offset);
  });

  it("answer at any place of any beginning", () =>
    fc.assert(
      fc.property(fc.constantFrom(...samples), fc.nat(250), fc.nat(250), (sample, length, offset) => {
        const text = sample.slice(0, length);
        ask(text, Math.min(offset, text.length));
      }),
      { numRuns: times(300, 20) },
    ));

  it("answer at any place of any beginning of published requests", () => {
    const requests = publishedRequests();
    fc.assert(
      fc.property(
        fc.constantFrom(...requests),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.nat(12),
        (all, part, back) => {
          const text = all.slice(0, Math.ceil(all.length * part));
          ask(text, Math.max(0, text.length - back));
          ask(all, text.length);
        },
      ),
      { numRuns: times(400, 20) },
    );
  });

  it("answer for text of any kind", () =>
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...'{}[],:"\\\n1', "0x", "{{", "}}", "method", '"params"', "eth_call")),
        fc.nat(60),
        (parts, at) => {
          const text = parts.join("");
          ask(text, Math.min(at, text.length));
        },
      ),
      { numRuns: times(300, 20) },
    ));

  it("leave valid JSON behind in a valid cell", () => {
    for (const sample of samples.slice(0, 2)) {
      for (const offset of some([...Array(sample.length + 1).keys()], 20)) {
        const cell = readCell(sample);
        for (const item of completion(cell, offset, scopeOf(cell, around))) {
          const after = applied(sample, item);
          assert.doesNotThrow(() => JSON.parse(after), after);
        }
      }
    }
  });
});
