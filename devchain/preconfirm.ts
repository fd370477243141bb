import { type Anvil, AnvilRefusal, ask } from "./anvil.ts";
import { createBlockTime } from "./blockTime.ts";
import { createDivergences, type Divergence, type Divergences } from "./divergence.ts";
import { member, parse } from "./json.ts";
import { changedPlay, isAhead, type Play, type PlayChange, type Player } from "./play.ts";
import { preconfirm } from "./simulation.ts";
import { createTimers } from "./timers.ts";
import type { Block, Preconfirmed, PreconfirmedTransaction, SealedBlock } from "./types.ts";

/** The new transactions of a refresh: about a tenth of a block. */
export interface Flashblock {
  readonly state: Preconfirmed;
  readonly added: readonly PreconfirmedTransaction[];
}

/**
 * The block that is being built. Every transaction that anvil would mine next is run on the latest block, and its
 * receipt is sent before the block is sealed.
 *
 * Two rules keep pre-confirmed data correct. Transactions, refreshes and seals go one at a time, so that nothing enters
 * a block between its last flashblock and its sealing. And the time of a block is fixed before its first transaction. A
 * transaction that cannot be run ahead (a deployment: anvil simulates no call without `to`) is sealed at once instead.
 */
export interface Preconfirmation {
  /** The state as it is shown, with every transaction that was sent before. Call it only while the state is ahead. */
  current(): Promise<Preconfirmed>;
  /** Does something that may change the chain; readers wait for it. */
  change<T>(work: () => Promise<T>): Promise<T>;
  /** Announces the remaining transactions, then makes a block with `mine`. */
  seal<T>(mine: () => Promise<T>): Promise<T>;
  /** Goes back to an earlier state of the chain with `undo`, and forgets everything that was shown since. */
  revert<T>(undo: () => Promise<T>): Promise<T>;
  /** Adds seconds to the time of the blocks to come. */
  shiftTime(seconds: number): void;
  /** Changes what the chain plays from now on. */
  switchTo(change: PlayChange): Promise<Play>;
  /** Resolves when everything that was begun before is done. */
  settled(): Promise<void>;
  /** Unix milliseconds by block hash, of the blocks that have them. */
  readonly milliseconds: ReadonlyMap<string, number>;
  /** Every difference until now between pre-confirmed state and its sealed block. */
  readonly divergences: readonly Divergence[];
  onFlashblock(listener: (flashblock: Flashblock) => void): () => void;
  /** Called after each block. */
  onSeal(listener: () => void): () => void;
  start(): Promise<void>;
  stop(): void;
}

export function createPreconfirmation(anvil: Anvil, player: Player, refreshEveryMs: number): Preconfirmation {
  const sealListeners = new Set<() => void>();
  const timers = createTimers();
  const exclusive = queue();
  const time = createBlockTime(anvil);
  const divergences = createDivergences(anvil, player);
  const { announce, onFlashblock, forget } = createAnnouncer(divergences);
  let state: Preconfirmed | undefined;
  let changed = true;

  async function refresh(): Promise<Preconfirmed> {
    for (;;) {
      changed = false;
      const block = await pendingBlock(anvil);
      if (state && sameTransactions(state.block, block)) {
        state = { ...state, block };
        return state;
      }
      const deployment = block.transactions.findIndex(({ to }) => to === null);
      const known = deployment < 0 ? block.transactions : block.transactions.slice(0, deployment);
      const next = await preconfirm(anvil, block, known).catch(refused);
      if (next) state = next;
      if (next && deployment < 0) return next;
      if (next) announce(next);
      await mine(() => ask(anvil, "evm_mine"));
    }
  }

  async function mine<T>(by: () => Promise<T>): Promise<T> {
    const told = isAhead(player.play) ? state : undefined;
    const result = await by();
    changed = true;
    const latest = await latestBlock(anvil);
    time.record(latest);
    await time.fix(latest, player.play);
    if (told) await divergences.afterSeal(told, latest);
    for (const listener of sealListeners) listener();
    return result;
  }

  async function current(): Promise<Preconfirmed> {
    return changed || !state ? refresh() : state;
  }

  async function flashblock(): Promise<void> {
    announce(await refresh());
  }

  async function seal<T>(by: () => Promise<T>): Promise<T> {
    if (!isAhead(player.play)) return mine(by);
    await flashblock();
    await divergences.beforeSeal(await current());
    const result = await mine(by);
    await refresh();
    return result;
  }

  function startTimers(): void {
    timers.clear();
    const { sealEveryMs } = player.play;
    if (isAhead(player.play)) timers.repeat(refreshEveryMs, () => exclusive(flashblock));
    if (sealEveryMs > 0) timers.repeat(sealEveryMs, () => exclusive(() => seal(() => ask(anvil, "evm_mine"))));
  }

  /** Changes the play; seals the pre-confirmed transactions before the kind changes. */
  async function switchTo(change: PlayChange): Promise<Play> {
    const was = player.play;
    if (isAhead(was)) divergences.keep(await current());
    const next = changedPlay(was, change);
    const other = next.kind !== was.kind || isAhead(next) !== isAhead(was);
    if (other && isAhead(was)) await seal(() => ask(anvil, "evm_mine"));
    const play = changedPlay(player.play, change);
    player.play = play;
    if (other) await time.fix(await latestBlock(anvil), play);
    if (other) changed = true;
    if (other || play.sealEveryMs !== was.sealEveryMs) startTimers();
    return play;
  }

  async function revert<T>(undo: () => Promise<T>): Promise<T> {
    const result = await undo();
    state = undefined;
    forget();
    divergences.forget();
    await time.fix(await latestBlock(anvil), player.play);
    return result;
  }

  return {
    current: () => exclusive(async () => divergences.shown(await current())),
    change: (work) =>
      exclusive(async () => {
        changed = true;
        return work();
      }),
    seal: (by) => exclusive(() => seal(by)),
    revert: (undo) => exclusive(() => revert(undo)),
    switchTo: (change) => exclusive(() => switchTo(change)),
    settled: () => exclusive(async () => undefined),
    shiftTime: time.shift,
    milliseconds: time.milliseconds,
    divergences: divergences.list,
    onFlashblock,
    onSeal: (listener) => subscribed(sealListeners, listener),
    start: async () => {
      await exclusive(async () => time.fix(await latestBlock(anvil), player.play));
      startTimers();
    },
    stop: timers.clear,
  };
}

interface Announcer extends Pick<Preconfirmation, "onFlashblock"> {
  announce(state: Preconfirmed): void;
  forget(): void;
}

/** Sends each transaction of a block to the listeners once. */
function createAnnouncer(divergences: Divergences): Announcer {
  const listeners = new Set<(flashblock: Flashblock) => void>();
  let announced: { readonly parentHash: string; readonly hashes: Set<string> } | undefined;
  return {
    announce(now) {
      const { parentHash } = now.block;
      if (announced?.parentHash !== parentHash) announced = { parentHash, hashes: new Set() };
      const { hashes } = announced;
      const shown = divergences.shown(now);
      const added = shown.transactions.filter(({ transaction }) => !hashes.has(transaction.hash));
      for (const { transaction } of added) hashes.add(transaction.hash);
      for (const listener of listeners) listener({ state: shown, added });
    },
    forget() {
      announced = undefined;
    },
    onFlashblock: (listener) => subscribed(listeners, listener),
  };
}

function subscribed<T>(listeners: Set<T>, listener: T): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function latestBlock(anvil: Anvil): Promise<SealedBlock> {
  return ask<SealedBlock>(anvil, "eth_getBlockByNumber", ["latest", false]);
}

/** Runs one task after the other, also if one fails. */
function queue(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const next = last.then(work, work);
    last = next.catch(() => undefined);
    return next;
  };
}

async function pendingBlock(anvil: Anvil): Promise<Block> {
  const raw = await anvil.post('{"jsonrpc":"2.0","id":1,"method":"eth_getBlockByNumber","params":["pending",true]}');
  const text = member(raw, "result") ?? "null";
  return { ...(parse(text) as Omit<Block, "text">), text }; // the shape that anvil documents
}

function sameTransactions(a: Block, b: Block): boolean {
  return (
    a.parentHash === b.parentHash &&
    a.timestamp === b.timestamp &&
    a.transactions.length === b.transactions.length &&
    a.transactions.every(({ hash }, i) => hash === b.transactions[i]?.hash)
  );
}

/** Leaves to the block what anvil does not run ahead; throws every other fault. */
function refused(cause: unknown): undefined {
  if (!(cause instanceof AnvilRefusal)) throw cause;
}
