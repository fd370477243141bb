import { comparableHex, type Hex, isAddress, isWord, quantity, toQuantity, toWord } from "../base/hex.ts";
import { isArray, isObject, type JsonObject, type JsonValue } from "../base/json.ts";
import { brief } from "../base/text.ts";
import { grouped } from "../base/units.ts";
import { callOf } from "./askedCalls.ts";
import { logOf, type Result } from "./difference.ts";
import { type Header, readHeader } from "./header.ts";
import type { Authorization, TracedCall } from "./task.ts";

/** A block whose transactions can be replayed. */
export interface MinedBlock {
  readonly header: Header;
  readonly calls: readonly TracedCall[];
  readonly hashes: readonly string[];
  /** The place of the transaction that is asked about. */
  readonly target: number;
  readonly transaction: JsonObject;
  /** Wei that the block gives to accounts at its end, by address. */
  readonly withdrawals: ReadonlyMap<string, bigint>;
}

/** Transactions of a block that is replayed. */
const maxTransactions = 5000;

/** Accounts that the chain itself changes, before the transactions or after them. */
const systemContracts: ReadonlySet<string> = new Set([
  "0x000f3df6d732807ef1319fb7b8bb8522d0beac02", // EIP-4788
  "0x0000f90827f1c53a10cb7a02335b175320002935", // EIP-2935
  "0x00000961ef480eb55e80d19ad83579a64c007002", // EIP-7002
  "0x0000bbddc7ce488642fb579f8b00f3a590007251", // EIP-7251
]);

/** Whether the chain itself changes an account. */
export function isSystemContract(address: string): boolean {
  return systemContracts.has(address);
}

/**
 * Reads an answer to `eth_getBlockByNumber` with transactions.
 *
 * @returns Why the block cannot be replayed, as a sentence.
 */
export function readMinedBlock(
  block: JsonValue | undefined,
  { hash, blockHash }: { readonly hash: string; readonly blockHash: string },
): MinedBlock | string {
  if (!isObject(block)) return "The endpoint does not have its block.";
  if (block.hash !== blockHash) return replaced;
  const transactions = isArray(block.transactions) ? block.transactions : [];
  if (!transactions.every(isObject)) return "The endpoint does not give the transactions of its block.";
  if (transactions.length > maxTransactions)
    return `Its block has more than ${grouped(BigInt(maxTransactions))} transactions.`;
  const unknown = transactions.find(({ type }) => !knownTypes.has(String(type ?? "0x0")));
  if (unknown) return whyUnknown(String(unknown.type));
  const target = transactions.findIndex((one) => one.hash === hash);
  const transaction = transactions[target];
  if (!transaction) return "Its block does not contain it.";
  const header = readHeader(block);
  if (typeof header === "string") return header;
  const calls = transactions.map((one) => transactionCall(one, header.facts.baseFee));
  if (!calls.every((call) => call !== undefined)) return "A transaction of its block has a form that is not known.";
  const hashes = transactions.map((one) => String(one.hash));
  return { header, calls, hashes, target, transaction, withdrawals: given(block) };
}

export const replaced = "The block was replaced while it was read.";

/** Legacy, with an access list, with a priority fee, with blobs, with authorizations. */
const knownTypes: ReadonlySet<string> = new Set(["0x0", "0x1", "0x2", "0x3", "0x4"]);

function whyUnknown(type: string): string {
  if (type === "0x7e") return "Its block has deposits of the OP stack, which are not replayed.";
  return `Its block has transactions of a type that is not known (${type.slice(0, 10)}).`;
}

function transactionCall(transaction: JsonObject, baseFee: bigint): TracedCall | undefined {
  const { type = "0x0", gasPrice, maxFeePerGas, maxPriorityFeePerGas, nonce } = transaction;
  const call = callOf(transaction, 0n);
  const isPriced = type === "0x0" || type === "0x1";
  const [most, priority] = [isPriced ? gasPrice : maxFeePerGas, isPriced ? gasPrice : maxPriorityFeePerGas].map(
    quantity,
  );
  const authorizations = authorizationsOf(transaction.authorizationList);
  const blobs = type === "0x3" ? blobsOf(transaction.blobVersionedHashes) : [];
  const count = quantity(nonce);
  if (!call || most === undefined || priority === undefined || count === undefined || !authorizations || !blobs)
    return undefined;
  const price = isPriced || most < baseFee + priority ? most : baseFee + priority;
  if (price < baseFee) return undefined;
  return { ...call, gasPrice: price, mined: { nonce: count, tip: price - baseFee, authorizations, blobs } };
}

function blobsOf(list: JsonValue | undefined): readonly Hex[] | undefined {
  return isArray(list) && list.every(isWord) ? list : undefined;
}

function authorizationsOf(list: JsonValue | undefined): readonly Authorization[] | undefined {
  if (list === undefined || list === null) return [];
  if (!isArray(list)) return undefined;
  const read = list.map((one) => {
    if (!isObject(one) || !isAddress(one.address)) return undefined;
    const [chainId, nonce, yParity, r, s] = [one.chainId, one.nonce, one.yParity ?? one.v, one.r, one.s].map(
      (value) => {
        const number = quantity(value);
        return number === undefined || number >= 2n ** 256n ? undefined : toWord(number);
      },
    );
    if (!chainId || !nonce || !yParity || !r || !s) return undefined;
    return { chainId, nonce, yParity, r, s, address: one.address.toLowerCase() as Hex }; // as before
  });
  return read.every((one) => one !== undefined) ? read : undefined;
}

/** Amounts are in gwei. @see https://eips.ethereum.org/EIPS/eip-4895 */
function given({ withdrawals }: JsonObject): ReadonlyMap<string, bigint> {
  const amounts = new Map<string, bigint>();
  for (const one of isArray(withdrawals) ? withdrawals : []) {
    if (!isObject(one)) continue;
    const address = String(one.address).toLowerCase();
    amounts.set(address, (amounts.get(address) ?? 0n) + (quantity(one.amount) ?? 0n) * 1_000_000_000n);
  }
  return amounts;
}

/** What the receipt of a transaction says about it. */
export interface ReceiptFacts extends Result {
  readonly gasUsed: bigint;
  readonly price: bigint | undefined;
}

/**
 * Reads the receipts of a block, in the order of its transactions.
 *
 * @returns Why they cannot be used, as a sentence.
 */
export function readReceipts(
  receipts: readonly (JsonValue | undefined)[],
  { header, hashes }: MinedBlock,
): readonly ReceiptFacts[] | string {
  if (receipts.length !== hashes.length) return "The endpoint does not give all receipts of its block.";
  const read: ReceiptFacts[] = [];
  for (const [at, receipt] of receipts.entries()) {
    if (!isObject(receipt)) return "The endpoint does not give all receipts of its block.";
    if (receipt.transactionHash !== hashes[at] || receipt.blockHash !== header.hash) return replaced;
    if (receipt.l1Fee !== undefined || receipt.gasUsedForL1 !== undefined)
      return "Transactions of its chain also pay for another chain, which is not computed.";
    const [status, gasUsed] = [quantity(receipt.status), quantity(receipt.gasUsed)];
    if (status === undefined || gasUsed === undefined || !isArray(receipt.logs) || !receipt.logs.every(isObject))
      return "A receipt of its block has a form that is not known.";
    const price = quantity(receipt.effectiveGasPrice);
    read.push({ succeeded: status === 1n, output: undefined, gasUsed, logs: receipt.logs.map(logOf), price });
  }
  return read;
}

/** Members of a transaction, and then of its receipt, that a report shows as facts. */
const shownMembers = ["from", "to", "input", "value", "nonce", "status", "gasUsed"];

/** Says which fact the block has otherwise than the answers that are shown beside the calls, as a sentence. */
export function contradictionIn(
  answers: readonly JsonValue[],
  { transaction, target }: MinedBlock,
  receipts: readonly ReceiptFacts[],
): string | undefined {
  const { succeeded, gasUsed = 0n } = receipts[target] ?? {};
  const own: JsonObject = { ...transaction, status: succeeded ? "0x1" : "0x0", gasUsed: toQuantity(gasUsed) };
  for (const answer of answers.filter(isObject))
    for (const name of shownMembers) {
      const [shown, there] = [answer, own].map((one) => comparableHex(one[name]));
      if (shown === undefined || there === undefined || shown === there) continue;
      const method = answer.transactionHash === undefined ? "eth_getTransactionByHash" : "eth_getTransactionReceipt";
      return `The endpoint contradicts itself: \`${name}\` is ${brief(shown, 100)} in \`${method}\`, and ${brief(there, 100)} in its block.`;
    }
  return undefined;
}

/** The block of a transaction, as an answer about it says. */
export function minedPlace(value: JsonValue | undefined) {
  if (!isObject(value)) return undefined;
  const number = quantity(value.blockNumber);
  return number === undefined || !isWord(value.blockHash) ? undefined : { number, blockHash: value.blockHash };
}
