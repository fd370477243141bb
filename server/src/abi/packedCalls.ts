import { isArray, isObject, type JsonValue } from "../base/json.ts";
import { decodeParams } from "./decode.ts";
import { parseItem } from "./item.ts";
import type { NestedBytes } from "./nested.ts";

/** A call that is in bytes without a selector of its own in front, in a form that one function defines. */
export interface PackedCall {
  readonly to: string | undefined;
  /** Wei, in decimals. */
  readonly value: string | undefined;
  readonly delegate: boolean;
  readonly data: string;
}

/**
 * The calls that a function packs into its bytes.
 *
 * @returns `undefined` if it packs none, or if they cannot be read to their end.
 */
export function packedCalls(signature: string, bytes: NestedBytes): readonly PackedCall[] | undefined {
  if (bytes.name === "initCode") return deployed(bytes);
  return forms.get(signature)?.(bytes);
}

const forms: ReadonlyMap<string, (bytes: NestedBytes) => readonly PackedCall[] | undefined> = new Map([
  ["multiSend(bytes)", ({ data }) => multiSend(data)],
  ["execute(bytes32,bytes)", executed],
  ["executeFromExecutor(bytes32,bytes)", executed],
]);

/**
 * Calls one behind the other: operation, address, value, length, data.
 * @see https://github.com/safe-global/safe-smart-account/blob/v1.4.1/contracts/libraries/MultiSend.sol
 */
function multiSend(data: string): readonly PackedCall[] | undefined {
  const calls: PackedCall[] = [];
  for (let at = 2; at < data.length; ) {
    const start = at + 170;
    const operation = data.slice(at, at + 2);
    const length = Number(`0x${data.slice(at + 106, start)}`);
    const end = start + length * 2;
    if (start > data.length || !(end <= data.length) || (operation !== "00" && operation !== "01")) return undefined;
    calls.push({
      to: `0x${data.slice(at + 2, at + 42)}`,
      value: decimal(data.slice(at + 42, at + 106)),
      delegate: operation === "01",
      data: `0x${data.slice(start, end)}`,
    });
    at = end;
  }
  return calls;
}

/**
 * Reads calls in the form that the mode selects: one packed call, one that runs in place, or an encoded list.
 * @see https://eips.ethereum.org/EIPS/eip-7579#execution-behavior
 * @see https://eips.ethereum.org/EIPS/eip-7821
 */
function executed({ data, beside }: NestedBytes): readonly PackedCall[] | undefined {
  const mode = beside().find(({ type }) => type.text === "bytes32")?.value;
  if (typeof mode !== "string") return undefined;
  switch (mode.slice(2, 4)) {
    case "00":
      if (data.length < 106) return undefined;
      return [{ ...addressed(data), value: decimal(data.slice(42, 106)), data: `0x${data.slice(106)}` }];
    case "01":
      return listed(data);
    case "ff":
      return data.length < 42 ? undefined : [{ ...addressed(data), delegate: true }];
    default:
      return undefined;
  }
}

/** The setup of a user operation's account: a factory and the data that it is called with. */
function deployed({ data, beside }: NestedBytes): readonly PackedCall[] | undefined {
  const isOperation = beside().some(({ name, type }) => name === "sender" && type.kind === "address");
  return isOperation && data.length >= 50 ? [addressed(data)] : undefined;
}

function addressed(data: string): PackedCall {
  return { to: data.slice(0, 42), value: undefined, delegate: false, data: `0x${data.slice(42)}` };
}

const calls = "(address to, uint256 value, bytes data)[] calls";
/** Options for running the calls may follow them. */
const lists = [`list(${calls})`, `list(${calls}, bytes opData)`].map(
  (text) => parseItem(text, "ERC-7821")?.inputs ?? [],
);

function listed(data: string): readonly PackedCall[] | undefined {
  const reading = lists.map((params) => decodeParams(params, data, 2)).find(({ faults }) => faults.length === 0);
  const found = reading?.values[0];
  return isArray(found) ? found.flatMap(listedCall) : undefined;
}

function listedCall(call: JsonValue): readonly PackedCall[] {
  if (!isObject(call) || typeof call.to !== "string" || typeof call.data !== "string") return [];
  const value = typeof call.value === "string" ? call.value : undefined;
  return [{ to: call.to, value, delegate: false, data: call.data }];
}

function decimal(digits: string): string {
  return BigInt(`0x${digits}`).toString();
}
