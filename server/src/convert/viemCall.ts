import { checksummed } from "../abi/address.ts";
import { decodeParams } from "../abi/decode.ts";
import { type AbiItem, parseItem } from "../abi/item.ts";
import type { AbiType } from "../abi/type.ts";
import { isAddress, isHex } from "../base/hex.ts";
import { isArray, isObject, type JsonValue } from "../base/json.ts";
import type { Cell, RequestNode } from "../notebook/cell.ts";
import { exactValue, items, member } from "../notebook/json.ts";
import { isTag, numberOf } from "./exportModel.ts";
import { type Holes, knownValue, tsObject, tsValue } from "./typescript.ts";

export interface ViemCall {
  readonly call: string;
  /** Names that the call needs from viem. */
  readonly imports: readonly string[];
}

/** Members of an action's argument, as text. */
type Members = readonly string[];
/** Makes members of one parameter; `undefined` if the parameter does not fit the action. */
type Argument = (value: JsonValue | undefined, holes: Holes) => Members | undefined;

/**
 * Writes a request as a call of viem's typed action.
 *
 * @param node - The request as it is written in the cell.
 * @param params - The parameters as they are sent.
 * @returns `undefined` if viem has no action for the method, or none that takes these parameters.
 * @see https://viem.sh/docs/actions/public/introduction
 */
export function viemCall(
  cell: Cell,
  node: RequestNode,
  params: JsonValue | undefined,
  holes: Holes,
): ViemCall | undefined {
  const [name, ...list] = actions.get(node.method ?? "") ?? [];
  if (name === undefined || !isArray(params) || params.length > list.length) return undefined;
  const contract = name === "call" ? contractCall(cell, node, params, holes) : undefined;
  if (contract) return contract;
  const members = joined(list.map((argument, at) => argument(params[at], holes)));
  return members && { call: `${name}(${tsObject(members)})`, imports: [] };
}

function joined(parts: readonly (Members | undefined)[]): Members | undefined {
  return parts.every((part) => part !== undefined) ? parts.flat() : undefined;
}

/** A member that is written as it is sent, if its value passes a test. */
const plain =
  (key: string, passes: (value: JsonValue | undefined) => boolean): Argument =>
  (value, holes) =>
    value !== undefined && passes(knownValue(value, holes)) ? [`${key}: ${tsValue(value, holes)}`] : undefined;

/** Viem refuses an address with another checksum. */
const address = (key: string): Argument =>
  plain(key, (value) => isAddress(value) && [value.toLowerCase(), checksummed(value)].includes(value));
const hex = (key: string): Argument => plain(key, isHex);
const flag = (key: string): Argument => plain(key, (value) => typeof value === "boolean");

const amount =
  (key: string): Argument =>
  (value, holes) => {
    const number = numberOf(knownValue(value, holes), 256);
    return number === undefined ? undefined : [`${key}: ${number}n`];
  };

/** A block, which means the latest one if it is left out. */
const block =
  (tagKey = "blockTag", numberKey = "blockNumber"): Argument =>
  (value, holes) => {
    if (value === undefined) return [];
    const known = knownValue(value, holes);
    if (isTag(known)) return [`${tagKey}: ${JSON.stringify(known)}`];
    const number = numberOf(known, 64);
    return number === undefined ? undefined : [`${numberKey}: ${number}n`];
  };

/** The members of an object, each by its own rule. */
const members =
  (rules: Readonly<Record<string, Argument>>, ...required: readonly string[]): Argument =>
  (value, holes) => {
    if (!isObject(value) || required.some((key) => value[key] === undefined)) return undefined;
    const made = Object.entries(value).map(([key, one]) =>
      Object.hasOwn(rules, key) ? rules[key]?.(one, holes) : undefined,
    );
    return joined(made);
  };

const list =
  (key: string, rule: Argument): Argument =>
  (value, holes) => {
    const made = isArray(value) ? value.map((item) => rule(item, holes)) : [undefined];
    return made.every((one) => one !== undefined) ? [`${key}: [${made.map(tsObject).join(", ")}]`] : undefined;
  };

const callRules = {
  to: address("to"),
  from: address("account"),
  data: hex("data"),
  value: amount("value"),
  gas: amount("gas"),
};
const call = members(callRules, "to");
const { gas: _, ...estimateRules } = callRules; // viem does not send the gas limit of an estimate
const estimate = members(estimateRules, "to");
const logFilter = members({
  address: address("address"),
  fromBlock: block("fromBlock", "fromBlock"),
  toBlock: block("toBlock", "toBlock"),
});
const simulation = members(
  {
    blockStateCalls: list("blocks", members({ calls: list("calls", members(callRules)) }, "calls")),
    traceTransfers: flag("traceTransfers"),
    validation: flag("validation"),
  },
  "blockStateCalls",
);

/** The typed action of each method of the service, and the arguments that its parameters become. */
const actions: ReadonlyMap<string, readonly [action: string, ...Argument[]]> = new Map([
  ["eth_getBalance", ["getBalance", address("address"), block()]],
  ["eth_getTransactionCount", ["getTransactionCount", address("address"), block()]],
  ["eth_getCode", ["getCode", address("address"), block()]],
  ["eth_getStorageAt", ["getStorageAt", address("address"), hex("slot"), block()]],
  ["eth_getBlockReceipts", ["getBlockReceipts", block()]],
  ["eth_call", ["call", call, block()]],
  ["eth_estimateGas", ["estimateGas", estimate, block()]],
  ["eth_simulateV1", ["simulateBlocks", simulation, block()]],
  ["eth_getLogs", ["getLogs", logFilter]],
]);

/** Writes `readContract`, if the cell declares the function with what it returns and the call says nothing else. */
function contractCall(
  cell: Cell,
  { members: written }: RequestNode,
  [sent, at]: readonly JsonValue[],
  holes: Holes,
): ViemCall | undefined {
  const [node] = items(written.get("params")?.value);
  const data = member(node, "data") ?? member(node, "input");
  const called = data && exactValue(cell.text, data);
  const item = isObject(called) && typeof called.function === "string" ? parseItem(called.function, "") : undefined;
  if (!isObject(sent) || Object.keys(sent).length !== 2 || !item || item.outputs.length === 0) return undefined;
  const { values, faults } = decodeParams(item.inputs, String(sent.data ?? sent.input), 10);
  const args = item.inputs.map(({ type }, index) => contractArgument(type, values[index]));
  if (faults.length > 0 || args.some((one) => one === undefined)) return undefined;
  const contract = [
    `abi: parseAbi([${JSON.stringify(declared(item))}])`,
    `functionName: ${JSON.stringify(item.name)}`,
    ...(args.length > 0 ? [`args: [${args.join(", ")}]`] : []),
  ];
  const made = joined([address("address")(sent.to, holes), contract, block()(at, holes)]);
  return made && { call: `readContract(${tsObject(made)})`, imports: ["parseAbi"] };
}

/** Returns a declaration that viem can parse. */
function declared({ name, inputs, outputs }: AbiItem): string {
  const params = (all: AbiItem["inputs"]): string =>
    all.map(({ type, name: own }) => [type.text, own].filter(Boolean).join(" ")).join(", ");
  return `function ${name}(${params(inputs)}) view returns (${params(outputs)})`;
}

/** Writes a decoded argument as viem takes it; `undefined` for types that viem lacks or takes in another form. */
function contractArgument(type: AbiType, value: JsonValue | undefined): string | undefined {
  if (value === undefined) return undefined;
  switch (type.kind) {
    case "uint":
    case "int":
      return type.size <= 6 ? String(value) : `${String(value)}n`; // viem has numbers up to 48 bits
    case "array": {
      const made = isArray(value) ? value.map((item) => contractArgument(type.of, item)) : [undefined];
      return made.every((one) => one !== undefined) ? `[${made.join(", ")}]` : undefined;
    }
    case "tuple":
      return undefined;
    default:
      return tsValue(value);
  }
}
