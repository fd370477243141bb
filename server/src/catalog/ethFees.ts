import { numberedBlock, perhapsLatest, spec, unknownBlock } from "./parts.ts";
import type { MethodSpec } from "./spec.ts";

/**
 * Methods about the price of gas.
 * @see https://github.com/ethereum/execution-apis/blob/main/src/eth/fee_market.yaml
 */
export const ethFees = [
  {
    name: "eth_gasPrice",
    summary: "Returns what the node thinks that one gas costs now, in wei, for legacy transactions.",
    params: [],
    result: "wei",
    effect: "reads",
    source: `${spec}/fee_market.yaml`,
    example: { params: [], result: "0x5b8d80" },
  },
  {
    name: "eth_maxPriorityFeePerGas",
    summary: "Returns the priority fee that the node recommends per gas, in wei.",
    params: [],
    result: "wei",
    effect: "reads",
    source: `${spec}/fee_market.yaml`,
    example: { params: [], result: "0xf4240" },
  },
  {
    name: "eth_feeHistory",
    summary: "Returns base fees, priority fees and how full blocks were, for a range of blocks.",
    params: [
      {
        name: "blockCount",
        type: "numberOrQuantity",
        required: true,
        summary: "How many blocks; nodes return fewer if they do not have them all.",
      },
      { ...numberedBlock, name: "newestBlock", summary: "The last block of the range." },
      {
        name: "rewardPercentiles",
        type: "percentile[]",
        required: true,
        nullable: true,
        summary: "Percentiles from 0 to 100, in rising order: the priority fees of each block to return, by gas.",
      },
    ],
    result: "feeHistory",
    effect: "reads",
    pending: `The range ends with the block that is being built. ${perhapsLatest}`,
    errors: [
      { code: -32000, message: "invalid reward percentile", when: "The percentiles do not rise, or leave 0 to 100." },
      unknownBlock,
    ],
    limits: ["Nodes bound the range, geth to 1,024 blocks."],
    source: `${spec}/fee_market.yaml`,
    example: {
      params: ["0x2", "latest", [25, 75]],
      result: {
        oldestBlock: "0x1e847f",
        baseFeePerGas: ["0x4c4b40", "0x4c4b40", "0x4c4b40"],
        gasUsedRatio: [0.25, 0.31],
        reward: [
          ["0xf4240", "0x1e8480"],
          ["0xf4240", "0x1e8480"],
        ],
      },
    },
  },
  {
    name: "eth_baseFee",
    summary: "Returns the base fee of the next block per gas, in wei.",
    params: [],
    result: "wei",
    nullResult: "The chain has no base fee.",
    effect: "reads",
    limits: ["A recent addition to the specification that not every node has."],
    source: `${spec}/fee_market.yaml`,
    example: { params: [], result: "0x4c4b40" },
  },
  {
    name: "eth_blobBaseFee",
    summary: "Returns the base fee per blob gas, in wei (EIP-4844).",
    params: [],
    result: "wei",
    nullResult: "The chain has no blobs.",
    effect: "reads",
    source: `${spec}/fee_market.yaml`,
    example: { params: [], result: "0x1" },
  },
] as const satisfies readonly MethodSpec[];
