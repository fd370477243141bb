import type { JsonValue } from "../base/json.ts";
import type { MethodSpec, TypeRef } from "../catalog/spec.ts";

const from = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";
const to = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913";

const call = { from, to, data: "0x" };
const filter = {
  address: to,
  event: "Transfer(address indexed from, address indexed to, uint256 value)",
  args: {},
  fromBlock: "latest",
  toBlock: "latest",
};
const simulation = { blockStateCalls: [{ calls: [call, call] }], traceTransfers: true };

/** Parameters of a new request. Addresses in them are examples. */
export function usualParams({ name, example }: MethodSpec): readonly JsonValue[] {
  return instead.get(name) ?? (example.params as readonly JsonValue[]); // JSON, a test of the catalogue says so
}

/** Where the catalogue's example shows other things than what one begins with. */
const instead: ReadonlyMap<string, readonly JsonValue[]> = new Map([
  ["eth_getLogs", [filter]],
  ["eth_estimateGas", [call, "latest"]],
  ["eth_subscribe", ["newHeads"]],
  ["eth_simulateV1", [simulation, "latest"]],
]);

/** The initial value of a new object, by type. */
export const usualObjects: ReadonlyMap<TypeRef, JsonValue> = new Map<TypeRef, JsonValue>([
  ["call", call],
  ["filter", filter],
  ["simulation", simulation],
  ["simulatedBlockCall", { calls: [call] }],
  ["accountOverride", { balance: "0xde0b6b3a7640000" }],
]);
