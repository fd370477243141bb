import assert from "node:assert/strict";
import fc from "fast-check";
import { NotebookFileError } from "../../../server/src/notebook/bytes.ts";
import type { Cell } from "../../../server/src/notebook/cell.ts";
import { isJson } from "../../../server/src/notebook/json.ts";
import type { FileText } from "../../../server/src/notebook/readFile.ts";
import { readFile, updateFile } from "../../../server/src/notebook/readFile.ts";
import { times } from "../../support/depth.ts";
import { open, save } from "./bytes.ts";
import { file, formattedFile, typed } from "./texts.ts";

describe("a text", () => {
  /** Something cut out and something put in, mostly in the wrong place. */
  const edit = fc.tuple(
    fc.nat(),
    fc.nat({ max: 3 }),
    fc.constantFrom("", ...'{}[],":x1\n\\\u00a0', "//", "<<<<<<< HEAD\n", "]}", "{[", "/*", ",{}", "{},"),
  );
  type Edit = typeof edit extends fc.Arbitrary<infer One> ? One : never;
  const applied = (text: string, [at, drop, put]: Edit): string => {
    const i = at % (text.length + 1);
    return text.slice(0, i) + put + text.slice(i + drop);
  };
  const broken = fc
    .tuple(file, edit)
    .map(([text, one]) => applied(text, one))
    .filter((text) => !/\p{Surrogate}/u.test(text));

  it("has a fault exactly where it is no JSON or no notebook", () =>
    fc.assert(
      fc.property(fc.oneof(file, broken), (text) => {
        const { form, faults, header, cells } = readFile(text);
        if (text.trim() === "" || text.trim() === "\ufeff") return;
        if (cells.some(({ kind }) => kind === "opaque") || header?.cell.kind === "opaque") return;
        const own = cells.flatMap(({ text, faults }) => (isJson(text) ? [] : faults));
        const found = faults.length + own.length + (header?.cell.faults.length ?? 0);
        assert.equal(found === 0, isJson(text.replace(/^\ufeff/, "")) && form !== "none", text);
      }),
      { numRuns: times(800, 40) },
    ));

  it("opens without loss or says where it is broken", () =>
    fc.assert(
      fc.property(broken, (text) => {
        try {
          assert.equal(save(open(text)), text);
        } catch (error) {
          assert.ok(error instanceof NotebookFileError, String(error));
          assert.ok(error.line >= 1 && error.column >= 1);
          assert.ok(error.line <= text.split(/\r\n|\r|\n/).length);
        }
      }),
      { numRuns: times(500) },
    ));

  it("gives the cells so far in every prefix", () =>
    fc.assert(
      fc.property(formattedFile, (text) => {
        const whole = readFile(text);
        if (whole.form === "none" || whole.form === "object" || text.length > 600) return;
        if (/"c(e|\\u0065)lls"/.test(whole.header?.cell.text ?? "")) return; // until the second `cells`, the first counts
        for (let end = 0; end <= text.length; end++) {
          const { cells } = readFile(text.slice(0, end));
          const before = whole.cells.slice(0, whole.spans.endingBefore(end + 1));
          const found = cells.map(({ text }) => text);
          assert.deepEqual(
            found.slice(0, before.length),
            before.map(({ text }) => text),
          );
          assert.ok(cells.length <= before.length + 1);
        }
      }),
      { numRuns: times(60) },
    ));

  it("is read whatever it is, with faults that a caret can show", () =>
    fc.assert(
      fc.property(fc.oneof(broken, typed, file), fc.nat(), (whole, cut) => {
        const text = whole.slice(0, cut % (whole.length + 1));
        const { header, faults, cells } = readFile(text);
        for (const { span } of faults) assert.ok(span.start < span.end && span.end <= text.length);
        for (const cell of [...cells, ...(header ? [header.cell] : [])]) {
          for (const { span } of cell.faults) assert.ok(span.start < span.end && span.end <= cell.text.length, text);
        }
      }),
      { numRuns: times(600, 40) },
    ));

  it("is read after an edit as if it were new", () => {
    // without the trees, which follow from the text and are too deep to compare
    const one = ({ kind, text, faults }: Cell) => ({ kind, text, faults });
    const plain = ({ cells, spans, header, form, faults }: FileText) => ({
      form,
      faults,
      header: header && { ...header, cell: one(header.cell) },
      cells: cells.map(one),
      spans: spans.map((at) => at),
    });
    const check = (before: string, ...edits: readonly string[]): void => {
      edits.reduce((previous, text) => {
        const updated = updateFile(previous, text);
        assert.deepEqual(plain(updated), plain(readFile(text)));
        return updated;
      }, readFile(before));
    };
    fc.assert(fc.property(file, broken, check), { numRuns: times(100, 20) });
    fc.assert(
      fc.property(file, fc.array(edit, { minLength: 1, maxLength: 5 }), (text, edits) => {
        let last = text;
        const texts = edits.map((one) => {
          last = applied(last, one);
          return last;
        });
        check(text, ...texts);
      }),
      { numRuns: times(300) },
    );
  });
});
