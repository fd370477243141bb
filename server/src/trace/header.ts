import { keccak256, toRlp } from "viem/utils";
import { isAddress, isHex, isWord, quantity, toQuantity } from "../base/hex.ts";
import type { JsonObject } from "../base/json.ts";
import type { BlockFacts } from "./task.ts";

/** The header of a block, whose hash was computed again. */
export interface Header {
  /** `blobBaseFee` is not among them: it depends on the schedule of the chain. */
  readonly facts: Omit<BlockFacts, "blobBaseFee">;
  readonly hash: string;
  readonly parentHash: string;
  readonly gasUsed: bigint;
}

/**
 * Members in the order in which they are hashed, up to Prague.
 *
 * @see https://github.com/ethereum/go-ethereum/blob/master/core/types/block.go (Header)
 */
const members = [
  ...["parentHash", "sha3Uncles", "miner", "stateRoot", "transactionsRoot", "receiptsRoot", "logsBloom", "difficulty"],
  ...[
    "number",
    "gasLimit",
    "gasUsed",
    "timestamp",
    "extraData",
    "mixHash",
    "nonce",
    "baseFeePerGas",
    "withdrawalsRoot",
  ],
  ...["blobGasUsed", "excessBlobGas", "parentBeaconBlockRoot", "requestsHash"],
] as const;

/** Those that are hashed as numbers. */
const numbers: ReadonlySet<string> = new Set([
  ...["difficulty", "number", "gasLimit", "gasUsed", "timestamp", "baseFeePerGas", "blobGasUsed", "excessBlobGas"],
]);

/** @returns Why the header cannot be used, as a sentence. */
export function readHeader(block: JsonObject): Header | string {
  const { hash, parentHash, miner, mixHash } = block;
  if (block.requestsHash === undefined || block.requestsHash === null)
    return "Its block is from before Prague, or its chain has no such headers.";
  const parts = members.map((name) => {
    const value = block[name];
    return numbers.has(name) ? numberPart(quantity(value)) : isHex(value) && value.length % 2 === 0 ? value : undefined;
  });
  const isWhole = parts.every((part) => part !== undefined);
  if (!isWhole || keccak256(toRlp(parts)) !== hash)
    return "The header of its block does not have the hash of the block: its chain has other headers, or the endpoint is wrong.";
  const number = quantity(block.number);
  if (!isAddress(miner) || !isWord(parentHash) || !isWord(mixHash) || number === undefined)
    return "The header of its block has a form that is not known.";
  const amount = (name: (typeof members)[number]): bigint => quantity(block[name]) ?? 0n;
  return {
    hash,
    parentHash,
    gasUsed: amount("gasUsed"),
    facts: {
      number,
      time: amount("timestamp"),
      coinbase: miner.toLowerCase(),
      prevRandao: mixHash,
      gasLimit: amount("gasLimit"),
      baseFee: amount("baseFeePerGas"),
    },
  };
}

/** A number as bytes without zeros before them. */
function numberPart(value: bigint | undefined): `0x${string}` | undefined {
  if (value === undefined) return undefined;
  const digits = value === 0n ? "" : toQuantity(value).slice(2);
  return `0x${digits.length % 2 === 0 ? "" : "0"}${digits}`;
}
