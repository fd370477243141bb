import {
  callNeedsSignatures,
  needsSignatures as dataNeedsSignatures,
  declarationNeedsSignatures,
  topicNeedsSignatures,
} from "../abi/needsSignatures.ts";
import { cursorContext } from "../analysis/cursorContext.ts";
import type { Scope } from "../analysis/scope.ts";
import { memoByObject } from "../base/memo.ts";
import { type Shape, shapesOf } from "../catalog/types.ts";
import { decodableIn } from "../convert/recognise/recognise.ts";
import type { Cell } from "../notebook/cell.ts";

/** Returns whether what features say of a cell may need the table of signatures: it has an unknown selector or topic. */
export const cellNeedsSignatures = memoByObject((cell: Cell): boolean => {
  if (cell.kind === "unfinished") return dataNeedsSignatures(decodableIn(cell.text));
  const filters = cell.text.includes('"topics"');
  for (const [, hex = ""] of cell.text.matchAll(/"(0x[0-9a-fA-F]{8,})"/g)) {
    if ((hex.length - 10) % 64 === 0 && callNeedsSignatures(hex)) return true;
    if (filters && topicNeedsSignatures(hex)) return true;
  }
  return false;
});

/** Like {@link cellNeedsSignatures}, for one place in the cell: whether it is itself an unknown hash or signature. */
export function placeNeedsSignatures(cell: Cell, offset: number, scope: Scope): boolean {
  if (cellNeedsSignatures(cell)) return true;
  const place = cursorContext(cell, offset, scope.catalog);
  if (!place || place.kind === "key") return false;
  const { text = "", role } = place;
  const isTopic = role.kind !== "typed" || shapesOf(role.type).some(takesAnything);
  return (isTopic && topicNeedsSignatures(text)) || declarationNeedsSignatures(text);
}

/** Returns whether the completions of a place hold functions or events, of which the table of signatures has more. */
export function completesSignatures(cell: Cell, offset: number, scope: Scope): boolean {
  if (cell.kind === "unfinished" && cellNeedsSignatures(cell)) return true;
  const place = cursorContext(cell, offset, scope.catalog);
  if (!place || place.kind === "key") return false;
  const { key, role } = place;
  return key === "function" || key === "event" || (role.kind === "typed" && shapesOf(role.type).some(takesItem));
}

function takesItem(shape: Shape): boolean {
  if (shape.kind !== "one" || shape.type.kind !== "bytes") return false;
  return shape.type.role === "calldata" || shape.type.role === "topic";
}

function takesAnything(shape: Shape): boolean {
  return shape.kind === "one" && (shape.type.kind === "any" || shape.type.kind === "string");
}
