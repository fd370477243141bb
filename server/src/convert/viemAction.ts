import { isAddress, isHex, quantity } from "../base/hex.ts";
import { isArray, isObject, type JsonValue } from "../base/json.ts";
import { type Holes, knownValue, tsValue } from "./typescriptValue.ts";

/** An action of viem's public client with its arguments. */
export interface ViemCall {
  readonly call: string;
  /** What it needs from viem. */
  readonly imports?: readonly string[];
}

/** Members of an action's argument, as text; `undefined` where the parameters do not fit it. */
type Members = readonly string[] | undefined;
type Action = (params: readonly JsonValue[], holes: Holes) => ViemCall | undefined;

/**
 * The action that asks the very same.
 *
 * @returns `undefined` where viem has none, or none that takes these parameters.
 * @see https://viem.sh/docs/actions/public/introduction
 */
export function viemAction(method: string, params: JsonValue | undefined, holes: Holes): ViemCall | undefined {
  const list = params === undefined ? [] : params;
  if (!isArray(list) || !Object.hasOwn(actions, method)) return undefined;
  return actions[method]?.(list, holes);
}

function made(name: string, ...members: readonly Members[]): ViemCall | undefined {
  const all: string[] = [];
  for (const one of members) {
    if (one === undefined) return undefined;
    all.push(...one);
  }
  return { call: all.length === 0 ? `${name}()` : `${name}({ ${all.join(", ")} })` };
}

const without =
  (name: string): Action =>
  (params) =>
    params.length === 0 ? made(name) : undefined;

const actions: Readonly<Record<string, Action>> = {
  eth_chainId: without("getChainId"),
  eth_gasPrice: without("getGasPrice"),
  eth_blockNumber: (params) => (params.length === 0 ? made("getBlockNumber", ["cacheTime: 0"]) : undefined),
  eth_getBalance: ([account, block, more], holes) =>
    more === undefined ? made("getBalance", address("address", account, holes), blockOf(block, holes)) : undefined,
  eth_getTransactionCount: ([account, block], holes) =>
    made("getTransactionCount", address("address", account, holes), blockOf(block, holes)),
  eth_getCode: ([account, block], holes) => made("getCode", address("address", account, holes), blockOf(block, holes)),
  eth_getStorageAt: ([account, slot, block], holes) =>
    made("getStorageAt", address("address", account, holes), hex("slot", slot, holes), blockOf(block, holes)),
  eth_getBlockByNumber: ([block, full = false], holes) =>
    made("getBlock", blockOf(block ?? null, holes), flag("includeTransactions", full)),
  eth_getBlockByHash: ([hash, full = false], holes) =>
    made("getBlock", hex("blockHash", hash, holes, 32), flag("includeTransactions", full)),
  eth_getTransactionByHash: ([hash], holes) => made("getTransaction", hex("hash", hash, holes, 32)),
  eth_getTransactionReceipt: ([hash], holes) => made("getTransactionReceipt", hex("hash", hash, holes, 32)),
  eth_call: ([call, block, ...more], holes) =>
    more.length === 0 ? made("call", callOf(call, holes), blockOf(block, holes)) : undefined,
  eth_estimateGas: ([call, block, ...more], holes) =>
    more.length === 0 ? made("estimateGas", callOf(call, holes), blockOf(block, holes)) : undefined,
  eth_getLogs: ([filter], holes) => made("getLogs", filterOf(filter, holes)),
};

function address(key: string, value: JsonValue | undefined, holes: Holes): Members {
  return isAddress(knownValue(value, holes)) && value !== undefined ? [`${key}: ${tsValue(value, holes)}`] : undefined;
}

function hex(key: string, value: JsonValue | undefined, holes: Holes, bytes?: number): Members {
  const known = knownValue(value, holes);
  const fits = isHex(known) && (bytes === undefined || known.length === 2 + bytes * 2);
  return fits && value !== undefined ? [`${key}: ${tsValue(value, holes)}`] : undefined;
}

function flag(key: string, value: JsonValue): Members {
  return value === true ? [`${key}: true`] : value === false ? [] : undefined;
}

const tags: readonly JsonValue[] = ["latest", "pending", "safe", "finalized", "earliest"];

/** @param block - `undefined` where it is left out, which means the latest. */
export function blockOf(block: JsonValue | undefined, holes: Holes): Members {
  if (block === undefined) return [];
  const known = knownValue(block, holes);
  if (tags.includes(known ?? null)) return [`blockTag: ${JSON.stringify(known)}`];
  const number = typeof known === "string" ? quantity(known) : undefined;
  return number === undefined || number > maxBlock ? undefined : [`blockNumber: ${number}n`];
}

const maxBlock = 2n ** 64n;

function callOf(call: JsonValue | undefined, holes: Holes): Members {
  if (!isObject(call)) return undefined;
  const members: string[] = [];
  const { to, ...rest } = call;
  if (to === undefined) return undefined;
  for (const [key, value] of Object.entries({ to, ...rest })) {
    const one = callMember(key, value, holes);
    if (one === undefined) return undefined;
    members.push(...one);
  }
  return members;
}

function callMember(key: string, value: JsonValue, holes: Holes): Members {
  if (key === "to") return address("to", value, holes);
  if (key === "from") return address("account", value, holes);
  if (key === "data") return hex("data", value, holes);
  if (key === "value" || key === "gas") return amount(key, value, holes);
  return undefined;
}

function amount(key: string, value: JsonValue, holes: Holes): Members {
  const number = quantity(knownValue(value, holes));
  return number === undefined ? undefined : [`${key}: ${number}n`];
}

function filterOf(filter: JsonValue | undefined, holes: Holes): Members {
  if (!isObject(filter)) return undefined;
  const { address: contract, fromBlock, toBlock, ...others } = filter;
  if (Object.keys(others).length > 0) return undefined;
  const bound = (key: string, value: JsonValue | undefined): Members => {
    const [made] = value === undefined ? [] : (blockOf(value, holes) ?? [undefined]);
    if (value === undefined) return [];
    return made?.replace(/^block(?:Tag|Number)/, key).split("\n");
  };
  const parts = [
    contract === undefined ? [] : address("address", contract, holes),
    bound("fromBlock", fromBlock),
    bound("toBlock", toBlock),
  ];
  return parts.some((part) => part === undefined) ? undefined : parts.flatMap((part) => part ?? []);
}
