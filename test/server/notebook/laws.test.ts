import assert from "node:assert/strict";
import fc from "fast-check";
import type { NotebookCell, NotebookData } from "../../../server/src/notebook/data.ts";
import { headerIndex } from "../../../server/src/notebook/header.ts";
import { readFile } from "../../../server/src/notebook/readFile.ts";
import { times } from "../../support/depth.ts";
import { open, save } from "./bytes.ts";
import { file, typed } from "./texts.ts";

const isHeader = (cell: NotebookCell | undefined): boolean => cell?.metadata?.header === true;

/** The text that must come back. White space around a request is not part of it, and is not in the file. */
const essence = (cells: readonly NotebookCell[]): readonly string[] =>
  cells.map(({ kind, text }) => `${kind}: ${kind === "code" ? text.replace(/^[ \t\r\n]+|[ \t\r\n]+$/g, "") : text}`);

/** Only files that open; the others are the subject of a law of their own. */
function check(law: (text: string, data: NotebookData) => void, runs = 200): void {
  fc.assert(
    fc.property(file, (text) => {
      if (readFile(text).form === "none") return;
      law(text, open(text));
    }),
    { numRuns: times(runs) },
  );
}

describe("a notebook file", () => {
  it("is the same after opening and saving", () => check((text, data) => assert.equal(save(data), text), 500));

  it("changes where a cell was edited, and nowhere else", () =>
    fc.assert(
      fc.property(file, fc.nat(), typed, (text, pick, edit) => {
        const { form, spans } = readFile(text);
        if (form === "none" || form === "object" || spans.length === 0) return;
        const data = open(text);
        const index = pick % spans.length;
        const span = spans.at(index) ?? { start: 0, end: 0 };
        const at = index + (isHeader(data.cells[0]) ? 1 : 0);
        const saved = save({
          ...data,
          cells: data.cells.map((cell, i) => (i === at ? { ...cell, text: edit } : cell)),
        });
        assert.equal(saved.slice(0, span.start), text.slice(0, span.start));
        assert.equal(saved.slice(saved.length - text.length + span.end), text.slice(span.end));
        JSON.parse(saved.replace(/^\ufeff/, ""));
      }),
      { numRuns: times(300) },
    ));

  it("keeps the bytes of its cells when the header is edited", () =>
    fc.assert(
      fc.property(
        file,
        fc.constantFrom('{ "endpoint": "x" }', "{}", "", '{ "a": ', '{\n  "a": 1,\n  "cells": 2\n}', "[]"),
        (text, edit) => {
          const { form, spans } = readFile(text);
          const data = form === "none" ? undefined : open(text);
          if (!data || !isHeader(data.cells[0])) return;
          const saved = save({
            ...data,
            cells: data.cells.map((cell, i) => (i === 0 ? { ...cell, text: edit } : cell)),
          });
          const first = spans.at(0)?.start ?? 0;
          assert.ok(saved.includes(text.slice(first, spans.at(spans.length - 1)?.end ?? 0)), saved);
          const kept = edit === "{}" || edit === "" ? [] : [edit];
          // a cell in the line of `"cells": [` is dedented by that line's indent, which may be another one now
          const flat = (texts: readonly string[]): readonly string[] =>
            texts.map((one) => one.replace(/\n[ \t]+/g, "\n"));
          assert.deepEqual(
            flat(essence(open(saved).cells)),
            flat([...kept.map((one) => `code: ${one.trim()}`), ...essence(data.cells.slice(1))]),
          );
        },
      ),
      { numRuns: times(300) },
    ));

  it("needs no metadata of its cells", () =>
    check((_, data) => {
      const bare = data.cells.map(({ kind, language, text }) => ({ kind, language, text }));
      const again = open(save({ ...data, cells: bare }));
      const header = isHeader(data.cells[0]) ? 0 : headerIndex(bare);
      const first = bare.filter((_, i) => i === header);
      assert.deepEqual(essence(again.cells), essence([...first, ...bare.filter((_, i) => i !== header)]));
    }, 300));

  it("needs no metadata at all", () =>
    check((_, data) => {
      const bare = data.cells.map(({ kind, language, text }) => ({ kind, language, text }));
      const header = headerIndex(bare);
      const again = open(save({ cells: bare, metadata: {} }));
      assert.deepEqual(
        essence(again.cells),
        essence([...bare.filter((_, i) => i === header), ...bare.filter((_, i) => i !== header)]),
      );
    }));

  it("follows cells that are inserted, deleted, moved, split and joined", () =>
    fc.assert(
      fc.property(file, fc.array(change, { minLength: 1, maxLength: 5 }), (text, changes) => {
        if (readFile(text).form === "none") return;
        const data = open(text);
        const offset = isHeader(data.cells[0]) ? 1 : 0;
        const header = data.cells.slice(0, offset);
        const body = changes.reduce<readonly NotebookCell[]>(apply, data.cells.slice(offset));
        const cells = [...header, ...body];
        if (offset === 0 && headerIndex(cells.map((cell) => ({ ...cell, header: mark(cell) }))) >= 0) return;
        const saved = save({ ...data, cells });
        assert.deepEqual(essence(open(saved).cells), essence(cells));
        const kept = readFile(text).cells.filter((_, i) => cells.includes(data.cells[i + offset] ?? never));
        for (const cell of kept) assert.ok(saved.includes(cell.text), saved);
      }),
      { numRuns: times(400) },
    ));

  it("restores a header that was deleted, and keeps one that was moved first", () =>
    check((text, data) => {
      if (!isHeader(data.cells[0])) return;
      const [header, ...body] = data.cells;
      if (
        headerIndex(
          body.map((cell) => ({ ...cell, header: mark(cell) })),
          header?.text,
        ) < 0
      ) {
        assert.equal(save({ ...data, cells: body }), text);
      }
      assert.equal(save({ ...data, cells: header ? [...body, header] : body }), text);
    }));
});

const never: NotebookCell = { kind: "code", language: "", text: "" };
const mark = ({ metadata }: NotebookCell): boolean | undefined => (metadata?.header === false ? false : undefined);

const change = fc.record({
  what: fc.constantFrom("code", "markdown", "delete", "move", "split", "join"),
  at: fc.nat(),
  to: fc.nat(),
  text: typed,
});
type Change = typeof change extends fc.Arbitrary<infer One> ? One : never;

/** Edits as an editor does: new cells have no metadata, and a joined cell keeps that of the upper one. */
function apply(cells: readonly NotebookCell[], { what, at, to, text }: Change): readonly NotebookCell[] {
  const i = cells.length === 0 ? 0 : at % cells.length;
  const cell = cells[i];
  if (what === "code" || what === "markdown") return cells.toSpliced(i, 0, { kind: what, language: "", text });
  if (!cell) return cells;
  if (what === "delete") return cells.toSpliced(i, 1);
  if (what === "move") return cells.toSpliced(i, 1).toSpliced(to % cells.length, 0, cell);
  const next = cells[i + 1];
  if (what === "join") return next ? cells.toSpliced(i, 2, { ...cell, text: `${cell.text}\n${next.text}` }) : cells;
  const cut = to % (cell.text.length + 1);
  // an editor never parts the halves of a character
  const whole = /[\ud800-\udbff]/.test(cell.text.charAt(cut - 1)) ? cut - 1 : cut;
  const { kind, language } = cell;
  const [above, below] = [cell.text.slice(0, whole), cell.text.slice(whole)];
  return cells.toSpliced(i, 1, { ...cell, text: above }, { kind, language, text: below });
}
