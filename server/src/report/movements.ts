import { decodeLog } from "../abi/decodeLog.ts";
import { isAddress, quantity, zeroAddress } from "../base/hex.ts";
import { isArray, isObject, type JsonObject, type JsonValue } from "../base/json.ts";
import { callFrames, etherMoves, frameNumber } from "./callFrames.ts";
import { type CaseFacts, caseMethods, hasSucceeded, receiptMethod } from "./caseFacts.ts";
import { feeWei } from "./receipts.ts";
import type { ViewContext } from "./view.ts";

/** Value that went from one account to another. Addresses are in lower case. */
export interface Transfer {
  readonly from: string;
  readonly to: string;
  /** The contract of the token; `""` for the native currency. */
  readonly asset: string;
  /** In the smallest unit; for an item of a collection, how many. */
  readonly amount: bigint;
  /** The item of a collection. */
  readonly id?: bigint;
}

/** A transfer of a transaction, and where it is from. */
export interface ValueMovement extends Transfer {
  /** What shows it: `transaction`, `call 0.1`, as in the table of calls, `log 3`. */
  readonly source: string;
  /** The request that this is from. */
  readonly method: string;
}

/** The change of what one account owns. */
export interface BalanceChange {
  readonly address: string;
  readonly asset: string;
  readonly id?: bigint;
  readonly change: bigint;
  /** Code that ran may have moved more ether. */
  readonly incomplete?: true;
}

type Scope = ViewContext["scope"];

/** Returns the value that a transaction moved: native currency and tokens. The fee is not among it. */
export function valueMovements(facts: CaseFacts, scope: Scope): readonly ValueMovement[] {
  const { receipt, transaction } = facts;
  if (!receipt) return [];
  if (hasSucceeded(facts) !== true) return mintedBy(transaction);
  const logged = loggedMovements(receipt, receiptMethod(facts), scope);
  const tokens = logged.filter(({ asset }) => asset !== "");
  // a trace has them all; without one, the logs of the chain itself have more than the transaction
  const native = nativeMovements(facts);
  const isKnown = facts.trace !== undefined || tokens.length === logged.length;
  return [...(isKnown ? native : logged.filter(({ asset }) => asset === "")), ...tokens].filter(
    ({ amount }) => amount > 0n, // anyone can make a token log that an account sent nothing
  );
}

/** What a deposit brings to an OP stack chain, also if it fails. @see https://specs.optimism.io/protocol/deposits.html#execution */
function mintedBy(transaction: JsonObject | undefined): readonly ValueMovement[] {
  const amount = quantity(transaction?.mint) ?? 0n;
  const to = lower(transaction?.from);
  return amount > 0n
    ? [{ from: zeroAddress, to, asset: "", amount, source: "deposit", method: caseMethods.transaction }]
    : [];
}

function nativeMovements({ transaction, receipt, trace }: CaseFacts): readonly ValueMovement[] {
  const deposit = mintedBy(transaction);
  const from = lower(transaction?.from);
  if (trace) return [...deposit, ...frameMovements(trace)];
  const amount = quantity(transaction?.value) ?? 0n;
  const to = lower(transaction?.to ?? receipt?.contractAddress);
  return amount > 0n && from !== to
    ? [...deposit, { from, to, asset: "", amount, source: "transaction", method: caseMethods.transaction }]
    : deposit;
}

function frameMovements(trace: JsonObject): readonly ValueMovement[] {
  return etherMoves(callFrames([trace])).flatMap(({ frame, amount, ...sides }) => {
    const [from, to] = [lower(sides.from), lower(sides.to)];
    const [source, method] = frame.parent
      ? [`call ${frameNumber(frame)}`, caseMethods.trace]
      : ["transaction", caseMethods.transaction];
    return from === to ? [] : [{ from, to, asset: "", amount, source, method }];
  });
}

function loggedMovements({ logs }: JsonObject, method: string, scope: Scope): readonly ValueMovement[] {
  if (!isArray(logs)) return [];
  return logs.flatMap((log, at) => {
    const index = isObject(log) ? quantity(log.logIndex) : undefined;
    return transfersIn(log, scope).map((moved) => ({
      ...moved,
      source: `log ${index ?? at}`,
      method,
    }));
  });
}

/** Reads the transfers of ERC-20, ERC-721 and ERC-1155 in a log, and of native currency. */
export function transfersIn(log: JsonValue, scope: Scope): readonly Transfer[] {
  const event = isObject(log) && transferEvents.test(topicOf(log)) ? decodeLog(log, scope) : undefined;
  if (!event || !isObject(log) || event.faults.length > 0) return [];
  const asset = event.native ? "" : lower(log.address);
  const values = event.args.map(({ value }) => value);
  switch (event.signature) {
    case "Transfer(address,address,uint256)": {
      const [from, to, value] = values;
      const item = event.args[2]?.indexed === true;
      const number = numberOf(value);
      if (number === undefined) return [];
      const moved = { from: lower(from), to: lower(to), asset };
      return [item ? { ...moved, amount: 1n, id: number } : { ...moved, amount: number }];
    }
    case "TransferSingle(address,address,address,uint256,uint256)":
      return items(values, asset, [values[3]], [values[4]]);
    case "TransferBatch(address,address,address,uint256[],uint256[])":
      return items(values, asset, isArray(values[3]) ? values[3] : [], isArray(values[4]) ? values[4] : []);
    default:
      return [];
  }
}

/** Topics of the three, so that no other log is decoded. */
const transferEvents =
  /^0x(?:ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef|c3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62|4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb)$/i;

function topicOf({ topics }: JsonObject): string {
  return isArray(topics) ? String(topics[0]) : "";
}

function items(
  [, from, to]: readonly (JsonValue | undefined)[],
  asset: string,
  ids: readonly (JsonValue | undefined)[],
  amounts: readonly (JsonValue | undefined)[],
): readonly Transfer[] {
  return ids.flatMap((given, at) => {
    const [id, amount] = [numberOf(given), numberOf(amounts[at])];
    return id === undefined || amount === undefined ? [] : [{ from: lower(from), to: lower(to), asset, amount, id }];
  });
}

function numberOf(value: JsonValue | undefined): bigint | undefined {
  return typeof value === "string" && /^\d{1,100}$/.test(value) ? BigInt(value) : undefined;
}

function lower(address: JsonValue | undefined): string {
  return isAddress(address) ? address.toLowerCase() : "";
}

/** Sums movements and the fee by account. Leaves out what did not change. */
export function balanceChanges(facts: CaseFacts, movements: readonly ValueMovement[]): readonly BalanceChange[] {
  if (hasSucceeded(facts) === undefined) return [];
  const sums = new Map<string, BalanceChange>();
  const add = (address: string, asset: string, id: bigint | undefined, amount: bigint): void => {
    if (address === "" || address === zeroAddress) return;
    const key = `${address} ${asset} ${id ?? ""}`;
    const change = (sums.get(key)?.change ?? 0n) + amount;
    sums.set(key, { address, asset, ...(id !== undefined && { id }), change });
  };
  for (const { from, to, asset, id, amount } of movements) {
    add(from, asset, id, -amount);
    add(to, asset, id, amount);
  }
  const { receipt } = facts;
  if (receipt) add(feePayer(receipt) ?? "", "", undefined, -(feeWei(receipt) ?? 0n));
  const isLogged = movements.some(({ asset, source }) => asset === "" && source.startsWith("log"));
  const isWhole = isLogged || knowsEther(facts);
  return [...sums.values()].flatMap((one) => {
    if (one.change === 0n) return [];
    return one.asset === "" && !isWhole ? { ...one, incomplete: true as const } : one;
  });
}

/** Gas of a transaction that runs no code. @see https://eips.ethereum.org/EIPS/eip-2028 */
const transferGas = 21_000n;

/** Whether all ether that a transaction moved is known: code that it runs may move more. */
function knowsEther(facts: CaseFacts): boolean {
  const { trace, transaction, receipt } = facts;
  if (trace || hasSucceeded(facts) === false) return true;
  return transaction !== undefined && quantity(receipt?.gasUsed) === transferGas;
}

/** Returns who paid the fee of a receipt; `undefined` if there is none, or if it is not known. On some chains it is not the sender. */
export function feePayer(receipt: JsonObject): string | undefined {
  if (!feeWei(receipt)) return undefined;
  return lower(isAddress(receipt.feePayer) ? receipt.feePayer : receipt.from);
}
