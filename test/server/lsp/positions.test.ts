import assert from "node:assert/strict";
import fc from "fast-check";
import type { Position } from "vscode-languageserver";
import { type Encoding, type OpenText, openText, spanOf } from "../../../server/src/lsp/positions.ts";

const encodings: readonly Encoding[] = ["utf-16", "utf-8", "utf-32"];
const words = fc.constantFrom("a", '"', "é", "€", "😀", "👩‍👧", "\ud800", "\n", "\r\n", "\r", "0x7f");
const texts = fc.array(words, { maxLength: 24 }).map((parts) => parts.join(""));

function opened(text: string, encoding: Encoding): OpenText {
  return openText({ uri: "x:y", languageId: "rpc-notebook", version: 1, text }, encoding);
}

/** The plain way: the characters of the line up to the offset, counted. */
function counted(text: string, offset: number, encoding: Encoding): Position {
  const lines = text.slice(0, offset).split(/\r\n|\r|\n/);
  const before = lines.at(-1) ?? "";
  const units = { "utf-16": before.length, "utf-8": Buffer.byteLength(before), "utf-32": [...before].length };
  return { line: lines.length - 1, character: units[encoding] };
}

/** Offsets at which a cursor can stand: not inside of a character, not inside of a line's end. */
function cursors(text: string): readonly number[] {
  const parts = text.match(/\r\n|[\s\S]/gu) ?? [];
  let at = 0;
  return [0, ...parts.map((part) => (at += part.length))];
}

describe("positions", () => {
  it("stay before and after a line that is edited", () => {
    const open = opened("ab\ncd\nef\ngh", "utf-16");
    const mark = open.mark();
    for (const text of ["x", "yz"])
      open.edit([{ range: { start: { line: 1, character: 1 }, end: { line: 1, character: 1 } }, text }], 2);
    assert.deepEqual([mark.isSame(3, 3), mark.isSame(6, 9), mark.isSame(9, 12)], [true, true, true]);
    open.edit([{ text: open.text() }], 3);
    assert.deepEqual([mark.isSame(3, 3), mark.isSame(6, 9)], [false, false]);
  });

  for (const encoding of encodings) {
    it(`count ${encoding}, both ways`, () => {
      fc.assert(
        fc.property(texts, (text) => {
          const open = opened(text, encoding);
          for (const offset of cursors(text)) {
            assert.deepEqual(open.positionAt(offset), counted(text, offset, encoding));
            assert.equal(open.offsetAt(open.positionAt(offset)), offset);
          }
        }),
      );
    });

    it(`say of places that they stayed only if they did, in ${encoding}`, () => {
      const edit = fc.record({ from: fc.nat(99), to: fc.nat(99), text: texts });
      fc.assert(
        fc.property(texts, fc.array(edit, { maxLength: 3 }), (text, edits) => {
          const open = opened(text, encoding);
          const mark = open.mark();
          for (const { from, to, text } of edits) {
            const places = cursors(open.text());
            const [first = 0, last = 0] = [from, to].map((at) => places[at % places.length] ?? 0).sort((a, b) => a - b);
            open.edit([{ range: { start: open.positionAt(first), end: open.positionAt(last) }, text }], 2);
          }
          for (const before of cursors(text)) {
            for (const now of cursors(open.text()).filter((one) => mark.isSame(before, one)))
              assert.deepEqual(counted(open.text(), now, encoding), counted(text, before, encoding));
          }
        }),
        { numRuns: 1000 },
      );
    });

    it(`put edits where the editor made them, in ${encoding}`, () => {
      const edit = fc.record({ from: fc.nat(99), to: fc.nat(99), text: texts });
      fc.assert(
        fc.property(texts, fc.array(edit, { maxLength: 5 }), (start, edits) => {
          const open = opened(start, encoding);
          let text = start;
          const changes = edits.map(({ from, to, text: insert }) => {
            const places = cursors(text);
            const ends = [places[from % places.length] ?? 0, places[to % places.length] ?? 0].sort((a, b) => a - b);
            const [first = 0, last = 0] = ends;
            const range = { start: counted(text, first, encoding), end: counted(text, last, encoding) };
            text = text.slice(0, first) + insert + text.slice(last);
            return { range, text: insert };
          });
          open.edit(changes, 2);
          assert.equal(open.text(), text);
          for (const offset of cursors(text))
            assert.deepEqual(open.positionAt(offset), counted(text, offset, encoding));
        }),
      );
    });

    it(`are within the text, whatever the editor sends, in ${encoding}`, () => {
      const wild = fc.record({ line: fc.integer(), character: fc.integer() });
      fc.assert(
        fc.property(texts, wild, fc.integer(), (text, position, offset) => {
          const open = opened(text, encoding);
          const at = open.offsetAt(position);
          assert.ok(at >= 0 && at <= text.length);
          const found = open.positionAt(offset);
          assert.ok(found.line >= 0 && found.character >= 0);
        }),
      );
    });
  }

  const text = 'é😀"\r\n€';
  for (const [encoding, line, character, offset] of [
    ["utf-16", 0, 2, 2],
    ["utf-8", 0, 2, 1],
    ["utf-8", 0, 1, 0],
    ["utf-8", 0, 4, 1],
    ["utf-8", 0, 6, 3],
    ["utf-8", 0, 7, 4],
    ["utf-8", 1, 3, 7],
    ["utf-32", 0, 2, 3],
    ["utf-32", 0, 3, 4],
    ["utf-8", 0, 99, 4],
    ["utf-32", 0, 99, 4],
    ["utf-32", 9, 0, 7],
    ["utf-8", -1, 5, 0],
    ["utf-8", 0, -5, 0],
  ] as const)
    it(`take ${line}:${character} in ${encoding} for ${offset}`, () =>
      assert.equal(opened(text, encoding).offsetAt({ line, character }), offset));

  it("take a replacement of everything, whatever end it names", () => {
    const open = opened("a\nb", "utf-8");
    open.edit([{ range: { start: { line: 0, character: 0 }, end: { line: 999, character: 0 } }, text: "é\nc\nd" }], 2);
    assert.deepEqual([open.text(), open.version, open.positionAt(5)], ["é\nc\nd", 2, { line: 2, character: 1 }]);
    open.edit([{ text: "€x" }], 3);
    assert.deepEqual(open.positionAt(1), { line: 0, character: 3 });
  });

  it("refuse values that are not a position or a range", () => {
    const open = opened("abc", "utf-16");
    for (const nonsense of [{}, { line: "0", character: 0 }, { line: 0.5, character: 0 }, { line: 0, character: NaN }])
      assert.throws(() => open.offsetAt(nonsense as Position), TypeError); // what a careless editor may send
    assert.throws(
      () => spanOf(open, { start: { line: 0, character: 2 }, end: { line: 0, character: 1 } }),
      /ends before it starts/,
    );
  });
});
