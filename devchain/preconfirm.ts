import { type Anvil, AnvilRefusal, ask } from "./anvil.ts";
import { member, parse } from "./json.ts";
import { preconfirm } from "./simulation.ts";
import type { Block, Preconfirmed, PreconfirmedTransaction } from "./types.ts";

/** What a refresh brought beyond the one before: about a tenth of a block. */
export interface Flashblock {
  readonly state: Preconfirmed;
  readonly added: readonly PreconfirmedTransaction[];
}

export interface PreconfirmationOptions {
  /** Milliseconds between two blocks; 0: only {@link Preconfirmation.seal} makes them. */
  readonly sealEveryMs: number;
  /** Milliseconds between two flashblocks. */
  readonly refreshEveryMs: number;
}

/**
 * The block that is being built. Every transaction that anvil would mine next is run on the latest block, and its
 * receipt is told before the block is sealed.
 *
 * Two rules keep what was told true. Transactions, refreshes and seals go one at a time, so that nothing enters a block
 * between its last flashblock and its sealing. And the time of a block is fixed before its first transaction. What cannot
 * be run ahead (a deployment: anvil simulates no call without `to`) is sealed at once instead.
 */
export interface Preconfirmation {
  /** The state with everything in it that was sent before. */
  current(): Promise<Preconfirmed>;
  /** Does something that may change the chain; readers wait for it. */
  change<T>(work: () => Promise<T>): Promise<T>;
  /** Announces what is left, then makes a block by `mine`. */
  seal<T>(mine: () => Promise<T>): Promise<T>;
  /** Adds seconds to the time of the blocks to come. */
  shiftTime(seconds: number): void;
  onFlashblock(listener: (flashblock: Flashblock) => void): () => void;
  start(): Promise<void>;
  stop(): void;
}

export function createPreconfirmation(anvil: Anvil, options: PreconfirmationOptions): Preconfirmation {
  const listeners = new Set<(flashblock: Flashblock) => void>();
  const timers: NodeJS.Timeout[] = [];
  const exclusive = queue();
  let state: Preconfirmed | undefined;
  let changed = true;
  let shift = 0;
  let announced: { readonly parentHash: string; readonly hashes: Set<string> } | undefined;

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

  function announce(now: Preconfirmed): void {
    const { parentHash } = now.block;
    if (announced?.parentHash !== parentHash) announced = { parentHash, hashes: new Set() };
    const { hashes } = announced;
    const added = now.transactions.filter(({ transaction }) => !hashes.has(transaction.hash));
    for (const { transaction } of added) hashes.add(transaction.hash);
    for (const listener of listeners) listener({ state: now, added });
  }

  async function mine<T>(by: () => Promise<T>): Promise<T> {
    const result = await by();
    changed = true;
    await fixTime();
    return result;
  }

  /** Gives the next block the time at which it will be sealed. */
  async function fixTime(): Promise<void> {
    const latest = await ask<Block>(anvil, "eth_getBlockByNumber", ["latest", false]);
    const due = Math.floor((Date.now() + (options.sealEveryMs || 2000)) / 1000) + shift;
    await ask(anvil, "evm_setNextBlockTimestamp", [Math.max(Number(latest.timestamp) + 1, due)]);
  }

  function current(): Promise<Preconfirmed> {
    return exclusive(() => (changed || !state ? refresh() : Promise.resolve(state)));
  }

  /** Leaves a turn out while the one before is not done. */
  function repeat(everyMs: number, work: () => Promise<unknown>): void {
    let busy = false;
    const turn = (): void => {
      if (busy) return;
      busy = true;
      // anvil may end at any time; whoever asked for something learns of it
      exclusive(work)
        .catch(() => undefined)
        .finally(() => {
          busy = false;
        });
    };
    timers.push(setInterval(turn, everyMs));
  }

  async function flashblock(): Promise<void> {
    announce(await refresh());
  }

  async function seal<T>(by: () => Promise<T>): Promise<T> {
    await flashblock();
    const result = await mine(by);
    await refresh();
    return result;
  }

  return {
    current,
    change: (work) =>
      exclusive(async () => {
        changed = true;
        return work();
      }),
    seal: (by) => exclusive(() => seal(by)),
    shiftTime: (seconds) => {
      shift = seconds;
    },
    onFlashblock: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    start: async () => {
      await exclusive(fixTime);
      repeat(options.refreshEveryMs, flashblock);
      if (options.sealEveryMs > 0) repeat(options.sealEveryMs, () => seal(() => ask(anvil, "evm_mine")));
    },
    stop: () => {
      for (const timer of timers) clearInterval(timer);
    },
  };
}

/** Runs one thing after the other, whatever becomes of each. */
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

/** What anvil will not run ahead is left to the block; any other fault is one. */
function refused(cause: unknown): undefined {
  if (!(cause instanceof AnvilRefusal)) throw cause;
}
