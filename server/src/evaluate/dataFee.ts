import { encodeParams } from "../abi/encode.ts";
import { parseItem, selectorOf } from "../abi/item.ts";
import { unsignedTransaction } from "../abi/transaction.ts";
import { type Hex, isHex } from "../base/hex.ts";
import { isArray, isObject, type JsonObject, type JsonValue } from "../base/json.ts";
import { isOpStack } from "../catalog/chains.ts";

/** A call of the contract that calculates the cost of data on layer 1. */
interface DataFeeQuestion {
  readonly method: "eth_call";
  readonly params: readonly JsonValue[];
}

/** The predeploy of OP Stack chains that estimates that cost. */
const gasPriceOracle = "0x420000000000000000000000000000000000000F";
const getL1Fee = parseItem("getL1Fee(bytes)", "GasPriceOracle");

/** The largest number of calls of one request whose cost is read. */
const maxCalls = 10;

/**
 * Makes the questions for the layer 1 cost of the transactions that a request tries, which their gas does not include.
 *
 * @returns One question for each call; none for other methods, and for chains outside the OP Stack.
 * @see https://specs.optimism.io/protocol/exec-engine.html#l1-cost-fees-l1-fee-vault
 */
export function dataFeeQuestions(
  method: string,
  params: JsonValue | undefined,
  chainId: bigint | undefined,
): readonly DataFeeQuestion[] {
  if (chainId === undefined || !isOpStack(chainId)) return [];
  const [first, block] = isArray(params) ? params : [];
  const calls = method === "eth_estimateGas" ? [first] : method === "eth_simulateV1" ? simulatedCalls(first) : [];
  if (calls.length > maxCalls) return [];
  return calls.flatMap((call) => {
    const data = isObject(call) ? askingFor(call, chainId) : undefined;
    return data === undefined
      ? []
      : [{ method: "eth_call", params: [{ to: gasPriceOracle, data }, block ?? "latest"] }];
  });
}

function simulatedCalls(payload: JsonValue | undefined): readonly JsonValue[] {
  const blocks = isObject(payload) && isArray(payload.blockStateCalls) ? payload.blockStateCalls : [];
  return blocks.flatMap((one) => (isObject(one) && isArray(one.calls) ? one.calls : []));
}

function askingFor(call: JsonObject, chainId: bigint): Hex | undefined {
  const transaction = unsignedTransaction(call, chainId);
  if (transaction === undefined || !getL1Fee) return undefined;
  const encoded = encodeParams(getL1Fee.inputs, [transaction], () => false);
  return encoded.kind === "encoded" ? (`${selectorOf(getL1Fee)}${encoded.hex.slice(2)}` as Hex) : undefined; // both are hex
}

/** Returns the sum of the answers, in wei; `undefined` if one is missing. */
export function dataFeeFrom(answers: readonly (JsonValue | undefined)[]): bigint | undefined {
  const fees = answers.map((answer) => (isHex(answer) && answer.length === 66 ? BigInt(answer) : undefined));
  if (fees.length === 0 || !fees.every((fee) => fee !== undefined)) return undefined;
  return fees.reduce((sum, fee) => sum + fee, 0n);
}
