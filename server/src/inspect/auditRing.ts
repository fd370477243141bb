import { shortQuantity } from "../base/hex.ts";
import { isArray, isObject, type JsonObject, type JsonValue } from "../base/json.ts";

/**
 * One difference between what was shown as pre-confirmed and what was sealed, seen from the sealed block.
 *
 * - `missing`: was shown, and is in no block.
 * - `extra`: is in a block, and was not shown before.
 * - `different`: is in the block as part of which it was shown, with another value in `field`.
 * - `late`: is in a later block than the one as part of which it was shown.
 */
export interface Divergence {
  readonly sort: "missing" | "extra" | "different" | "late";
  readonly transaction: string;
  /** Number of the block as part of which it was shown; `undefined` if it was not. */
  readonly shownIn: bigint | undefined;
  /** Number of the block in which it is; `undefined` if it is in none. */
  readonly sealedIn: bigint | undefined;
  /** A path in the receipt: `gasUsed`, `logs[0].data`. Only of `different`, as are both values. */
  readonly field?: string;
  readonly shown?: string;
  readonly sealed?: string;
}

/** Blocks after which a transaction that was shown counts as missing. */
export const maxUnsealedBlocks = 5n;
/** Transactions that are kept, the newest. */
const maxShown = 50_000;

interface PreconfirmedItem {
  readonly block: bigint;
  readonly receipt: JsonObject;
}

/** The latest pre-confirmed transactions, to compare them with sealed blocks. */
export class AuditRing {
  readonly #shown = new Map<string, PreconfirmedItem>();
  /** The first block to compare. Transactions of an earlier one may be sealed in it. */
  #from: bigint | undefined;
  /** Transactions of the last sealed block that were not shown before it was read. A message about one may be on its way. */
  readonly #unseen = new Map<string, { readonly sealedIn: bigint; readonly receipt: JsonObject }>();
  /** Divergences that were found between two blocks. */
  #found: Divergence[] = [];
  /** Transactions of sealed blocks that were compared. */
  compared = 0;

  /**
   * Adds a transaction that was shown, with the members of its receipt. The first block and the last receipt count.
   */
  show(transaction: string, block: bigint, receipt: JsonObject): void {
    const unseen = this.#unseen.get(transaction);
    if (unseen && block === unseen.sealedIn) {
      this.#unseen.delete(transaction);
      this.#found.push(...differing(transaction, block, receipt, unseen.receipt));
      return;
    }
    const first = this.#shown.get(transaction);
    this.#shown.set(transaction, { block: first?.block ?? block, receipt });
    const oldest = this.#shown.size > maxShown ? this.#shown.keys().next().value : undefined;
    if (oldest !== undefined) this.#shown.delete(oldest);
  }

  /** Drops all transactions: something was missed. */
  forget(): void {
    this.#shown.clear();
    this.#unseen.clear();
    this.#from = undefined;
  }

  /** Transactions that were shown and are not sealed yet. */
  get open(): number {
    return this.#shown.size;
  }
  /** Whether one of them was shown as part of a block up to this one. */
  isOpenUpTo(last: bigint): boolean {
    for (const { block } of this.#shown.values()) if (block <= last) return true;
    return false;
  }

  /**
   * @param isWhole - Everything that was pre-confirmed of this block was seen, so that what was not seen is extra.
   */
  seal(number: bigint, receipts: readonly JsonObject[], isWhole: boolean): readonly Divergence[] {
    this.#from ??= number;
    const before = this.rest();
    const divergences = receipts.flatMap((receipt) => this.#compare(number, receipt, isWhole));
    for (const [transaction, { block }] of this.#shown) {
      if (number < block + maxUnsealedBlocks) continue;
      this.#shown.delete(transaction);
      if (block < this.#from) continue;
      divergences.push({ sort: "missing", transaction, shownIn: block, sealedIn: undefined });
    }
    return [...before, ...divergences];
  }

  /** Returns what is open of the last block: what has not been shown by now is extra. */
  rest(): readonly Divergence[] {
    const extra = [...this.#unseen].map(
      ([transaction, { sealedIn }]): Divergence => ({ sort: "extra", transaction, shownIn: undefined, sealedIn }),
    );
    const found = this.#found;
    this.#unseen.clear();
    this.#found = [];
    return [...found, ...extra];
  }

  #compare(sealedIn: bigint, receipt: JsonObject, isWhole: boolean): readonly Divergence[] {
    const { transactionHash: transaction, type } = receipt;
    if (typeof transaction !== "string") return [];
    const shown = this.#shown.get(transaction);
    this.#shown.delete(transaction);
    this.compared++;
    if (!shown) {
      // deposits of layer 1 are not pre-confirmed by themselves
      if (isWhole && type !== "0x7e") this.#unseen.set(transaction, { sealedIn, receipt });
      return [];
    }
    if (shown.block < sealedIn) return [{ sort: "late", transaction, shownIn: shown.block, sealedIn }];
    return differing(transaction, sealedIn, shown.receipt, receipt);
  }
}

function differing(transaction: string, block: bigint, shown: JsonObject, sealed: JsonObject): readonly Divergence[] {
  const about = { sort: "different", transaction, shownIn: block, sealedIn: block } as const;
  return differences(shown, sealed).map((difference) => ({ ...about, ...difference }));
}

interface Difference {
  readonly field: string;
  readonly shown: string;
  readonly sealed: string;
}

/** Members of a receipt that say what a transaction did. Those of its place are left out: they follow from the block. */
const members = ["status", "gasUsed", "contractAddress"] as const;

/** Compares two receipts. Leaves out members that were not shown. */
export function differences(shown: JsonObject, sealed: JsonObject): readonly Difference[] {
  const all: Difference[] = [];
  const compare = (field: string, a: JsonValue | undefined, b: JsonValue | undefined): void => {
    const [one, other] = [plain(a), plain(b)];
    if (a !== undefined && one !== other) all.push({ field, shown: one, sealed: other });
  };
  for (const member of members) compare(member, shown[member], sealed[member]);
  if (!isArray(shown.logs) || !isArray(sealed.logs)) return all;
  const [logs, others] = [shown.logs, sealed.logs];
  compare("logs.length", String(logs.length), String(others.length));
  for (const [at, log] of logs.slice(0, others.length).entries()) {
    const other = others[at];
    if (!isObject(log) || !isObject(other)) continue;
    compare(`logs[${at}].address`, log.address, other.address);
    compare(`logs[${at}].topics`, log.topics, other.topics);
    compare(`logs[${at}].data`, log.data, other.data);
  }
  return all;
}

/** Returns the text to compare: hex may be in any case. */
function plain(value: JsonValue | undefined): string {
  if (typeof value === "string") return value.toLowerCase();
  return value === undefined || value === null ? "null" : JSON.stringify(value).toLowerCase();
}

/** The number of the block that a transaction or receipt says it is in. */
export function blockOf(item: JsonObject): bigint | undefined {
  return shortQuantity(item.blockNumber);
}
