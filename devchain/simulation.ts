import { type Hex, keccak256, toHex } from "viem";
import { type Anvil, AnvilRefusal, ask } from "./anvil.ts";
import type { Block, BlockTransaction, Log, Preconfirmed, PreconfirmedTransaction, Receipt } from "./types.ts";

interface SimulatedCall {
  readonly status: string;
  readonly gasUsed: string;
  readonly logs: readonly Pick<Log, "address" | "topics" | "data">[];
}

/**
 * Runs the block's transactions ahead of its sealing.
 *
 * @param transactions - From the block's first one on, all with a `to`.
 * @throws {@link AnvilRefusal} if anvil cannot simulate one of them.
 */
export async function preconfirm(
  anvil: Pick<Anvil, "post">,
  block: Block,
  transactions: readonly BlockTransaction[],
): Promise<Preconfirmed> {
  if (transactions.length === 0) return { block, transactions: [] };
  const blockOverrides = {
    number: block.number,
    time: block.timestamp,
    gasLimit: block.gasLimit,
    feeRecipient: block.miner,
    baseFeePerGas: block.baseFeePerGas,
  };
  const payload = { blockStateCalls: [{ blockOverrides, calls: transactions.map(callOf) }] };
  const [simulated] = await ask<readonly { readonly calls: readonly SimulatedCall[] }[]>(anvil, "eth_simulateV1", [
    payload,
    "latest",
  ]);
  if (simulated?.calls.length !== transactions.length) throw new AnvilRefusal("eth_simulateV1 left calls out.");
  return { block, transactions: receipts(block, transactions, simulated.calls) };
}

function callOf(transaction: BlockTransaction): object {
  const { from, to, gas, value, input, accessList, authorizationList } = transaction;
  const { gasPrice, maxFeePerGas, maxPriorityFeePerGas } = transaction;
  const fees = maxFeePerGas === undefined ? { gasPrice } : { maxFeePerGas, maxPriorityFeePerGas };
  return { from, to, gas, value, input, accessList, authorizationList, ...fees };
}

/** Numbers logs and gas through the block, as its sealing will. */
function receipts(
  block: Block,
  transactions: readonly BlockTransaction[],
  calls: readonly SimulatedCall[],
): readonly PreconfirmedTransaction[] {
  let cumulativeGasUsed = 0n;
  let logIndex = 0;
  return transactions.flatMap((transaction, index) => {
    const call = calls[index];
    if (call === undefined) return [];
    cumulativeGasUsed += BigInt(call.gasUsed);
    const transactionIndex = toHex(index);
    const logs = call.logs.map(
      ({ address, topics, data }): Log => ({
        address,
        topics,
        data,
        blockHash: null,
        blockNumber: block.number,
        blockTimestamp: block.timestamp,
        transactionHash: transaction.hash,
        transactionIndex,
        logIndex: toHex(logIndex++),
        removed: false,
      }),
    );
    const receipt: Receipt = {
      type: transaction.type,
      status: call.status,
      cumulativeGasUsed: toHex(cumulativeGasUsed),
      logs,
      logsBloom: bloom(logs),
      transactionHash: transaction.hash,
      transactionIndex,
      blockHash: null,
      blockNumber: block.number,
      gasUsed: call.gasUsed,
      effectiveGasPrice: transaction.gasPrice,
      from: transaction.from,
      to: transaction.to,
      contractAddress: null,
      blockTimestamp: block.timestamp,
    };
    return [{ transaction, receipt }];
  });
}

/**
 * The 2,048 bits that say which logs a block may have: three for each address and topic.
 *
 * @see https://ethereum.github.io/yellowpaper/paper.pdf (section 4.3.1)
 */
function bloom(logs: readonly Log[]): Hex {
  let bits = 0n;
  for (const item of logs.flatMap(({ address, topics }) => [address, ...topics])) {
    const hash = keccak256(item as Hex, "bytes"); // the node wrote it
    for (const at of [0, 2, 4]) bits |= 1n << BigInt((((hash[at] ?? 0) << 8) | (hash[at + 1] ?? 0)) & 2047);
  }
  return toHex(bits, { size: 256 });
}
