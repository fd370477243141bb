import { type AbiItem, selectorOf } from "../abi/item.ts";
import type { AbiParam, AbiType } from "../abi/type.ts";
import { bundledAbis } from "../abi/wellKnownAbis.ts";
import type { Scope } from "../analysis/scope.ts";
import { memberOf, pathFrom, type TypedToken, textOf } from "../analysis/typedTokens.ts";
import { code, joined, type Markdown, markdown } from "../base/markdown.ts";
import type { Cell } from "../notebook/cell.ts";
import { declared, itemsNamed, sourceText } from "./abiLookup.ts";

/** `{ "function", "args" }` and `{ "event", "args" }` around a place: what is named there, and where in it the place is. */
export interface Readable {
  readonly kind: "function" | "event";
  /** The source text. */
  readonly named: string;
  /** Items with that name, the likeliest first. */
  readonly items: readonly AbiItem[];
  /** `name` is the value of `function` or `event`; else the way from `args` down, empty for `args` itself. */
  readonly at: "name" | readonly (string | number)[];
}

/** @returns `undefined` outside of such an object, at its other keys, and outside of parameters. */
export function readableAt(path: TypedToken["path"], cell: Cell, scope: Scope): Readable | undefined {
  const start = path.findLastIndex(({ container, key }) => isReadable(container) && key !== undefined);
  const step = path[start];
  if (!step || !path.slice(0, start).some(({ key }) => key === "params")) return undefined;
  const kind = memberOf(step.container, "function") ? "function" : "event";
  const named = textOf(memberOf(step.container, kind)) ?? "";
  const parts = { kind, named, items: itemsNamed(kind, named, cell, scope) } as const;
  if (step.key === kind) return { ...parts, at: "name" };
  return step.key === "args" ? { ...parts, at: pathFrom(path, start + 1) } : undefined;
}

function isReadable(container: TypedToken["path"][number]["container"]): boolean {
  return memberOf(container, "function") !== undefined || memberOf(container, "event") !== undefined;
}

/** The arguments that `args` lists: those of a function, the indexed ones of an event. */
export function argsOf(item: AbiItem): readonly AbiParam[] {
  return item.kind === "event" ? item.inputs.filter(({ indexed }) => indexed) : item.inputs;
}

/** The functions or events with a name, with selector or topic 0. */
export function readableDocs({ kind, named, items }: Readable, scope: Scope): Markdown {
  const what = kind === "event" ? markdown`event` : markdown`function`;
  if (items.length === 0) return markdown`No ABI in scope declares the ${what} ${code(named)}.`;
  const many = items.length > 1 ? markdown`${items.length} ${what}s are called ${code(named)}:` : undefined;
  return joined([many, ...items.slice(0, 6).map((item) => itemDocs(item, scope))], "\n\n");
}

/**
 * Shows the source of an item, with its selector or topic 0; for one that was only written out, other sources that
 * declare it.
 */
export function itemDocs(item: AbiItem, { abis }: Scope): Markdown {
  const event = item.kind === "event";
  const hash = event ? markdown`topic 0 ${code(item.hash)}` : markdown`selector ${code(selectorOf(item))}`;
  const bundled = bundledAbis(abis.signatures);
  const same = event ? bundled.events(item.hash) : bundled.functions(selectorOf(item));
  const sources = new Set(item.source === "as written" ? same.map(({ source }) => source) : [item.source]);
  return joined([code(declared(item), 300), hash, ...[...sources].slice(0, 3).map(sourceText)], " · ");
}

/** An argument, or a part of one. */
export interface Argument {
  readonly item: AbiItem;
  readonly param: AbiParam;
  /** Among those that `args` lists, from 0. */
  readonly position: number;
  /** The type at the place itself, which may be inside the argument. */
  readonly type: AbiType;
}

/** The argument at a place, by the likeliest item that has one there. */
export function argumentAt({ items, at, kind }: Readable): Argument | undefined {
  if (at === "name" || at.length === 0) return undefined;
  for (const item of items) {
    const params = argsOf(item);
    const [first, ...rest] = at;
    const position = typeof first === "number" ? first : params.findIndex(({ name }) => name === first);
    const param = params[position];
    if (!param) continue;
    // a list in place of one value means any of its items
    const alternatives = kind === "event" && rest.length > 0 && param.type.kind !== "tuple";
    const type = inside(param.type, rest) ?? (alternatives ? inside(param.type, rest.slice(1)) : undefined);
    if (type) return { item, param, position, type };
  }
  return undefined;
}

export function argumentDocs({ item, param, position, type }: Argument): Markdown {
  const name = param.name === "" ? markdown`Argument ${position + 1}` : code(param.name, 60);
  const part = type === param.type ? undefined : markdown`here one ${code(type.text, 80)}`;
  const which = item.kind === "event" ? markdown`indexed argument` : markdown`argument`;
  const types = joined([code(param.type.text, 80), part], ", ");
  return markdown`${name} (${types}) · ${which} ${position + 1} of ${code(item.name, 60)}`;
}

function inside(type: AbiType, path: readonly (string | number)[]): AbiType | undefined {
  let here: AbiType | undefined = type;
  for (const segment of path) {
    if (here?.kind === "array") here = here.of;
    else if (here?.kind === "tuple")
      here = here.members.find(({ name }, at) =>
        typeof segment === "number" ? at === segment : name === segment,
      )?.type;
    else return undefined;
  }
  return here;
}
