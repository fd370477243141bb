import type { AbiItem } from "../abi/item.ts";
import { holdsBytes } from "../abi/nested.ts";
import type { AbiParam, AbiType } from "../abi/type.ts";
import { itemsCalled } from "../abi/wellKnownAbis.ts";
import { nearest } from "../base/text.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { TypeRef } from "../catalog/spec.ts";
import { shapesOf } from "../catalog/types.ts";
import { functionOf } from "../evaluate/namedItems.ts";
import type { RequestNode } from "../notebook/cell.ts";
import { items, type JsonNode, member } from "../notebook/json.ts";
import type { Segment } from "../notebook/placeholder.ts";
import type { DeadEnd } from "./types.ts";
import { isTypo } from "./typo.ts";

/** The shapes under `decoded` and `error`, as far as they are known before the answer. */
export type Shape = Parts | Leaf;

interface Parts {
  readonly kind: "parts";
  /** In a few words, for people. */
  readonly about: string;
  readonly parts: ReadonlyMap<Segment, Shape>;
  /** Any item of a list whose length is not known. */
  readonly each?: Shape;
  /** There may be more than what is known. */
  readonly open?: boolean;
}

interface Leaf {
  readonly kind: "leaf";
  readonly about: string;
  /** It may have something inside of it. */
  readonly open?: boolean;
}

/** The shape of a request's outcome: `decoded`, where anything is possible, and `error`. */
export interface OutcomeShape {
  readonly decoded: Shape | undefined;
  readonly error: Shape;
}

const shapes = new WeakMap<RequestNode, { readonly abi: readonly AbiItem[]; readonly shape: OutcomeShape }>();

/**
 * The shapes of what a request will give, by the catalogue and the ABIs in scope.
 *
 * @param abi - As `abiItems` gives it: the same array for as long as nothing changes.
 */
export function outcomeShape(request: RequestNode, abi: readonly AbiItem[], catalog: Catalog): OutcomeShape {
  const known = shapes.get(request);
  if (known && (known.abi === abi || known.abi.length + abi.length === 0)) return known.shape;
  const spec = request.method === undefined ? undefined : catalog.methodNamed(request.method);
  const first = items(request.members.get("params")?.value)[0];
  const decoded = spec && decodedOf(spec.result, { first, abi }, 0);
  const shape: OutcomeShape = { decoded, error: failure };
  shapes.set(request, { abi, shape });
  return shape;
}

/**
 * Returns the dead end of a path, as far as is known.
 *
 * @returns `undefined` if it can lead somewhere.
 */
export function deadEndIn(shape: Shape, path: readonly Segment[]): DeadEnd | undefined {
  let here = shape;
  for (const [at, step] of path.entries()) {
    if (here.kind === "leaf") return here.open ? undefined : { at, found: "a single value", nearest: [] };
    const next = here.parts.get(step) ?? (typeof step === "number" ? here.each : undefined);
    if (!next) {
      const names = [...here.parts.keys()].filter((name) => typeof name === "string");
      const near = typeof step === "string" ? nearest(step, names, 1) : [];
      const slipped = near.filter((name) => isTypo(String(step), name));
      if (here.open) return slipped.length > 0 ? { at, found: "an object", nearest: slipped } : undefined;
      return { at, found: isList(here) ? "a list" : "an object", nearest: near };
    }
    here = next;
  }
  return undefined;
}

function isList({ parts, each }: Parts): boolean {
  return each !== undefined || [...parts.keys()].every((key) => typeof key === "number");
}

function leaf(about: string): Leaf {
  return { kind: "leaf", about };
}

function open(about: string): Leaf {
  return { kind: "leaf", about, open: true };
}

function parts(about: string, entries: Iterable<readonly [Segment, Shape]>, isOpen = false): Parts {
  return { kind: "parts", about, parts: new Map(entries), ...(isOpen && { open: true }) };
}

function listOf(each: Shape, about = "a list"): Parts {
  return { kind: "parts", about, parts: new Map([[0, each]]), each };
}

const revert = parts(
  "why it was reverted",
  [
    ["reason", leaf("text")],
    ["name", leaf("text")],
    ["args", open("its arguments")],
  ],
  true,
);

const failure = parts(
  "where it fails",
  [
    ["reason", leaf("text")],
    ["message", leaf("text")],
    ["code", leaf("number")],
    ["data", open("bytes")],
    ["decoded", revert],
  ],
  true,
);

/** The context that decides the ABI of a request: its first parameter, and the project's declarations. */
interface ShapeContext {
  readonly first: JsonNode | undefined;
  readonly abi: readonly AbiItem[];
}

/** It has the shape of the result, with logs as events. */
function decodedOf(type: TypeRef, around: ShapeContext, depth: number): Shape | undefined {
  const found = shapesOf(type);
  // what is in a block is a hash or an object
  const shape = found.find((one) => one.kind === "one" && one.type.kind === "object") ?? found[0];
  if (shape?.kind === "list") {
    const item = decodedOf(shape.items, around, depth + 1);
    return item && listOf(item);
  }
  if (shape?.ref === "log") return event(around);
  if (shape?.ref === "returndata") return depth === 0 ? returnedBy(around.first, around.abi) : undefined;
  if (shape?.ref === "callResult") return simulatedCall(around);
  if (shape?.type.kind !== "object" || depth > 4) return undefined;
  const isTransaction = shape.ref === "transaction";
  const members = shape.type.fields.flatMap(({ name, type: inner }) => {
    if (times.has(name)) return [[name, leaf("milliseconds since 1970")] as const];
    if (isTransaction) return name === "input" ? [[name, call] as const] : [];
    const below = decodedMembers.has(name) ? decodedOf(inner, around, depth + 1) : undefined;
    return below ? [[name, below] as const] : [];
  });
  return members.length === 0 ? undefined : parts("an object", members);
}

/** Lists in results whose items are decoded. */
const decodedMembers: ReadonlySet<string> = new Set(["logs", "calls", "transactions"]);

/** They are in what is decoded as they are in the result, as decimal text. */
const times: ReadonlySet<string> = new Set(["timestampMs", "blockTimestampMs"]);

const faults = open("what is wrong with the data");

/** The shape of a call whose function is unknown until the answer arrives. */
const call = parts("a call", [
  ["name", leaf("text")],
  ["signature", leaf("text")],
  ["args", open("its arguments")],
  ["calls", open("calls inside of it")],
  ["faults", faults],
]);

/** The log of an event may be one of another with that topic 0, which names its arguments otherwise. */
function event({ first, abi }: ShapeContext): Shape {
  const topic = items(member(first, "topics"))[0];
  const written = member(first, "event")?.value ?? topic?.value;
  const inputs = typeof written === "string" ? (itemsCalled("event", written, abi)[0]?.inputs ?? []) : [];
  const args = inputs.map(({ name, type }, at) => [name === "" ? String(at) : name, leaf(type.text)] as const);
  return parts("an event", [
    ["name", leaf("text")],
    ["signature", leaf("text")],
    ["args", parts("its arguments", args, true)],
    ["blockTimestampMs", leaf("milliseconds since 1970")],
    ["faults", faults],
  ]);
}

function simulatedCall({ first, abi }: ShapeContext): Shape {
  const calls = items(member(first, "blockStateCalls")).flatMap((block) => items(member(block, "calls")));
  const [only] = calls.length === 1 ? calls : [];
  const returned = (only && returnedBy(only, abi)) ?? open("what the function returns");
  return parts("a call", [
    ["returnData", returned],
    ["logs", listOf(event({ first: undefined, abi }))],
    ["error", revert],
    ["faults", faults],
  ]);
}

/** Returns the values that a call returns, if the call itself or the project's ABIs declare them. */
function returnedBy(asked: JsonNode | undefined, abi: readonly AbiItem[]): Shape | undefined {
  const data = member(asked, "data") ?? member(asked, "input");
  const written = member(data, "function")?.value;
  const overloads = typeof written === "string" ? itemsCalled("function", written, abi) : [];
  const called = overloads[0] ?? functionOf(data?.value, abi);
  if (!called || called.outputs.length === 0) return undefined;
  const calls = called.inputs.some(({ type }) => holdsBytes(type));
  const values = called.outputs.map(({ name, type }, at) => [at, shapeOfValue(type, name, calls)] as const);
  return parts("what the function returns", values, overloads.length > 1);
}

/** @param calls - The bytes may be what a call inside of the call returned. */
function shapeOfValue(type: AbiType, name: string, calls: boolean): Shape {
  const about = `${type.text} ${name}`.trim();
  if (type.kind === "array") return listOf(shapeOfValue(type.of, name, calls), about);
  if (type.kind === "tuple") return parts(about, membersOf(type.members, calls));
  return type.kind === "bytes" && calls ? innerCall(about) : leaf(about);
}

/** Members go by their names where all have one of their own, else by their places. */
function membersOf(members: readonly AbiParam[], calls: boolean): readonly (readonly [Segment, Shape])[] {
  const names = new Set(members.map(({ name }) => name));
  const named = members.length > 0 && names.size === members.length && !names.has("");
  return members.map(({ name, type }, at) => [named ? name : at, shapeOfValue(type, name, calls)]);
}

function innerCall(about: string): Shape {
  return parts(
    about,
    [
      ["values", open("what the function returns")],
      ["error", revert],
      ["name", leaf("text")],
      ["signature", leaf("text")],
      ["data", leaf("bytes")],
    ],
    true,
  );
}
