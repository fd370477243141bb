import { scopeOf } from "../abi/abiScope.ts";
import { abiScope } from "../analysis/abi.ts";
import { labels } from "../analysis/labels.ts";
import type { Scope } from "../analysis/scope.ts";
import type { JsonValue } from "../base/json.ts";
import { replaced } from "../base/text.ts";
import type { Reading, RecogniseScope } from "../convert/recognise/reading.ts";
import { type Recognition, recognise } from "../convert/recognise/recognise.ts";
import type { Cell } from "../notebook/cell.ts";
import { readCell } from "../notebook/readCell.ts";
import { formatCell } from "./formatting.ts";
import { requestDefaults } from "./requestDefaults.ts";

const noSigned: RecogniseScope["signed"] = new Map();
const emptyCell = readCell("");

/**
 * Says what a text may be in a notebook, with its cells laid out.
 *
 * @param scope - Of the notebook; `undefined` for none.
 * @param signed - The calls of signed transactions in the text, if their senders are known.
 */
export function recognised(text: string, scope: Scope | undefined, signed = noSigned): Recognition {
  const { readings, note } = recognise(text, scope ? recogniseScope(scope, signed) : withoutNotebook(signed));
  return { readings: readings.map((one) => ({ ...one, cells: one.cells.map(laidOut) })), note };
}

/** Formats the text of a cell. */
export function laidOut(text: string): string {
  return replaced(text, formatCell(readCell(text), { indent: "  " }));
}

function recogniseScope(scope: Scope, signed: ReadonlyMap<string, JsonValue>): RecogniseScope {
  const { tag, fromBlock, contract } = requestDefaults(scope);
  const cell = scope.header ?? scope.cells[0] ?? emptyCell;
  return {
    labels: labels(scope),
    abi: abiScope(cell, scope),
    endpoint: scope.endpoint,
    tag,
    fromBlock,
    contract,
    signed,
  };
}

function withoutNotebook(signed: ReadonlyMap<string, JsonValue>): RecogniseScope {
  const contract = "0x4200000000000000000000000000000000000006";
  const abi = scopeOf([]);
  return { labels: new Map(), abi, endpoint: undefined, tag: "latest", fromBlock: "latest - 100", contract, signed };
}

/** The readings of a cell whose whole text is a value, and not a request that is being written. */
export function readingsOfCell(cell: Cell, scope: Scope): readonly Reading[] {
  if (cell.kind !== "unfinished") return [];
  const { root, text } = cell;
  const lines = root?.type === "object" ? root.children?.[0]?.children?.[1]?.children : undefined;
  const value = lines ? lines.map((line) => String(line.value)).join("\n") : text;
  return value.trim() === "" ? [] : recognised(value, scope).readings.filter(({ cells }) => cells.length > 0);
}
