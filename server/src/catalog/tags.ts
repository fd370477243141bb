import type { TagSpec } from "./spec.ts";

/**
 * The names that a block parameter takes, the usual ones first.
 * @see https://github.com/ethereum/execution-apis/blob/main/src/schemas/block.yaml (BlockTag)
 * @see https://docs.base.org/base-chain/api-reference/rpc-overview (what `pending` means with pre-confirmed state)
 */
export const tags = [
  {
    tag: "latest",
    summary: "The newest sealed block that the node knows; a reorganization may still replace it.",
  },
  {
    tag: "pending",
    summary:
      "The state after the newest block: on chains with pre-confirmations the pre-confirmed state, refreshed about every 200 ms before the block is sealed, elsewhere the node's guess of the next block; a node that holds no pending state answers as for `latest`.",
  },
  {
    tag: "safe",
    summary:
      "The newest block that an honest majority will not reorganize away; on a layer 2, one derived from the layer 1.",
  },
  {
    tag: "finalized",
    summary: "The newest block that can no longer be reorganized.",
  },
  {
    tag: "earliest",
    summary: "The oldest block that the node has, usually the genesis block.",
  },
] as const satisfies readonly TagSpec[];

/**
 * Greatest toBlock − fromBlock that `eth_getLogs` answers reliably, unless an endpoint has reported or shown another:
 * under 2,000 blocks.
 * @see https://docs.base.org/base-chain/api-reference/rpc-overview
 */
export const logRange = 1_999n;

/**
 * Counts the blocks of a range, both ends included.
 *
 * @param difference - toBlock − fromBlock, as limits are given.
 */
export function blocksIn(difference: bigint): bigint {
  return difference + 1n;
}
