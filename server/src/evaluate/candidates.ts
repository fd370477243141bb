import type { EncodingFault } from "../abi/encode.ts";
import { type AbiItem, declaration } from "../abi/item.ts";
import { itemsCalled, namesOf } from "../abi/wellKnownAbis.ts";
import type { Span } from "../base/span.ts";
import { nearest } from "../base/text.ts";
import { type JsonNode, member, spanOf } from "../notebook/json.ts";
import type { Context, ReadableProblem } from "./conversion.ts";
import { printPath } from "./path.ts";

/** The result of encoding the arguments for one function or event. */
export type Attempt =
  | { readonly kind: "encoded"; readonly text: string }
  | { readonly kind: "open" }
  | { readonly kind: "faults"; readonly faults: readonly EncodingFault[] };

export type Chosen =
  | { readonly item: AbiItem; readonly text: string | undefined }
  | { readonly problems: readonly ReadableProblem[] };

/** The spans of the name and the arguments. */
interface Written {
  readonly name: JsonNode;
  readonly args: JsonNode | undefined;
  /** The address of the contract, if there is one. */
  readonly contract: JsonNode | undefined;
}

/**
 * Chooses, among the functions or events of a name, the one that accepts the arguments. If several equally near do and the
 * results differ, the choice is left to the user.
 *
 * @param attempt - Encodes the arguments for one candidate.
 */
export function choose(
  kind: "event" | "function",
  written: Written,
  { abi, isOpen }: Context,
  attempt: (item: AbiItem) => Attempt,
): Chosen {
  const name = String(written.name.value);
  const span = spanOf(written.name);
  const called = itemsCalled(kind, name, abi);
  const anyContract = isOpen(String(written.contract?.value));
  const items = anyContract ? called : forContract(called, written.contract);
  const [first] = items;
  if (!first) return { problems: [{ code: `unknown-${kind}`, span, name, nearest: near(kind, name, abi) }] };
  const attempts = items.map((item) => ({ item, attempt: attempt(item) }));
  const accepting = attempts.filter(({ attempt }) => attempt.kind !== "faults");
  const [best] = accepting;
  if (!best) return { problems: faultsOf(attempts, written) };
  const fitting = accepting.filter(({ item }) => item.namedBy === best.item.namedBy); // the nearest win over all others
  const texts = new Set(fitting.flatMap(({ attempt }) => (attempt.kind === "encoded" ? attempt.text : [])));
  const decidedLater = anyContract && items.some(({ address }) => address !== undefined);
  if (texts.size > 1 && !decidedLater) {
    const declarations = [...new Set(fitting.map(({ item }) => declaration(item)))];
    return { problems: [{ code: `ambiguous-${kind}`, span, name, declarations }] };
  }
  const open = texts.size > 1 || fitting.some(({ attempt }) => attempt.kind === "open");
  return { item: best.item, text: open ? undefined : [...texts][0] };
}

/** Returns the declarations for this contract, else for any contract, else for others. */
function forContract(items: readonly AbiItem[], contract: JsonNode | undefined): readonly AbiItem[] {
  const meant = String(contract?.value).toLowerCase();
  const own = items.filter(({ address }) => address === meant);
  const any = items.filter(({ address }) => address === undefined);
  return own.length > 0 ? own : any.length > 0 ? any : items;
}

/** Returns the faults of the candidate that fits best: faults inside the arguments rather than of their number. */
function faultsOf(
  attempts: readonly { readonly item: AbiItem; readonly attempt: Attempt }[],
  written: Written,
): readonly ReadableProblem[] {
  const faulty = attempts.flatMap(({ item, attempt }) => (attempt.kind === "faults" ? [{ item, ...attempt }] : []));
  const closest = faulty.find(({ faults }) => faults.every(({ path }) => path.length > 0)) ?? faulty[0];
  return (closest?.faults ?? []).map((fault) => badArgument(fault, closest?.item, written));
}

function badArgument(
  { path, what }: EncodingFault,
  item: AbiItem | undefined,
  { name, args }: Written,
): ReadableProblem {
  const [first] = path;
  const params = item?.kind === "event" ? item.inputs.filter(({ indexed }) => indexed) : item?.inputs;
  const param = typeof first === "number" ? params?.[first] : params?.find((one) => one.name === first);
  const declared = param && [param.type.text, param.name].filter(Boolean).join(" ");
  const whole = path.length === 0 && item ? `\`${declaration(item)}\`: ${what}` : what;
  return {
    code: "bad-argument",
    span: spanAt(args ?? name, path),
    path: printPath(["args", ...path]),
    declared,
    what: whole,
  };
}

/** Returns the node at a path, or the last one that exists. */
export function spanAt(node: JsonNode, path: EncodingFault["path"]): Span {
  let here = node;
  for (const step of path) {
    const next = typeof step === "number" && here.type === "array" ? here.children?.[step] : member(here, String(step));
    if (!next) break;
    here = next;
  }
  return spanOf(here);
}

function near(kind: "event" | "function", name: string, abi: readonly AbiItem[]): readonly string[] {
  const word = /^\s*(?:(?:event|function)\s+)?([\w$]+)/.exec(name)?.[1] ?? name;
  return nearest(word.slice(0, 100), namesOf(kind, abi)).filter((one) => one !== word);
}
