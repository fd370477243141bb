import { isHex, quantity } from "../base/hex.ts";
import { isArray, isObject, type JsonObject, type JsonValue } from "../base/json.ts";

/** Kinds of frames, as the tracer writes them; some nodes write them in another case. */
const frameTypes = /^(call|callcode|delegatecall|staticcall|create|create2|selfdestruct)$/i;

/** More gas than this is an error of the node. */
const maxGas = 10n ** 15n;
/** Calls inside each other: the chain has 1,024, and the first one. */
const maxDepth = 1025;
/** Calls that are read; a block has fewer. */
const maxFrames = 100_000;

/**
 * Says why a trace that an endpoint serves (`callTracer`) cannot be used, as a clause without a full stop: what it says
 * cannot be true of a call. What a node may leave out may be missing. `null` is no trace: the node does not know the call.
 */
export function unusableWhy(trace: JsonValue | undefined): string | undefined {
  if (!isGiven(trace)) return undefined;
  if (!isObject(trace) || !isName(trace.type)) return "it does not describe a call";
  const open: { readonly frame: JsonObject; readonly around: JsonObject | undefined; readonly depth: number }[] = [
    { frame: trace, around: undefined, depth: 1 },
  ];
  let count = 0;
  // A list and not a recursion: calls can be a thousand levels deep.
  for (let next = open.pop(); next && count++ < maxFrames; next = open.pop()) {
    const { frame, around, depth } = next;
    const why = depth > maxDepth ? "has more calls around it than a chain allows" : frameFault(frame, around);
    if (why !== undefined) return `${around ? "a call inside" : "the first call"} ${why}`;
    for (const one of isArray(frame.calls) ? frame.calls : [])
      open.push({ frame: isObject(one) ? one : {}, around: frame, depth: depth + 1 });
  }
  return undefined;
}

/** Says what of a call cannot be, as the end of a sentence. */
function frameFault(frame: JsonObject, around: JsonObject | undefined): string | undefined {
  const { type, gas, gasUsed, value, calls, logs } = frame;
  if (!isName(type)) return type === undefined ? "is missing" : "is of an unknown kind";
  for (const [name, amount] of Object.entries({ gas, gasUsed }))
    if (isGiven(amount) && !isAmount(amount, maxGas)) return `has an impossible \`${name}\``;
  if (isGiven(value) && !isAmount(value, 1n << 256n)) return "has an impossible `value`";
  for (const name of ["from", "to", "input", "output"])
    if (isGiven(frame[name]) && frame[name] !== "" && !isHex(frame[name]))
      return `has \`${name}\` in another form than hexadecimal`;
  if ((isGiven(calls) && !isArray(calls)) || (isGiven(logs) && !isArray(logs)))
    return "has calls or logs that are not a list";
  // anvil counts the gas of the transactions before it into that of the first call
  if (around && isAbove(gas, quantity(around.gas))) return "has more gas than the one around it";
  if (around && isAbove(gasUsed, quantity(gas))) return "used more gas than it had";
  // a transaction gets back half of its gas at most, in which the calls inside it have no part
  const used = quantity(gasUsed);
  if (used !== undefined && insideOf(frame) > 2n * used) return "used less gas than the calls inside it";
  return undefined;
}

/** The gas that the calls inside a call used. */
function insideOf({ calls }: JsonObject): bigint {
  let sum = 0n;
  for (const one of isArray(calls) ? calls : []) sum += (isObject(one) && quantity(one.gasUsed)) || 0n;
  return sum;
}

function isName(type: JsonValue | undefined): boolean {
  return typeof type === "string" && frameTypes.test(type);
}

function isGiven(value: JsonValue | undefined): boolean {
  return value !== undefined && value !== null;
}

function isAmount(value: JsonValue | undefined, limit: bigint): boolean {
  const amount = quantity(value);
  return amount !== undefined && amount >= 0n && amount < limit;
}

function isAbove(value: JsonValue | undefined, limit: bigint | undefined): boolean {
  const amount = quantity(value);
  return amount !== undefined && limit !== undefined && amount > limit;
}
