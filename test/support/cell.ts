import assert from "node:assert/strict";
import type { LastResult, Scope, ScopedEndpoint } from "../../server/src/analysis/scope.ts";
import { bundledCatalog } from "../../server/src/catalog/catalog.ts";
import { diagnostics } from "../../server/src/features/diagnostics.ts";
import type { Cell } from "../../server/src/notebook/cell.ts";
import { headerValues } from "../../server/src/notebook/header.ts";
import { readCell } from "../../server/src/notebook/readCell.ts";
import { cadenceOf } from "../../server/src/rpc/cadence.ts";

/** Takes the cursor `|` out of a text; there is exactly one. */
export function cursor(marked: string): { readonly text: string; readonly offset: number } {
  const [before = "", after, ...more] = marked.split("|");
  assert.ok(after !== undefined && more.length === 0, "one | is the cursor");
  return { text: before + after, offset: before.length };
}

/** Splits a text that shows a change, such as `a ‹old→new› text`, into the text before and the text after it. */
export function change(marked: string): readonly [before: string, after: string] {
  const side = (kept: "$1" | "$2"): string => marked.replace(/‹(.*?)→(.*?)›/gs, kept);
  return [side("$1"), side("$2").replace("|", "")];
}

/** The surroundings of a cell in a test. */
export interface Around {
  /** Text of the header. */
  readonly header?: string;
  /** Texts of the other cells, before the tested one. */
  readonly cells?: readonly string[];
  readonly catalog?: Scope["catalog"];
  readonly abis?: Scope["abis"];
  readonly endpoints?: Scope["endpoints"];
  readonly hostNames?: Scope["hostNames"];
  /** Members that are absent are those of `local`. */
  readonly endpoint?: Partial<ScopedEndpoint>;
  /** Members that are absent say that the cell succeeded. */
  readonly lastResult?: (cell: Cell) => Partial<LastResult> | undefined;
}

export const local = { name: "local", host: "127.0.0.1:8545", origin: "built in" } as const;

const ordinary = cadenceOf({ preconfirmed: undefined, chainId: undefined }, {}, 0);
export const preconfirmed = cadenceOf({ preconfirmed: true, chainId: undefined }, {}, 0);

const scopedLocal: ScopedEndpoint = {
  ...local,
  why: "the picker",
  logRange: undefined,
  refuses: [],
  cadence: ordinary,
  chainId: undefined,
  head: undefined,
  explorer: undefined,
};

export function scopeOf(cell: Cell, around: Around = {}): Scope {
  const header =
    cell.kind === "header" ? cell : around.header === undefined ? undefined : readCell(around.header, "header");
  const others = (around.cells ?? []).map((text) => readCell(text));
  return {
    header,
    cells: cell.kind === "header" ? others : [...others, cell],
    catalog: around.catalog ?? bundledCatalog,
    openrpcProblems: [],
    abis: around.abis ?? { files: new Map(), contracts: [] },
    variables: headerValues(header).variables,
    labels: new Map(),
    endpoints: around.endpoints ?? [local],
    hostNames: around.hostNames,
    endpoint: around.endpoint && { ...scopedLocal, ...around.endpoint },
    lastResult(cell) {
      const last = around.lastResult?.(cell);
      return last && { ok: true, summary: "", values: () => new Map(), ...last };
    },
  };
}

const caret = /^(\s*)(\^+) ([a-z-]+(?:: .*)?)$/;

/**
 * Checks a cell against the problems written under its lines: `^^^ code: message`, all of them in the order of the
 * text, each message from its beginning.
 */
export function expectProblems(marked: string, around: Around = {}, kind?: "header"): void {
  const lines = marked
    .replace(/^\n/, "")
    .replace(/\n\s*$/, "")
    .split("\n");
  const text = lines.filter((line) => !caret.test(line)).join("\n");
  const expected = expectedProblems(lines);
  const cell = readCell(text, kind);
  const found = diagnostics(cell, scopeOf(cell, around)).map(({ span, code, message }, at) => {
    const begins = expected[at]?.message ?? "";
    const said = `${code}: ${message}`;
    return {
      at: text.slice(span.start, span.end),
      start: span.start,
      message: said.startsWith(begins) ? begins : said,
    };
  });
  assert.deepEqual(
    found,
    expected.map(({ start, length, message }) => ({ at: text.slice(start, start + length), start, message })),
  );
}

function expectedProblems(
  lines: readonly string[],
): readonly { readonly start: number; readonly length: number; readonly message: string }[] {
  let lineStart = 0;
  let next = 0;
  return lines
    .flatMap((line) => {
      const found = caret.exec(line);
      if (found) {
        const [, indent = "", marks = "", message = ""] = found;
        return [{ start: lineStart + indent.length, length: marks.length, message }];
      }
      lineStart = next;
      next += line.length + 1;
      return [];
    })
    .sort((a, b) => a.start - b.start || a.length - b.length);
}
