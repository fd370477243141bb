import { quantity } from "../base/hex.ts";
import { isArray, isObject, type JsonObject, type JsonValue } from "../base/json.ts";

/** Calls of a trace that are read; a block has fewer. */
export const maxFrames = 100_000;

/** A call of a trace, whichever way the node writes it. Values are as the node sent them. */
export interface CallFrame extends Action, FramePlace {
  readonly children: readonly CallFrame[];
  /** In capitals: `CALL`, `DELEGATECALL`, `CREATE2`, `SELFDESTRUCT`, `REWARD`. */
  readonly type: string;
}

interface FramePlace {
  /** Its place among all calls, in the order in which they began. */
  readonly index: number;
  /** Its place among the calls of its caller; of a call without one, among all of these. */
  readonly place: number;
  /** How many calls it is in. */
  readonly depth: number;
  /** `undefined` for the first call, and if the trace leaves the call around it out. */
  readonly parent: CallFrame | undefined;
  readonly logs: readonly FrameLog[];
}

interface Action {
  readonly from: JsonValue | undefined;
  readonly to: JsonValue | undefined;
  readonly value: JsonValue | undefined;
  readonly gas: JsonValue | undefined;
  readonly gasUsed: JsonValue | undefined;
  readonly input: JsonValue | undefined;
  readonly output: JsonValue | undefined;
  readonly error: JsonValue | undefined;
  readonly revertReason: JsonValue | undefined;
}

interface FrameLog {
  readonly log: JsonValue;
  /** How many calls inside the frame came before it; `undefined` if the node does not say. */
  readonly position: number | undefined;
}

/** The calls of a trace, in the order in which they began. */
export interface CallFrames {
  readonly frames: readonly CallFrame[];
  /** Calls that are in no other of the trace. */
  readonly roots: readonly CallFrame[];
  /** All calls of the trace, also those beyond {@link maxFrames}. */
  readonly total: number;
}

const none: readonly FrameLog[] = [];

/** A frame while its trace is read. */
interface OpenFrame extends CallFrame {
  readonly children: OpenFrame[];
}

/**
 * Reads calls of both forms: nested in each other (`callTracer`), or in a flat list with places (`trace_*`). Of several
 * traces the calls follow each other.
 *
 * @see https://github.com/ethereum/go-ethereum/blob/master/eth/tracers/native/call.go
 * @see https://openethereum.github.io/JSONRPC-trace-module
 */
export function callFrames(traces: readonly JsonValue[]): CallFrames {
  const frames: OpenFrame[] = [];
  const flat = new FlatPlaces();
  let [total, roots] = [0, 0];
  const add = (trace: JsonObject, parent: OpenFrame | undefined, depth: number): OpenFrame | undefined => {
    total++;
    if (frames.length === maxFrames) return undefined;
    const logs = isArray(trace.logs) ? trace.logs.map(frameLog) : none;
    const place = { index: frames.length, place: parent ? parent.children.length : roots++, depth, parent, logs };
    const frame = isObject(trace.action) ? flatFrame(trace, trace.action, place) : nestedFrame(trace, place);
    frames.push(frame);
    parent?.children.push(frame);
    return frame;
  };
  // A list and not a recursion: calls can be a thousand levels deep.
  const open: { readonly calls: readonly JsonValue[]; readonly parent: OpenFrame | undefined; at: number }[] = [
    { calls: traces, parent: undefined, at: 0 },
  ];
  for (let level = open.at(-1); level; level = open.at(-1)) {
    const trace = level.calls[level.at++];
    if (trace === undefined) open.pop();
    else if (isObject(trace) && isObject(trace.action)) flat.add(trace, add);
    else if (isObject(trace)) {
      const frame = add(trace, level.parent, open.length - 1);
      if (isArray(trace.calls)) open.push({ calls: trace.calls, parent: frame, at: 0 });
    }
  }
  return { frames, roots: frames.filter(({ parent }) => parent === undefined), total };
}

function frameLog(log: JsonValue): FrameLog {
  const position = isObject(log) ? quantity(log.position) : undefined;
  return { log, position: position === undefined ? undefined : Number(position) };
}

// Written out, since copies of objects take most of the time for a hundred thousand calls.
function nestedFrame(trace: JsonObject, { index, place, depth, parent, logs }: FramePlace): OpenFrame {
  const { from, to, value, gas, gasUsed, input, output, error, revertReason } = trace;
  const type = typeOf(trace.type);
  return {
    index,
    place,
    depth,
    parent,
    children: [],
    logs,
    type,
    from,
    to,
    value,
    gas,
    gasUsed,
    input,
    output,
    error,
    revertReason,
  };
}

function flatFrame(
  { type, result, error, revertReason }: JsonObject,
  action: JsonObject,
  place: FramePlace,
): OpenFrame {
  const outcome = isObject(result) ? result : {};
  return {
    ...place,
    children: [],
    type: typeOf(action.callType ?? action.creationMethod ?? type),
    from: action.from ?? action.address ?? action.author,
    to: action.to ?? outcome.address ?? action.refundAddress,
    value: action.value ?? action.balance,
    gas: action.gas,
    gasUsed: outcome.gasUsed,
    input: action.input ?? action.init,
    output: outcome.output ?? outcome.code,
    error,
    revertReason,
  };
}

function typeOf(type: JsonValue | undefined): string {
  const name = typeof type === "string" ? type.slice(0, 20).toUpperCase() : "CALL";
  return name === "SUICIDE" ? "SELFDESTRUCT" : name;
}

/** Finds the call around each call of a flat list, by their `traceAddress`. */
class FlatPlaces {
  /** The last call, and those that it is in. */
  #line: { readonly frame: OpenFrame | undefined; readonly place: readonly JsonValue[] }[] = [];
  #transaction: JsonValue | undefined;

  add(
    trace: JsonObject,
    add: (trace: JsonObject, parent: OpenFrame | undefined, depth: number) => OpenFrame | undefined,
  ): void {
    const place = isArray(trace.traceAddress) ? trace.traceAddress : [];
    // Not every node says in each call which transaction it is of.
    if (trace.transactionHash !== undefined && trace.transactionHash !== this.#transaction) {
      this.#line = [];
      this.#transaction = trace.transactionHash;
    }
    while ((this.#line.at(-1)?.place.length ?? -1) >= place.length) this.#line.pop();
    const around = this.#line.at(-1);
    const isInside = around?.place.length === place.length - 1 && around.place.every((step, at) => step === place[at]);
    this.#line.push({ frame: add(trace, isInside ? around.frame : undefined, place.length), place });
  }
}

/** The places of a call and of those around it among their callers' calls: `0.2.1`; `""` for the first call. */
export function framePlace(frame: CallFrame): string {
  const steps: number[] = [];
  for (let at = frame; at.parent; at = at.parent) steps.push(at.place);
  return steps.reverse().join(".");
}

/** The number of a call: that of the first call around it, as a simulation counts, then places as in {@link framePlace}. */
export function frameNumber(frame: CallFrame): string {
  let root = frame;
  while (root.parent) root = root.parent;
  const inside = framePlace(frame);
  return inside === "" ? String(root.place) : `${root.place}.${inside}`;
}

/** The logs of calls, in the order in which they were emitted. Those whose position the node does not say end their call. */
export function orderedLogs({ frames }: CallFrames): readonly { readonly log: JsonValue; readonly frame: CallFrame }[] {
  const logs: { readonly log: JsonValue; readonly frame: CallFrame }[] = [];
  const open: { readonly frame: CallFrame; at: number }[] = [];
  const emit = (one: (typeof open)[number], calls: number): void => {
    const { frame } = one;
    for (let next = frame.logs[one.at]; next; next = frame.logs[++one.at]) {
      if ((next.position ?? Number.POSITIVE_INFINITY) > calls) return;
      logs.push({ log: next.log, frame });
    }
  };
  const closeTo = (parent: CallFrame | undefined): void => {
    for (let last = open.at(-1); last && last.frame !== parent; last = open.at(-1)) {
      emit(last, Number.POSITIVE_INFINITY);
      open.pop();
    }
  };
  for (const frame of frames) {
    closeTo(frame.parent);
    const around = open.at(-1);
    if (around) emit(around, frame.place);
    open.push({ frame, at: 0 });
  }
  closeTo(undefined);
  return logs;
}

export function hasFailed({ error }: { readonly error?: JsonValue | undefined }): boolean {
  return error !== undefined && error !== null && error !== "";
}

export function isRevert({ error }: CallFrame): boolean {
  return typeof error === "string" && /revert/i.test(error);
}

export function isCreation({ type }: CallFrame): boolean {
  return type.startsWith("CREATE");
}

/**
 * Whether a call with data found no code that ran: every instruction costs gas. Chains have contracts of their own without
 * code, at small addresses.
 */
export function ranNoCode({ type, parent, to, input, output, error, gasUsed, children }: CallFrame): boolean {
  const isEmpty = (bytes: JsonValue | undefined): boolean => bytes === undefined || bytes === null || bytes === "0x";
  const isCall = parent !== undefined && /CALL/.test(type) && typeof to === "string" && !/^0x0{36}/.test(to);
  return (
    isCall &&
    !isEmpty(input) &&
    isEmpty(output) &&
    !hasFailed({ error }) &&
    quantity(gasUsed) === 0n &&
    children.length === 0
  );
}

/** More gas than this is an error of the node. */
const maxGas = 1e15;

/** The gas that a call used, with the calls inside it; `undefined` if the node does not say. */
export function totalGas({ gasUsed }: CallFrame): number | undefined {
  const gas = quantity(gasUsed);
  return gas === undefined || gas < 0n || gas > BigInt(maxGas) ? undefined : Number(gas);
}

/** The gas that a call used without the calls inside it; `undefined` if it is not known, also because of a refund. */
export function ownGas(frame: CallFrame): number | undefined {
  let own = totalGas(frame);
  for (const child of frame.children) {
    const inside = totalGas(child);
    own = own === undefined || inside === undefined ? undefined : own - inside;
  }
  return own === undefined || own < 0 ? undefined : own;
}

/**
 * The calls from the first one down to that in which the revert began. Those before the last one failed because of it.
 *
 * @returns Empty if the first call did not fail.
 */
export function revertPath(root: CallFrame | undefined): readonly CallFrame[] {
  const path: CallFrame[] = [];
  for (let frame = root && hasFailed(root) ? root : undefined; frame; frame = passedOnFrom(frame)) path.push(frame);
  return path;
}

/**
 * The call because of which a call failed: one whose revert data it passed on, whole or inside its own, or its last one if
 * it gives no reason itself. A failure that it caught before it failed for a reason of its own is none.
 *
 * @returns `undefined` if it failed by itself.
 */
function passedOnFrom(frame: CallFrame): CallFrame | undefined {
  const last = frame.children.at(-1);
  if (last && hasFailed(last) && isCause(last, frame) && !hasOwnReason(frame, last)) return last;
  const data = bytesOf(frame.output);
  return frame.children.slice(-maxCompared).findLast((child) => {
    const inner = hasFailed(child) ? bytesOf(child.output) : "";
    return inner.length >= selectorLength && data.includes(inner);
  });
}

/** The failed call, if there is one, that a call caught last before it failed for a reason of its own. */
export function caughtIn(frame: CallFrame): CallFrame | undefined {
  const last = frame.children.at(-1);
  return last && hasFailed(last) && hasOwnReason(frame, last) ? last : undefined;
}

/** Whether a call failed with a reason of its own, which does not contain that of a call inside it. */
function hasOwnReason(frame: CallFrame, inner: CallFrame): boolean {
  const [data, passed] = [bytesOf(frame.output), bytesOf(inner.output)];
  return data !== "" && (passed === "" || !data.includes(passed));
}

/** A call that runs out of gas does so because of its last call only if that used up what it was given. */
function isCause({ gas, gasUsed }: CallFrame, { error }: CallFrame): boolean {
  return typeof error !== "string" || !/out of gas/i.test(error) || quantity(gas) === quantity(gasUsed);
}

/** Digits of a selector: fewer can be in other data by chance. */
const selectorLength = 8;

/** Calls among which the one is looked for whose revert data was passed on, and digits of that data. */
const [maxCompared, maxCompareDigits] = [1000, 20_000];

/** Digits of revert data; empty if there are none. */
function bytesOf(output: JsonValue | undefined): string {
  return typeof output === "string" && output.startsWith("0x")
    ? output.slice(2, 2 + maxCompareDigits).toLowerCase()
    : "";
}

/** The call of a proxy to its implementation, if all that the proxy does is to pass a call on. */
export function implementationOf({ type, to, input, logs, children }: CallFrame): CallFrame | undefined {
  const last = children.at(-1);
  const passesOn = last?.type === "DELEGATECALL" && last.from === to && last.input === input;
  if (!passesOn || (type !== "CALL" && type !== "STATICCALL") || logs.length > 0) return undefined;
  // A proxy may ask a beacon or an admin first.
  return children.every((child) => child === last || child.type === "STATICCALL") ? last : undefined;
}

/** Native currency that one call moved. */
export interface EtherMove {
  readonly frame: CallFrame;
  readonly from: string;
  readonly to: string;
  /** In wei. */
  readonly amount: bigint;
}

/** Native currency that calls moved and that was not taken back by a revert, in the order of the calls. */
export function etherMoves({ frames }: CallFrames): readonly EtherMove[] {
  const isUndone = new Set<CallFrame>();
  return frames.flatMap((frame) => {
    const { type, from, to, value, parent } = frame;
    if (hasFailed(frame) || (parent && isUndone.has(parent))) isUndone.add(frame);
    const amount = quantity(value) ?? 0n;
    const moves = type === "CALL" || type === "SELFDESTRUCT" || isCreation(frame);
    if (isUndone.has(frame) || !moves || amount <= 0n || typeof from !== "string" || typeof to !== "string") return [];
    return [{ frame, from, to, amount }];
  });
}
