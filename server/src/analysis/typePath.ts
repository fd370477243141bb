import { nearest } from "../base/text.ts";
import type { TypeRef } from "../catalog/spec.ts";
import { shapesOf } from "../catalog/types.ts";
import type { Segment } from "../notebook/placeholder.ts";
import { nameOfType } from "./types.ts";
import { isTypo } from "./typo.ts";

/** Where a path ends too early, by the types of the catalogue. */
export interface DeadEnd {
  /** The step that leads nowhere, from 0. */
  readonly at: number;
  /** The value found: "a list". */
  readonly found: string;
  /** Steps that do lead on and look alike, as they are written. */
  readonly nearest: readonly string[];
}

/**
 * Follows a path into the type of a result. Objects to which clients add members are left alone, but for what looks
 * like a slip.
 *
 * @returns `undefined` where the path can lead somewhere, for all that is known.
 */
export function deadEnd(type: TypeRef, path: readonly Segment[]): DeadEnd | undefined {
  let here: readonly TypeRef[] = [type];
  for (const [at, step] of path.entries()) {
    const next = here.flatMap((ref) => stepInto(ref, step));
    if (next.includes("any")) return undefined;
    if (next.length === 0) return { at, found: nameOfResult(here), nearest: alike(here, step) };
    here = next;
  }
  return undefined;
}

/** Returns the types that a path may lead to; empty if nothing is known. */
export function typesAt(type: TypeRef, path: readonly Segment[]): readonly TypeRef[] {
  return path.reduce<readonly TypeRef[]>((here, step) => here.flatMap((ref) => stepInto(ref, step)), [type]);
}

function stepInto(ref: TypeRef, step: Segment): readonly TypeRef[] {
  const shapes = shapesOf(ref);
  if (shapes.length === 0) return ["any"];
  return shapes.flatMap((shape): readonly TypeRef[] => {
    if (shape.kind === "list") return typeof step === "number" ? [shape.items] : [];
    const { type } = shape;
    if (type.kind === "any") return ["any"];
    if (typeof step === "number") return [];
    if (type.kind === "map") return [type.values];
    if (type.kind !== "object") return [];
    const field = type.fields.find(({ name, aliases }) => name === step || aliases?.includes(step));
    if (field) return [field.type];
    return type.open && !type.fields.some(({ name }) => isTypo(step, name)) ? ["any"] : [];
  });
}

function alike(refs: readonly TypeRef[], step: Segment): readonly string[] {
  const shapes = refs.flatMap(shapesOf);
  if (typeof step === "number") return [];
  if (/^\d{1,9}$/.test(step) && shapes.some(({ kind }) => kind === "list")) return [`[${step}]`];
  const names = shapes.flatMap((shape) =>
    shape.kind === "one" && shape.type.kind === "object" ? shape.type.fields.map(({ name }) => name) : [],
  );
  return nearest(step, names, 1);
}

function nameOfResult(refs: readonly TypeRef[]): string {
  const [ref] = refs;
  const shape = ref === undefined ? undefined : shapesOf(ref)[0];
  if (ref === undefined || shape === undefined) return "another value";
  if (shape.kind === "one" && shape.type.kind === "object") return "an object";
  return nameOfType(ref);
}
