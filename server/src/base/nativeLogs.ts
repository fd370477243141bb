import { isArray, isObject, type JsonValue } from "./json.ts";

/** Where `eth_simulateV1` logs transfers of the native currency if `traceTransfers` is set. @see https://eips.ethereum.org/EIPS/eip-7528 */
const simulated = `0x${"e".repeat(40)}`;

/** Where a chain logs them itself. @see https://eips.ethereum.org/EIPS/eip-7708 */
const logged = `0x${"f".repeat(39)}e`;

/** Whether logs of transfers from this address are of the native currency. */
export function isNativeLogger(address: JsonValue | undefined): boolean {
  const lower = typeof address === "string" && address.length === 42 ? address.toLowerCase() : "";
  return lower === simulated || lower === logged;
}

/** Leaves out what a simulation logs of transfers that the chain logs itself. */
export function withoutRepeatedNative(logs: readonly JsonValue[]): readonly JsonValue[] {
  const isFrom = (log: JsonValue, logger: string): boolean =>
    isObject(log) && isArray(log.topics) && typeof log.address === "string" && log.address.toLowerCase() === logger;
  return logs.some((log) => isFrom(log, logged)) ? logs.filter((log) => !isFrom(log, simulated)) : logs;
}
