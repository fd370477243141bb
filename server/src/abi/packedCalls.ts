import { isArray, isObject, type JsonValue } from "../base/json.ts";
import { type Decoded, type DecodeResult, decodeParams } from "./decode.ts";
import { type AbiItem, parseItem, selectorOf } from "./item.ts";
import type { NestedBytes } from "./nested.ts";
import type { AbiParam } from "./type.ts";

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

/** A command to a router: a byte selects the command, an input holds its arguments. */
export interface RouterCommand {
  /** `0x0b`, the flag that lets it fail taken off. */
  readonly byte: string;
  /** Its input. */
  readonly data: string;
  /** Its data as one known command reads it, without a fault. */
  readonly reading: (DecodeResult & { readonly item: AbiItem }) | undefined;
}

/** Functions that take commands and their inputs: the router itself, and the command that holds commands of its own. */
const routers: ReadonlySet<string> = new Set([
  "execute(bytes,bytes[],uint256)",
  "execute(bytes,bytes[])",
  "EXECUTE_SUB_PLAN(bytes,bytes[])",
]);

/**
 * The commands of Uniswap's Universal Router.
 *
 * @param values - Of the arguments.
 * @returns `undefined` for other functions, and where each command has not one input.
 */
export function routerCommands(signature: string, values: readonly Decoded[]): readonly RouterCommand[] | undefined {
  const [commands, inputs] = routers.has(signature) ? values : [];
  if (typeof commands !== "string" || !isArray(inputs) || commands.length !== 2 + inputs.length * 2) return undefined;
  return inputs.flatMap((input, at) =>
    typeof input === "string" ? [command(Number.parseInt(commands.slice(2 + at * 2, 4 + at * 2), 16), input)] : [],
  );
}

const allowsRevert = 0x80;

function command(flagged: number, data: string): RouterCommand {
  const byte = `0x${(flagged & ~allowsRevert).toString(16).padStart(2, "0")}`;
  const item = items.get(byte);
  const reading = item && { item, ...decodeParams(item.inputs, data, 2) };
  return { byte, data, reading: reading?.faults.length === 0 ? reading : undefined };
}

const permit = "(address token, uint160 amount, uint48 expiration, uint48 nonce)";

/**
 * Those that mean one thing in every version; where versions differ, what does not read without a fault is another one.
 * @see https://github.com/Uniswap/universal-router/blob/main/contracts/libraries/Commands.sol
 */
const items: ReadonlyMap<string, AbiItem> = new Map(
  Object.entries({
    "0x00": "V3_SWAP_EXACT_IN(address recipient, uint256 amountIn, uint256 amountOutMin, bytes path, bool payerIsUser)",
    "0x01":
      "V3_SWAP_EXACT_OUT(address recipient, uint256 amountOut, uint256 amountInMax, bytes path, bool payerIsUser)",
    "0x02": "PERMIT2_TRANSFER_FROM(address token, address recipient, uint160 amount)",
    "0x03": `PERMIT2_PERMIT_BATCH((${permit}[] details, address spender, uint256 sigDeadline) permitBatch, bytes signature)`,
    "0x04": "SWEEP(address token, address recipient, uint256 amountMin)",
    "0x05": "TRANSFER(address token, address recipient, uint256 value)",
    "0x06": "PAY_PORTION(address token, address recipient, uint256 bips)",
    "0x08":
      "V2_SWAP_EXACT_IN(address recipient, uint256 amountIn, uint256 amountOutMin, address[] path, bool payerIsUser)",
    "0x09":
      "V2_SWAP_EXACT_OUT(address recipient, uint256 amountOut, uint256 amountInMax, address[] path, bool payerIsUser)",
    "0x0a": `PERMIT2_PERMIT((${permit} details, address spender, uint256 sigDeadline) permitSingle, bytes signature)`,
    "0x0b": "WRAP_ETH(address recipient, uint256 amount)",
    "0x0c": "UNWRAP_WETH(address recipient, uint256 amountMin)",
    "0x0d": "PERMIT2_TRANSFER_FROM_BATCH((address from, address to, uint160 amount, address token)[] batchDetails)",
    "0x0e": "BALANCE_CHECK_ERC20(address owner, address token, uint256 minBalance)",
    "0x10": "V4_SWAP(bytes actions, bytes[] params)",
    "0x20": "EXECUTE_SUB_PLAN(bytes commands, bytes[] inputs)",
    "0x21": "EXECUTE_SUB_PLAN(bytes commands, bytes[] inputs)",
  }).flatMap(([byte, text]) => {
    const item = parseItem(text, "Uniswap Universal Router");
    return item ? [[byte, item] as const] : [];
  }),
);

/** Calls that the protocol of OP Stack chains makes, and their data. */
interface SystemCall {
  readonly item: AbiItem;
  readonly values: ReturnType<typeof decodeParams>["values"];
  readonly faults: readonly string[];
}

const l1Block = "0x4200000000000000000000000000000000000015";
const baseTime = "0x4200000000000000000000000000000000000030";

/** In calls of {@link l1Block} arguments follow each other without padding. */
const ecotone =
  "uint32 baseFeeScalar, uint32 blobBaseFeeScalar, uint64 sequenceNumber, uint64 timestamp, uint64 number, uint256 basefee, uint256 blobBaseFee, bytes32 hash, bytes32 batcherHash";
const isthmus = `${ecotone}, uint32 operatorFeeScalar, uint64 operatorFeeConstant`;

interface Form {
  readonly to: string;
  readonly item: AbiItem;
  /** The parameters of a packed call; otherwise it is read as any other call. */
  readonly packed: readonly AbiParam[] | undefined;
}

/**
 * The calls of the deposits that the protocol itself puts in front of a block.
 * @see https://specs.optimism.io/protocol/isthmus/l1-attributes.html
 * @see https://specs.optimism.io/protocol/jovian/l1-attributes.html
 * @see https://docs.base.org/base-chain/network-information/200ms-blocks (BaseTime)
 */
const systemForms: readonly Form[] = [
  packed("setL1BlockValuesEcotone", ecotone),
  packed("setL1BlockValuesIsthmus", isthmus),
  packed("setL1BlockValuesJovian", `${isthmus}, uint16 daFootprintGasScalar`),
  ...formOf(baseTime, "setTimestampMillisPart(uint16 millisPart)"),
].flat();

function formOf(to: string, declaration: string): readonly Form[] {
  const item = parseItem(declaration, "the OP Stack");
  return item ? [{ to, item, packed: undefined }] : [];
}

function packed(name: string, inputs: string): readonly Form[] {
  const params = parseItem(`${name}(${inputs})`, "")?.inputs ?? [];
  return formOf(l1Block, `${name}()`).map((form) => ({ ...form, packed: params }));
}

/**
 * Reads the call of a system contract of OP Stack chains.
 *
 * @param data - Lower-case hex.
 * @param to - The contract, in lower case.
 */
export function systemCall(data: string, to: string | undefined): SystemCall | undefined {
  const form = systemForms.find((one) => one.to === to && data.startsWith(selectorOf(one.item)));
  if (!form) return undefined;
  const { item, packed } = form;
  if (!packed) return { item, ...decodeParams(item.inputs, data, 10) };
  const words: string[] = [];
  let at = 10;
  for (const { type } of packed) {
    const digits = ("size" in type ? type.size : 32) * 2;
    words.push(data.slice(at, at + digits).padStart(64, "0"));
    at += digits;
  }
  const faults = data.length === at ? [] : [`there are ${(data.length - 10) / 2} bytes in place of ${(at - 10) / 2}`];
  return { item: { ...item, inputs: packed }, values: decodeParams(packed, words.join(""), 0).values, faults };
}
