import { type Anvil, ask } from "./anvil.ts";
import type { Play } from "./play.ts";
import type { SealedBlock } from "./types.ts";

/** The time of blocks: in seconds, as the chain has it, and in milliseconds if blocks are faster. */
export interface BlockTime {
  /** Gives the next block the time at which it will be sealed. To be called for each block before its first transaction. */
  fix(latest: SealedBlock, play: Play): Promise<void>;
  /** Keeps the milliseconds of a block that was made at the time that {@link fix} gave. */
  record(sealed: SealedBlock): void;
  /** Adds seconds to the time of the blocks to come. */
  shift(seconds: number): void;
  /** Unix milliseconds by block hash, of blocks that were made with them. */
  readonly milliseconds: ReadonlyMap<string, number>;
}

export function createBlockTime(anvil: Anvil): BlockTime {
  const milliseconds = new Map<string, number>();
  let fixed: { readonly number: number; readonly ms: number } | undefined;
  let shift = 0;

  function nextMs(latest: SealedBlock, { sealEveryMs }: Play): number {
    const step = sealEveryMs || 200;
    const ideal = Date.now() + 1000 * shift + step;
    const last = milliseconds.get(latest.hash) ?? 1000 * Number(latest.timestamp);
    // equal steps, as sequencers make them, unless the clock of this machine is too far away
    const even = last + step;
    return Math.abs(even - ideal) < step ? even : Math.max(last + 1, ideal);
  }

  return {
    milliseconds,
    async fix(latest, play) {
      const ms = play.kind === "native" ? nextMs(latest, play) : undefined;
      fixed = ms === undefined ? undefined : { number: Number(latest.number) + 1, ms };
      const soonest = Math.floor((Date.now() + (play.sealEveryMs || 2000)) / 1000) + shift;
      // blocks of less than a second share one, so that they do not run ahead of the clock
      const least = Number(latest.timestamp) + (play.sealEveryMs > 0 && play.sealEveryMs < 1000 ? 0 : 1);
      const seconds = ms === undefined ? Math.max(least, soonest) : Math.floor(ms / 1000);
      await ask(anvil, "evm_setNextBlockTimestamp", [seconds]);
    },
    record(sealed) {
      // a client may have set another time, or mined many blocks: those have seconds only
      if (fixed?.number !== Number(sealed.number) || Math.floor(fixed.ms / 1000) !== Number(sealed.timestamp)) return;
      milliseconds.set(sealed.hash, fixed.ms);
    },
    shift(seconds) {
      shift = seconds;
    },
  };
}
