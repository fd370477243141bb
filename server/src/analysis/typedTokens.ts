import { memoByPair } from "../base/memo.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { MethodSpec } from "../catalog/spec.ts";
import type { Cell } from "../notebook/cell.ts";
import {
  type Context,
  type CursorContext,
  isContainer,
  type PathStep,
  rootContext,
  step,
  treeOf,
} from "./cursorContext.ts";
import type { TolerantContainer, TolerantNode, TolerantScalar } from "./tolerantTree.ts";

/** A string, a number or a word of a cell and what it is: as much of a {@link CursorContext} as needs no cursor. */
export interface TypedToken
  extends Pick<CursorContext, "kind" | "span" | "quoted" | "role" | "owner" | "param" | "path" | "method"> {
  readonly text: string;
  readonly spec: MethodSpec | undefined;
}

/** Every word of a cell in the order of its text, keys among them. Remembered by cell. */
export const typedTokens = memoByPair((cell: Cell, catalog: Catalog): readonly TypedToken[] => {
  const tokens: TypedToken[] = [];
  if (cell.kind !== "markdown" && cell.kind !== "opaque") {
    for (const { value } of treeOf(cell)) {
      if (isContainer(value)) collect(tokens, value, rootContext(cell, value, catalog), []);
    }
  }
  return tokens;
});

function collect(into: TypedToken[], container: TolerantContainer, here: Context, path: readonly PathStep[]): void {
  const isObject = container.kind === "object";
  for (const [index, { key, colon, value }] of container.slots.entries()) {
    if (!key && !value) continue;
    const next = step(here, isObject ? key?.text : undefined, index, value);
    const way = [...path, { container, index, key: key?.text }];
    if (key) into.push(typedToken("key", key, next, here, way));
    if (isContainer(value)) collect(into, value, next, way);
    else if (value) into.push(typedToken(isObject && colon === undefined ? "key" : "value", value, next, here, way));
  }
}

function typedToken(
  kind: TypedToken["kind"],
  { span, quoted, text }: TolerantScalar,
  { role, method, param, catalog }: Context,
  owner: Context,
  path: readonly PathStep[],
): TypedToken {
  const spec = method === undefined ? undefined : catalog.methodNamed(method);
  return { kind, span, quoted, text, role, owner: owner.role, method, spec, param, path };
}

/** The value of a member of an object, the last of equal keys. */
export function memberOf(container: TolerantNode | undefined, key: string): TolerantNode | undefined {
  if (container?.kind !== "object") return undefined;
  return container.slots.findLast((slot) => slot.key?.text === key)?.value;
}

/** The text of a scalar; `undefined` for brackets and for nothing. */
export function textOf(value: TolerantNode | undefined): string | undefined {
  return value?.kind === "scalar" ? value.text : undefined;
}

/** Keys and ordinals from a bracket on the way down to a word, that bracket's own first. */
export function pathFrom(path: readonly PathStep[], start: number): readonly (string | number)[] {
  return path.slice(start).map(({ container, index, key }) => (container.kind === "array" ? index : (key ?? index)));
}
