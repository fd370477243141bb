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
