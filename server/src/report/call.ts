import type { Candidate } from "../abi/candidates.ts";
import { type DecodedCall, decodeCall, type InnerCall } from "../abi/decodeCall.ts";
import { byteLength, isHex, isPrecompile } from "../base/hex.ts";
import type { JsonObject, JsonValue } from "../base/json.ts";
import { oneLine, plural } from "../base/text.ts";
import type { Field, Section, Shown } from "./report.ts";
import {
  abiShown,
  badShown,
  bytesShown,
  faultFields,
  inlineText,
  nameAt,
  partyShown,
  rawOf,
  saidText,
  weiShown,
} from "./shown.ts";
import { tokenAddress, tokenShown } from "./tokens.ts";
import type { ViewContext } from "./view.ts";

/** Calls inside a call that get a line of their own. */
const maxInner = 100;

/**
 * Call data on one line: `transfer(to: 0x7099…, value: 5)`.
 *
 * @param to - The contract that is called, if known.
 */
export function callShown(data: JsonValue, context: ViewContext, to?: JsonValue): Shown {
  if (!isHex(data)) return badShown(data, "not bytes");
  if (data === "0x") return { text: "none", raw: "0x", role: "bytes" };
  const call = decodeCall(data, context.scope, to);
  return call === undefined ? unknownCall(data, to) : decodedShown(call, context, to);
}

function decodedShown(call: DecodedCall, context: ViewContext, to: JsonValue | undefined): Shown {
  const name = oneLine(call.name, 60);
  const isRight = call.faults.length === 0;
  const args = isRight ? call.args.map((_, at) => argShown(call, at, context, to)) : [];
  const named = args.map((arg, at) => {
    const argName = call.args[at]?.name ?? "";
    return argName === "" ? inlineText(arg) : `${oneLine(argName, 60)}: ${inlineText(arg)}`;
  });
  return {
    text: isRight ? oneLine(`${name}(${named.join(", ")})`) : `${name} with data that does not fit it`,
    // with labels and without the names of arguments: `transfer(bob, 2.5 DUSD)`
    ...(isRight && { short: oneLine(`${name}(${args.map(saidText).join(", ")})`) }),
    ...rawOf(call.data),
    also: [...reasons(call), ...call.faults],
    ...guessOf(call),
    role: isRight ? "name" : "bad",
  };
}

function unknownCall(data: string, to: JsonValue | undefined): Shown {
  const bytes = bytesShown(data);
  if (typeof to === "string" && isPrecompile(to)) return bytes;
  const rest = byteLength(data) - 4;
  if (bytes.also || rest < 0 || rest % 32 !== 0) return bytes;
  const name = `unknown function ${data.slice(0, 10)}`;
  if (rest === 0) return { text: name, ...rawOf(data), role: "bytes" };
  return { text: `${name} with ${plural(rest / 32, "word")}`, short: name, ...rawOf(data), role: "bytes" };
}

/** Who says that this is the function, and which others it may be. */
function reasons({ signature, source, guess, others }: DecodedCall): readonly string[] {
  return [`${oneLine(signature, 200)} ${sourceText(source, guess)}`, ...alternatives(others)];
}

interface Declared {
  readonly signature: string;
  readonly source: string;
  readonly guess: boolean;
}

/** The source of a reading that no ABI of the project declares. */
export function guessOf({ signature, source, guess }: Declared): { readonly guess?: string } {
  return guess ? { guess: `${oneLine(signature, 120)} from ${oneLine(source, 60)}` } : {};
}

/** @param guess - It goes by the selector alone. */
export function sourceText(source: string, guess: boolean): string {
  return `from ${oneLine(source, 120)}${guess ? ", guessed by its selector" : ""}`;
}

export function alternatives(others: readonly Candidate[]): readonly string[] {
  const more = others.length > 4 ? [`or ${others.length - 4} more`] : [];
  return [
    ...others.slice(0, 4).map((one) => `or ${oneLine(one.declaration, 200)} from ${oneLine(one.source, 80)}`),
    ...more,
  ];
}

function argShown(call: DecodedCall, at: number, { labels, tokens }: ViewContext, to: JsonValue | undefined): Shown {
  const { signature, args, inner } = call;
  const arg = args[at];
  const calls = inner.filter(({ path }) => path[0] === at).length;
  if (calls > 0) return { text: plural(calls, inner[0]?.command === undefined ? "call" : "command") };
  const values = args.map(({ value }) => value);
  const address = tokenAddress({ kind: "function", signature, values, self: to }, at);
  const token = address === undefined ? undefined : tokens.get(address);
  return token && typeof arg?.value === "string"
    ? tokenShown(arg.value, token, signature)
    : abiShown(arg?.value, arg?.type ?? "", labels);
}

/**
 * Call data argument by argument, and the calls inside of it.
 *
 * @returns Empty if no known function fits.
 */
export function callSections(data: JsonValue, context: ViewContext, to?: JsonValue): readonly Section[] {
  const call = decodeCall(data, context.scope, to);
  if (call === undefined) return [];
  const [reason = "", ...also] = reasons(call);
  const fields: Field[] = [
    { name: "function", value: { text: reason, also } },
    ...call.args.map(({ name }, at) => ({ name: nameAt(name, at), value: argShown(call, at, context, to) })),
    ...faultFields(call.faults),
  ];
  const inner = [...innerFields(call, "", context)];
  const cut: readonly Section[] =
    inner.length > maxInner
      ? [{ kind: "note", text: `Only the first ${maxInner} of ${inner.length} inner calls.` }]
      : [];
  return [
    { kind: "fields", title: `Call of ${oneLine(call.name, 60)}`, fields },
    ...(inner.length > 0
      ? [{ kind: "fields" as const, title: "Inner calls", fields: inner.slice(0, maxInner) }, ...cut]
      : []),
  ];
}

function* innerFields(call: DecodedCall, prefix: string, context: ViewContext): Generator<Field> {
  for (const inner of call.inner) {
    const name = `${prefix}${placeText(call, inner)}`;
    yield { name, value: innerShown(inner, context) };
    if (inner.call) yield* innerFields(inner.call, `${name} › `, context);
  }
}

/** @example `calls[0].callData` */
function placeText({ args }: DecodedCall, { path: [at, ...rest] }: InnerCall): string {
  const name = oneLine(args[Number(at)]?.name ?? "", 40) || `argument ${Number(at) + 1}`;
  return name + rest.map((step) => (typeof step === "number" ? `[${step}]` : `.${oneLine(step, 40)}`)).join("");
}

function innerShown({ to, value, delegate, data, call, command }: InnerCall, context: ViewContext): Shown {
  if (command !== undefined && !call)
    return { ...bytesShown(data), text: `command ${command}: ${bytesShown(data).text}` };
  const target = to === undefined ? "" : inlineText(partyShown(to, context.labels));
  const sent = value === undefined || value === "0" ? "" : `sends ${weiShown(BigInt(value)).text}`;
  const shown = call ? decodedShown(call, context, to) : data === "0x" ? undefined : unknownCall(data, to);
  const parts = [target && `${delegate ? "delegates to" : "calls"} ${target}`, sent, shown?.text ?? ""];
  const text = oneLine(parts.filter((part) => part !== "").join(", "));
  return { ...shown, text: text || "nothing" };
}

/** The call data of a call object, under either of its names. */
export function dataOf(call: JsonObject): string | undefined {
  const data = call.input ?? call.data;
  return isHex(data) && data.length >= 10 ? data : undefined;
}
