import { concat, type Hex, keccak256, stringToHex, toHex } from "viem";
import { type Anvil, ask } from "./anvil.ts";
import type { Player, Sort } from "./play.ts";
import type { Preconfirmed, PreconfirmedTransaction, Receipt, SealedBlock } from "./types.ts";

/**
 * One difference between what was shown as pre-confirmed and what was sealed, seen from the sealed block:
 *
 * - `missing`: was shown, and is in no block;
 * - `extra`: is in a block, and was not shown before;
 * - `different`: is in the block as part of which it was shown, with another value in `field`;
 * - `late`: is in a later block than the one as part of which it was shown.
 */
export interface Divergence {
  readonly sort: Sort;
  readonly transaction: string;
  /** Number of the block as part of which it was shown; `null`: it was not. */
  readonly shownIn: string | null;
  /** Number of the block in which it is; `null`: in none. */
  readonly sealedIn: string | null;
  /** Unix milliseconds; `null`: it was not shown. */
  readonly shownAt: number | null;
  /** Unix milliseconds of the sealing of the block as part of which it was shown, or in which it is extra. */
  readonly sealedAt: number;
  /** A path in the receipt, `different` only: `gasUsed`, `status`, `logs[0].data`. */
  readonly field?: string;
  readonly shown?: string;
  readonly sealed?: string;
}

/** Injects divergences, and keeps the list of all that there were. */
export interface Divergences {
  /** Returns the shown form of a state. A transaction is always shown in the same way. */
  shown(state: Preconfirmed): Preconfirmed;
  /** Keeps the form in which transactions have been shown until now, before the play changes. */
  keep(state: Preconfirmed): void;
  /** Takes the transactions out of the pool that are sealed later. */
  beforeSeal(state: Preconfirmed): Promise<void>;
  /** Records the transactions that were sealed differently, and sends those again that were taken out. */
  afterSeal(state: Preconfirmed, sealed: SealedBlock): Promise<void>;
  /** Empties the list, and forgets how transactions were shown. */
  forget(): void;
  /** Divergences of sealed blocks, in order. */
  readonly list: readonly Divergence[];
}

type Way = "true" | "phantom" | "hidden" | "different" | "late";

interface Decision {
  way: Way;
  readonly shownAt: number;
  /** The block as part of which it was shown first. */
  readonly block: string;
  readonly change?: FieldChange;
}

interface FieldChange {
  readonly field: string;
  readonly shown: string;
  readonly sealed: string;
  readonly receipt: Receipt;
}

/** The order in which transactions get a divergence. One in four is left for `late`. */
const ways: readonly (readonly [Way, Sort])[] = [
  ["phantom", "missing"],
  ["hidden", "extra"],
  ["different", "different"],
  ["true", "late"],
];

interface Budget {
  /** Decides how to show the transaction at this position of the block. Takes it from the play, except `late`. */
  wayOf(index: number): Way;
  use(sort: Sort): void;
}

function createBudget(player: Player): Budget {
  let turn = 0;
  function use(sort: Sort): void {
    const { play } = player;
    player.play = { ...play, diverge: { ...play.diverge, [sort]: play.diverge[sort] - 1 } };
  }
  return {
    wayOf(index) {
      const { incomplete, diverge } = player.play;
      if (incomplete && index % 2 === 1) return "hidden";
      for (const _ of ways) {
        const [way, sort] = ways[turn++ % ways.length] ?? ["true", "late"];
        if (diverge[sort] <= 0) continue;
        if (way !== "true") use(sort);
        return way;
      }
      return "true";
    },
    use,
  };
}

export function createDivergences(anvil: Anvil, player: Player): Divergences {
  const decisions = new Map<string, Decision>();
  const list: Divergence[] = [];
  const budget = createBudget(player);
  let changes = 0;
  let takenOut: readonly { readonly hash: string; readonly raw: string }[] = [];

  function decide({ transaction, receipt }: PreconfirmedTransaction, index: number, block: string): Decision {
    const known = decisions.get(transaction.hash);
    if (known) return known;
    const way = budget.wayOf(index);
    const change = way === "different" ? { change: changed(receipt, changes++) } : {};
    const decision = { way, shownAt: Date.now(), block, ...change };
    decisions.set(transaction.hash, decision);
    return decision;
  }

  function shown(state: Preconfirmed): Preconfirmed {
    const { incomplete, diverge } = player.play;
    if (!incomplete && decisions.size === 0 && Object.values(diverge).every((count) => count === 0)) return state;
    const phantoms: PreconfirmedTransaction[] = [];
    const transactions = state.transactions.flatMap((one, index) => {
      const { way, change } = decide(one, index, state.block.number);
      if (way === "phantom") phantoms.push(phantomOf(one));
      return way === "hidden" ? [] : change ? [{ ...one, receipt: change.receipt }] : [one];
    });
    return withTransactions(state, [...transactions, ...phantoms]);
  }

  async function beforeSeal({ transactions }: Preconfirmed): Promise<void> {
    const out: { readonly hash: string; readonly raw: string }[] = [];
    // from the end only, so that everything before it stays as it was sent
    for (const { transaction } of transactions.toReversed()) {
      const decision = decisions.get(transaction.hash);
      if (player.play.diverge.late <= 0 || decision?.way !== "true") break;
      const { hash } = transaction;
      out.unshift({ hash, raw: await ask<string>(anvil, "eth_getRawTransactionByHash", [hash]) });
      await ask(anvil, "anvil_dropTransaction", [hash]);
      decision.way = "late";
      budget.use("late");
    }
    takenOut = out;
  }

  async function afterSeal(state: Preconfirmed, sealed: SealedBlock): Promise<void> {
    const sealedAt = Date.now();
    const told = new Set(state.transactions.map(({ transaction }) => transaction.hash));
    const delayed = new Set(takenOut.map(({ hash }) => hash));
    for (const hash of told) {
      const decision = decisions.get(hash);
      if (!decision || delayed.has(hash)) continue;
      decisions.delete(hash);
      const found = divergenceOf(hash, decision, state.block.number, sealedAt);
      if (found) list.push(found);
    }
    // a deployment is sealed without having been shown, and so are the transactions after it
    const untold = sealed.number === state.block.number ? sealed.transactions.filter((hash) => !told.has(hash)) : [];
    for (const hash of untold) list.push(extra(hash, sealed.number, sealedAt));
    for (const { raw } of takenOut) await ask(anvil, "eth_sendRawTransaction", [raw]);
    takenOut = [];
  }

  return {
    shown,
    keep: ({ transactions, block }) => {
      for (const { transaction } of transactions) {
        if (decisions.has(transaction.hash)) continue;
        decisions.set(transaction.hash, { way: "true", shownAt: Date.now(), block: block.number });
      }
    },
    beforeSeal,
    afterSeal,
    forget() {
      decisions.clear();
      list.length = 0;
    },
    list,
  };
}

function divergenceOf(hash: string, decision: Decision, sealedIn: string, sealedAt: number): Divergence | undefined {
  const { way, shownAt, block, change } = decision;
  const told = { transaction: hash, shownIn: block, shownAt, sealedAt };
  switch (way) {
    case "true":
      return undefined;
    case "phantom":
      return { ...told, sort: "missing", transaction: phantomHash(hash), sealedIn: null };
    case "hidden":
      return extra(hash, sealedIn, sealedAt);
    case "different":
      return { ...told, sort: "different", sealedIn, ...(change && described(change)) };
    case "late":
      return { ...told, sort: "late", sealedIn };
  }
}

function extra(transaction: string, sealedIn: string, sealedAt: number): Divergence {
  return { sort: "extra", transaction, shownIn: null, sealedIn, shownAt: null, sealedAt };
}

function described({ field, shown, sealed }: FieldChange): Pick<FieldChange, "field" | "shown" | "sealed"> {
  return { field, shown, sealed };
}

/** The receipt with one field changed, each time another one. */
function changed(receipt: Receipt, turn: number): FieldChange {
  const { gasUsed, status, logs } = receipt;
  const moreGas = toHex(BigInt(gasUsed) + 1n);
  const options: FieldChange[] = [
    { field: "gasUsed", shown: moreGas, sealed: gasUsed, receipt: { ...receipt, gasUsed: moreGas } },
  ];
  const at = logs.findIndex(({ data }) => data.length > 2);
  const log = logs[at];
  if (log) {
    const data = `${log.data.slice(0, -1)}${log.data.endsWith("0") ? "1" : "0"}`;
    const others = logs.with(at, { ...log, data });
    options.push({ field: `logs[${at}].data`, shown: data, sealed: log.data, receipt: { ...receipt, logs: others } });
  }
  if (logs.length === 0) {
    const other = status === "0x1" ? "0x0" : "0x1";
    options.push({ field: "status", shown: other, sealed: status, receipt: { ...receipt, status: other } });
  }
  const chosen = options[turn % options.length] ?? options[0];
  if (!chosen) throw new RangeError("There is always the gas.");
  return chosen;
}

/** An index after all others in the block, so that real transactions keep their numbers. */
const phantomIndex = 0x10000;

function phantomHash(hash: string): string {
  return keccak256(concat([hash as Hex, stringToHex("phantom")])); // the node wrote it
}

/** A transaction of the same content under another hash. */
function phantomOf({ transaction, receipt }: PreconfirmedTransaction): PreconfirmedTransaction {
  const hash = phantomHash(transaction.hash);
  const transactionIndex = toHex(phantomIndex + Number(receipt.transactionIndex));
  const logs = receipt.logs.map((log) => ({
    ...log,
    transactionHash: hash,
    transactionIndex,
    logIndex: toHex(phantomIndex + Number(log.logIndex)),
  }));
  const copy = { ...transaction, hash, transactionIndex };
  return { transaction: copy, receipt: { ...receipt, transactionHash: hash, transactionIndex, logs } };
}

/** The state with these transactions, in the text of its block too. */
function withTransactions(state: Preconfirmed, transactions: readonly PreconfirmedTransaction[]): Preconfirmed {
  const whole = transactions.map(({ transaction }) => transaction);
  const block = { ...state.block, transactions: whole };
  // every large number in it is a string, so that parsing it loses nothing
  const text = JSON.stringify({ ...JSON.parse(state.block.text), transactions: whole });
  return { block: { ...block, text }, transactions };
}
