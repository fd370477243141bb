import type { JsonValue } from "../base/json.ts";
import type { AbiScope } from "./abiScope.ts";
import { type Candidate, candidates, type Fit, fittingData, namedFits } from "./candidates.ts";
import type { Decoded } from "./decode.ts";
import { lowerHex } from "./decodeLog.ts";
import type { AbiItem } from "./item.ts";
import {
  type Allowance,
  allowanceFor,
  type Beside,
  bytesAmong,
  maxDepth,
  type NestedBytes,
  spend,
  type ValuePath,
} from "./nested.ts";
import { type PackedCall, packedCalls, type RouterCommand, routerCommands, systemCall } from "./packedCalls.ts";

/** Call data, and the calls that it carries on. */
export interface DecodedCall {
  readonly name: string;
  /** `transfer(address,uint256)` */
  readonly signature: string;
  readonly args: readonly CallArg[];
  /** Where the declaration is written: `ERC-20`, a file of the project. */
  readonly source: string;
  /** All sources that declare it with these names; `source` is the first. */
  readonly sources: readonly string[];
  /** No ABI of the project says so: others may have that selector as well. */
  readonly guess: boolean;
  /** Faults in the data, a clause each. */
  readonly faults: readonly string[];
  /** Declarations that fit as well. */
  readonly others: readonly Candidate[];
  readonly inner: readonly InnerCall[];
  readonly data: string;
  readonly item: AbiItem;
}

export interface CallArg {
  /** `""` where the declaration has none. */
  readonly name: string;
  readonly type: string;
  readonly value: Decoded;
}

/** A call inside call data. */
export interface InnerCall extends AskedCall {
  /** Where it is among the arguments; the place of a packed call comes behind that of the bytes that hold it. */
  readonly path: ValuePath;
  /** `undefined` for calls that are certainly there, but of no known function, and for plain transfers. */
  readonly call: DecodedCall | undefined;
}

/** What is called, and with what. */
export interface AskedCall {
  /** The contract that is called, and wei sent along in decimals, where the data says so. */
  readonly to: string | undefined;
  readonly value: string | undefined;
  /** The other contract's code runs in the place of the caller. */
  readonly delegate: boolean;
  readonly data: string;
  /** The byte of a router command, which is not a call: its data has no selector. */
  readonly command?: string;
}

/**
 * Reads call data as the function that it is for, with the calls inside of it: multicalls, batches of accounts and
 * Safes, user operations, and any bytes that are exactly the call of a known function. Never throws.
 *
 * @param data - Hex, a selector and arguments.
 * @param scope - Functions of the project; they win over the bundled ones.
 * @param to - The contract that is called: what the project gives for it comes first.
 * @returns `undefined` if no known function has that selector. A known one with arguments that do not fit has faults.
 */
export function decodeCall(
  data: JsonValue | undefined,
  scope?: AbiScope,
  to?: JsonValue | undefined,
): DecodedCall | undefined {
  const hex = lowerHex(data);
  if (hex === undefined) return undefined;
  return callAt(hex, { scope, allowance: allowanceFor(hex), depth: maxDepth }, lowerHex(to));
}

/**
 * Reads call data as each function that it may be for.
 *
 * @returns The readings of {@link decodeCall}, the likeliest first; a signature appears once for each set of names.
 */
export function decodeCalls(
  data: JsonValue | undefined,
  scope?: AbiScope,
  to?: JsonValue | undefined,
): readonly DecodedCall[] {
  const hex = lowerHex(data);
  if (hex === undefined || hex.length < 10) return [];
  const fits = namedFits("function", hex, scope, lowerHex(to));
  return fits.map((fit) => callOf(fit, hex, { scope, allowance: allowanceFor(hex), depth: maxDepth }));
}

/** Bytes among the values of something that is not a call, such as an error, that are exactly the call of a known function. */
export function callsAmong(
  item: AbiItem,
  values: readonly Decoded[],
  data: string,
  scope?: AbiScope,
): readonly InnerCall[] {
  return innerCalls(item, values, { scope, allowance: allowanceFor(data), depth: maxDepth });
}

interface DecodeContext {
  readonly scope: AbiScope | undefined;
  readonly allowance: Allowance;
  /** Levels that may still follow. */
  readonly depth: number;
}

function callAt(data: string, around: DecodeContext, to?: string): DecodedCall | undefined {
  if (data.length < 10) return undefined;
  const system = systemCall(data, to);
  if (system) return callOf({ ...system, guess: false, sources: [system.item.source] }, data, around);
  const fits = fittingData("function", data, around.scope, to);
  const [best] = fits;
  return best && { ...callOf(best, data, around), others: candidates(fits) };
}

function callOf(fit: Fit, data: string, around: DecodeContext): DecodedCall {
  const { item, values, faults, guess, sources } = fit;
  const { name, signature, source } = item;
  const args = item.inputs.map(({ name, type }, at): CallArg => ({ name, type: type.text, value: values[at] }));
  const inner = innerCalls(item, values, around);
  return { name, signature, args, source, sources, guess, faults, others: [], inner, data, item };
}

function innerCalls(
  item: AbiItem,
  values: readonly Decoded[],
  { depth, ...around }: DecodeContext,
): readonly InnerCall[] {
  if (depth === 0) return [];
  const deeper = { ...around, depth: depth - 1 };
  const commands = routerCommands(item.signature, values);
  if (commands) return commands.map((one, at) => commandCall(one, [1, at], deeper));
  const inner: (readonly [NestedBytes, readonly InnerCall[]])[] = [];
  for (const bytes of bytesAmong(item.inputs, values)) {
    if (!spend(around.allowance, bytes.data)) break;
    const packed = packedCalls(item.signature, bytes);
    const calls = packed?.map((one, at) => packedCall(one, [...bytes.path, at], deeper));
    inner.push([bytes, calls ?? plainCall(bytes, deeper)]);
  }
  // a list of calls has nothing else
  const lists = new Set(inner.flatMap(([{ path }, calls]) => (calls.length > 0 ? listAt(path) : [])));
  return inner.flatMap(([bytes, calls]) =>
    calls.length === 0 && listAt(bytes.path).some((list) => lists.has(list)) ? innerCall(bytes, undefined) : calls,
  );
}

/** The list that bytes are in, with the member that holds them. */
function listAt([at, index, ...rest]: ValuePath): readonly string[] {
  return typeof index === "number" ? [[at, ...rest].join()] : [];
}

function commandCall({ byte, data, reading }: RouterCommand, path: ValuePath, around: DecodeContext): InnerCall {
  const whatever = { path, to: undefined, value: undefined, delegate: false, data, command: byte };
  if (!reading || !spend(around.allowance, data)) return { ...whatever, call: undefined };
  const fit: Fit = { ...reading, guess: false, sources: [reading.item.source] };
  return { ...whatever, call: callOf(fit, data, around) };
}

/** Known to be a call, whatever it calls. */
function packedCall({ to, value, delegate, data }: PackedCall, path: ValuePath, around: DecodeContext): InnerCall {
  const call = spend(around.allowance, data) ? callAt(data, around, to) : undefined;
  return { path, to, value, delegate, data, call };
}

/** Bytes are a call where a known function reads all of them without a fault. */
function plainCall(bytes: NestedBytes, around: DecodeContext): readonly InnerCall[] {
  // arguments are whole words
  if (bytes.data.length < 10 || bytes.data.length % 64 !== 10) return [];
  const call = callAt(bytes.data, around, lowerHex(calleeBeside(bytes.beside())));
  return call === undefined || call.faults.length > 0 ? [] : [innerCall(bytes, call)];
}

function innerCall(bytes: NestedBytes, call: DecodedCall | undefined): InnerCall {
  const beside = bytes.beside();
  const operation = beside.find(({ name, type }) => bare(name) === "operation" && type.text === "uint8");
  const delegate = operation?.value === "1";
  return { path: bytes.path, to: calleeBeside(beside), value: amount(beside), delegate, data: bytes.data, call };
}

/** Names that contracts use for the contract that they call. */
const calleeNames: ReadonlySet<string> = new Set(
  "to target dest destination callee sender contract module implementation newimplementation proxy".split(" "),
);

/** The contract that bytes are sent to, as what is beside them names it. */
export function calleeBeside(beside: readonly Beside[]): string | undefined {
  const found = beside.find(({ name, type }) => type.kind === "address" && calleeNames.has(bare(name)));
  return typeof found?.value === "string" ? found.value : undefined;
}

function amount(beside: readonly Beside[]): string | undefined {
  const found = beside.find(({ name, type }) => type.kind === "uint" && bare(name) === "value");
  return typeof found?.value === "string" ? found.value : undefined;
}

/** `_targets` and `target` are the same. */
function bare(name: string): string {
  const letters = name.replaceAll("_", "").toLowerCase();
  return letters.endsWith("s") ? letters.slice(0, -1) : letters;
}
