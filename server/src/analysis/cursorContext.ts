import { memoByObject } from "../base/memo.ts";
import { type Span, span, touches } from "../base/span.ts";
import { directiveTypes } from "../catalog/assumptionTypes.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { FieldSpec, MethodSpec, ParamSpec, TypeRef } from "../catalog/spec.ts";
import type { Cell } from "../notebook/cell.ts";
import {
  inComment,
  type TolerantContainer,
  type TolerantNode,
  type TolerantSlot,
  tolerantTree,
} from "./tolerantTree.ts";
import { fieldAt, itemType, mapAt } from "./types.ts";

/** Where the cursor is, in terms of the catalogue. */
export type CursorContext = KeyContext | ValueContext;

/** A string, a number or a word of a cell, and what it is for. */
export interface Word {
  /** Quotes included; empty, at the cursor, if there is none. */
  readonly span: Span;
  /** It begins with a quote. */
  readonly quoted: boolean;
  /** The role of the value at this place; for a key, of its value. */
  readonly role: Role;
  /** The role of the object or array around it. */
  readonly owner: Role;
  /** The request around it. */
  readonly method: string | undefined;
  readonly spec: MethodSpec | undefined;
  /** The positional parameter around it, from 0. */
  readonly param: number | undefined;
  /** The way from the cell's outermost bracket to this place; empty in a cell without a bracket. */
  readonly path: readonly PathStep[];
}

interface CursorSpot extends Word, Commas {
  /** The word without quotes and escapes; `undefined` if there is none. */
  readonly text: string | undefined;
  /** Something may be written here: what `span` covers is all that is in this place. */
  readonly free: boolean;
  /** The other keys of the object around it. */
  readonly siblings: readonly string[];
}

/** One bracket on the way to a place. */
export interface PathStep {
  readonly container: TolerantContainer;
  /** The slot that leads on, or that something written here would get. */
  readonly index: number;
  /** The key of that slot, if it is a member. */
  readonly key: string | undefined;
}

export interface KeyContext extends CursorSpot {
  readonly kind: "key";
  /** A colon follows. */
  readonly hasValue: boolean;
}

export interface ValueContext extends CursorSpot {
  readonly kind: "value";
  /** The key whose value this is; `undefined` in arrays and for a whole cell. */
  readonly key: string | undefined;
}

/** The role of a value: what it is used for. */
export type Role =
  | { readonly kind: "cell" | "requests" | "request" | "method" | "params" | "endpoint" }
  | { readonly kind: "header" | "variables" | "labels" }
  /**
   * A member that has a meaning for the wire or for this tool, and no type in the catalogue. Inside of members:
   * `expectation` is the value of a path in `expect`, `operand` that of an operator, `declaration` an item of `abi`,
   * `eachValues` are the values of a name in `each`, and an item of them,
   * `label` the name of an address.
   */
  | { readonly kind: "member"; readonly name: string; readonly of: "request" | "batch" | "header" }
  | { readonly kind: "typed"; readonly type: TypeRef; readonly field: FieldSpec | ParamSpec | undefined }
  | { readonly kind: "unknown" };

/**
 * Finds what is under the cursor, also in text that is broken.
 *
 * @param offset - UTF-16 code units from the start of the cell.
 * @param catalog - Says what parameters and fields mean.
 * @returns `undefined` in markdown, opaque cells and comments, and behind the end of a whole cell.
 */
export function cursorContext(cell: Cell, offset: number, catalog: Catalog): CursorContext | undefined {
  if (cell.kind === "markdown" || cell.kind === "opaque" || offset < 0 || offset > cell.text.length) return undefined;
  if (inComment(cell.text, offset)) return undefined;
  const roots = treeOf(cell);
  const root = roots.map(({ value }) => value).find((value) => isContainer(value) && inside(value, offset));
  if (!isContainer(root)) return wholeCell(cell, roots, offset, catalog);
  let here: ParentContext = { ...rootContext(cell, root, catalog), container: root, path: [] };
  for (let next = inner(here, offset); next; next = inner(here, offset)) here = next;
  return within(here, offset, cell.text);
}

/** The context of a value, which decides its role. */
export interface Context {
  readonly catalog: Catalog;
  readonly role: Role;
  readonly method: string | undefined;
  readonly param: number | undefined;
}

/** A container that the cursor is in, and what it is. */
interface ParentContext extends Context {
  readonly container: TolerantContainer;
  /** Down to that container, itself left out. */
  readonly path: readonly PathStep[];
}

/** The tree of a cell, remembered. */
export const treeOf = memoByObject((cell: Cell): readonly TolerantSlot[] => tolerantTree(cell.text));

export function rootContext(cell: Cell, root: TolerantContainer, catalog: Catalog): Context {
  const kind = cell.kind === "header" ? "header" : root.kind === "array" ? "requests" : "request";
  return { catalog, role: { kind }, method: methodOf(root), param: undefined };
}

/** A cell without a bracket around the cursor: empty, or a first word. */
function wholeCell(
  cell: Cell,
  roots: readonly TolerantSlot[],
  offset: number,
  catalog: Catalog,
): CursorContext | undefined {
  const values = roots.flatMap(({ value }) => value ?? []);
  const word = phrase(values, cell.text, offset) ?? values.find((value) => touches(value.span, offset));
  if (word ? word.kind !== "scalar" : values.length > 0) return undefined;
  const role: Role = { kind: cell.kind === "header" ? "header" : "request" };
  const context = { catalog, role: { kind: "cell" } as const, method: undefined, param: undefined };
  return { ...spot(context, word, offset, noCommas, { role, siblings: [], path: [] }), kind: "value", key: undefined };
}

/** Bare words on one line, such as `last 100 blocks`, taken as one, with the space in which the next one begins. */
function phrase(values: readonly TolerantNode[], text: string, offset: number): TolerantNode | undefined {
  const [first] = values;
  if (first?.kind !== "scalar") return undefined;
  const end = Math.max(values.at(-1)?.span.end ?? 0, offset);
  const written = text.slice(first.span.start, end);
  return /^[\w -]+$/.test(written) ? { ...first, span: span(first.span.start, end), text: written } : undefined;
}

/** The container of the next level that the cursor is in. */
function inner(here: ParentContext, offset: number): ParentContext | undefined {
  const index = here.container.slots.findIndex(({ value }) => isContainer(value) && inside(value, offset));
  const slot = here.container.slots[index];
  if (!isContainer(slot?.value)) return undefined;
  const path = [...here.path, { container: here.container, index, key: slot.key?.text }];
  return { ...step(here, slot.key?.text, index, slot.value), container: slot.value, path };
}

/** Behind the opening bracket and before the closing one. */
function inside({ span: room, closed }: TolerantContainer, offset: number): boolean {
  return room.start < offset && (closed ? offset < room.end : offset <= room.end);
}

function within(here: ParentContext, offset: number, text: string): CursorContext {
  const { container } = here;
  const at = find(container, offset, text);
  const { slot } = at;
  const context = step(here, slot?.key?.text, at.index, slot?.value);
  const { role } = context;
  const owner = { ...context, role: here.role };
  const siblings = container.slots.flatMap((other) => (other === slot ? [] : (other.key?.text ?? [])));
  const path = [...here.path, { container, index: at.index, key: slot?.key?.text }];
  const around: Around = { role, siblings, path };
  const hasValue = slot?.colon !== undefined;
  if (container.kind === "array" || (hasValue && offset > (slot.colon ?? 0))) {
    const key = container.kind === "array" ? undefined : slot?.key?.text;
    return { ...spot(owner, slot?.value, offset, at, around), kind: "value", key };
  }
  return { ...spot(owner, slot?.key ?? slot?.value, offset, at, around), kind: "key", hasValue };
}

/** Where a comma is missing before a place, and whether one is missing behind it. */
interface Commas {
  readonly commaBefore: number | undefined;
  readonly commaAfter: boolean;
}

/** What the container around a place says of it. */
interface Around {
  readonly role: Role;
  readonly siblings: readonly string[];
  readonly path: readonly PathStep[];
}

const noCommas: Commas = { commaBefore: undefined, commaAfter: false };

/** The slot whose content the cursor touches; absent if the cursor is between contents, as in an empty slot. */
interface CursorNode extends Commas {
  readonly slot: TolerantSlot | undefined;
  readonly index: number;
}

function find({ slots }: TolerantContainer, offset: number, text: string): CursorNode {
  const full = slots.flatMap((slot, index) => {
    const room = content(slot);
    return room ? [{ slot, index, room }] : [];
  });
  const on = full.find(({ room }) => touches(room, offset));
  const { start, end } = on?.room ?? span(offset, offset);
  const before = full.findLast(({ room }) => room.end <= start && room !== on?.room);
  const after = full.find(({ room }) => room.start >= end && room !== on?.room);
  const commas = text.slice(before?.room.end ?? slots[0]?.span.start, start).split(",").length - 1;
  return {
    slot: on?.slot,
    index: on?.index ?? (before ? before.index + Math.max(1, commas) : commas),
    commaBefore: before && commas === 0 ? before.room.end : undefined,
    commaAfter: after !== undefined && !text.slice(end, after.room.start).includes(","),
  };
}

/**
 * Returns the span of a slot's content, without the white space around it; after a colon, all of the room is the
 * value's.
 */
function content({ span: room, key, colon, value }: TolerantSlot): Span | undefined {
  const first = key?.span.start ?? colon ?? value?.span.start;
  const last = value?.span.end ?? (colon === undefined ? key?.span.end : room.end);
  return first === undefined || last === undefined ? undefined : span(first, Math.max(first, last));
}

function spot(
  owner: Context,
  token: TolerantNode | undefined,
  offset: number,
  { commaBefore, commaAfter }: Commas,
  around: Around,
): CursorSpot {
  const word = token?.kind === "scalar" && touches(token.span, offset) ? token : undefined;
  return {
    span: word?.span ?? span(offset, offset),
    text: word?.text,
    quoted: word?.quoted ?? false,
    free: token === undefined || word !== undefined,
    owner: owner.role,
    method: owner.method,
    spec: owner.method === undefined ? undefined : owner.catalog.methodNamed(owner.method),
    param: owner.param,
    commaBefore,
    commaAfter,
    ...around,
  };
}

/** Returns the role of a member or an item, given the role of its container. */
export function step(here: Context, key: string | undefined, index: number, value: TolerantNode | undefined): Context {
  const role = memberRole(here, key, index);
  if (role.kind === "request") return { catalog: here.catalog, role, method: methodOf(value), param: undefined };
  return { catalog: here.catalog, role, method: here.method, param: here.role.kind === "params" ? index : here.param };
}

function memberRole({ role, method, catalog }: Context, key: string | undefined, index: number): Role {
  switch (role.kind) {
    case "cell":
    case "requests":
      return { kind: "request" };
    case "request":
      return requestMember(key);
    case "header":
      return headerMember(key);
    case "params": {
      const field = key === undefined && method !== undefined ? catalog.methodNamed(method)?.params[index] : undefined;
      return field ? { kind: "typed", type: field.type, field } : { kind: "unknown" };
    }
    case "labels":
      return { kind: "member", name: "label", of: "header" };
    case "typed":
      return key === undefined ? itemRole(role.type) : keyRole(role.type, key);
    case "member":
      return memberOfMember(role, key);
    case "method":
    case "endpoint":
    case "variables":
    case "unknown":
      return { kind: "unknown" };
  }
}

/** Returns roles inside `expect` and `abi`: paths with their expected values, operators with operands, declarations. */
function memberOfMember({ name, of }: Role & { readonly kind: "member" }, key: string | undefined): Role {
  if (name === "expect" && key !== undefined) return { kind: "member", name: "expectation", of };
  if (name === "expectation" && key !== undefined) return { kind: "member", name: "operand", of };
  if (name === "each" || (name === "eachValues" && key === undefined))
    return { kind: "member", name: "eachValues", of };
  if (name === "abi" && key === undefined) return { kind: "member", name: "declaration", of };
  return { kind: "unknown" };
}

function requestMember(key: string | undefined): Role {
  if (key === undefined) return { kind: "unknown" };
  if (key === "method" || key === "params" || key === "endpoint") return { kind: key };
  if (key === "batch") return { kind: "requests" };
  const type = directiveTypes.get(key);
  if (type !== undefined) return { kind: "typed", type, field: undefined };
  return { kind: "member", name: key, of: "request" };
}

function headerMember(key: string | undefined): Role {
  if (key === undefined) return { kind: "unknown" };
  if (key === "variables" || key === "labels" || key === "endpoint") return { kind: key };
  return { kind: "member", name: key, of: "header" };
}

function itemRole(type: TypeRef): Role {
  const item = itemType(type);
  return item === undefined ? { kind: "unknown" } : { kind: "typed", type: item, field: undefined };
}

function keyRole(type: TypeRef, key: string): Role {
  const field = fieldAt(type, key);
  if (field) return { kind: "typed", type: field.type, field };
  const map = mapAt(type);
  return map ? { kind: "typed", type: map.values, field: undefined } : { kind: "unknown" };
}

function methodOf(request: TolerantNode | undefined): string | undefined {
  if (request?.kind !== "object") return undefined;
  const value = request.slots.findLast(({ key }) => key?.text === "method")?.value;
  return value?.kind === "scalar" ? value.text : undefined;
}

export function isContainer(value: TolerantNode | undefined): value is TolerantContainer {
  return value !== undefined && value.kind !== "scalar";
}
