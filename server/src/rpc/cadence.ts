import { chain } from "../catalog/catalog.ts";
import type { CadenceFact, CadenceKind } from "../catalog/spec.ts";

/** How new state reaches the clients of an endpoint. Features conclude it from this value only. */
export interface Cadence {
  readonly kind: CadenceKind;
  /** The meaning of `pending`: a state ahead of `latest`, the node's guess at the next block, or the same as `latest`. */
  readonly pending: "pre-confirmed" | "guess" | "same" | "unknown";
  /** About how many milliseconds pass between two visible states; an older answer is outdated. */
  readonly periodMs: number;
  /** Milliseconds between two blocks; `undefined` if that is neither measured nor documented. */
  readonly blockMs: number | undefined;
  readonly source: "entry" | "probe" | "observation" | "catalogue" | "default";
  /** Milliseconds since 1970: when it was measured, or the date from which it is documented. */
  readonly since: number | undefined;
  /** The evidence; a clause in plain text. */
  readonly why: string;
}

/** Whether `pending` is ahead of `latest`, as pre-confirmed state is, and how that was measured. */
export interface AheadMeasurement {
  readonly is: boolean;
  /** It is the node's own guess at the next block. */
  readonly guess?: boolean;
  readonly by: "probe" | "observation";
  /** Milliseconds since 1970. */
  readonly at: number;
  /** A clause in plain text. */
  readonly why: string;
  /** Milliseconds between two changes of the pending block, if that was measured. */
  readonly periodMs?: number | undefined;
}

/** Measurements of the cadence of an endpoint. */
export interface CadenceMemory {
  ahead?: AheadMeasurement;
  /** Heads that were seen lately, the oldest first. */
  heads?: readonly TimedHead[];
  blockMs?: number;
  /** The chain that a probe found; counts if the endpoint's entry names none. */
  probed?: { readonly chainId: bigint | undefined };
  /** Called when the cadence is found to be of another kind. */
  changed?: () => void;
}

/** A head, and when it was seen. */
export interface TimedHead {
  readonly number: bigint;
  /** Milliseconds of the monotonic clock. */
  readonly now: number;
}

/** Milliseconds between two pre-confirmed states, as specified. Also the shortest period. */
const preconfirmedMs = 200;
/** The longest period in milliseconds, also used if the block time is unknown. */
const maxPeriodMs = 2000;
/** The longest block time of a fast chain, in milliseconds. */
export const fastMs = 700;

interface DatedCadence {
  readonly preconfirmed: boolean | undefined;
  readonly chainId: bigint | undefined;
}

/**
 * Returns the cadence by the endpoint's entry, else by the last measurement, else as documented for the chain at that date.
 *
 * @param date - Milliseconds since 1970.
 */
export function cadenceOf(endpoint: DatedCadence, memory: CadenceMemory, date: number): Cadence {
  const { preconfirmed, chainId = memory.probed?.chainId } = endpoint;
  const fact = chainId === undefined ? undefined : factAt(chain(chainId)?.cadence ?? [], date);
  const blockMs = memory.blockMs ?? fact?.blockMs;
  const unpreconfirmed = blockMs !== undefined && blockMs <= fastMs ? "fast" : "ordinary";
  const made = (isAhead: boolean, rest: Pick<Cadence, "source" | "since" | "why">): Cadence => {
    if (isAhead)
      return { kind: "pre-confirmed", pending: "pre-confirmed", periodMs: aheadMs(memory), blockMs, ...rest };
    const measured = memory.ahead?.is === false ? (memory.ahead.guess === true ? "guess" : "same") : undefined;
    const pending = measured ?? (unpreconfirmed === "fast" ? "same" : "unknown");
    return { kind: unpreconfirmed, pending, periodMs: periodOf(blockMs), blockMs, ...rest };
  };
  if (preconfirmed !== undefined)
    return made(preconfirmed, { source: "entry", since: undefined, why: "its entry says so" });
  const { ahead } = memory;
  if (ahead) return made(ahead.is, { source: ahead.by, since: ahead.at, why: ahead.why });
  if (fact) {
    const since = fact.from === undefined ? undefined : Date.parse(fact.from);
    return made(fact.kind === "pre-confirmed", {
      source: "catalogue",
      since,
      why: "this chain is known to work that way",
    });
  }
  const isSeen = memory.blockMs !== undefined && unpreconfirmed === "fast";
  const why = isSeen ? "its blocks arrive fast" : "nothing is known about it";
  return made(false, { source: isSeen ? "observation" : "default", since: undefined, why });
}

function factAt(facts: readonly CadenceFact[], date: number): CadenceFact | undefined {
  return facts.findLast(({ from }) => from === undefined || Date.parse(from) <= date);
}

function aheadMs({ ahead }: CadenceMemory): number {
  return Math.min(Math.max(ahead?.periodMs ?? preconfirmedMs, preconfirmedMs), maxPeriodMs);
}

function periodOf(blockMs: number | undefined): number {
  return Math.min(Math.max(blockMs ?? maxPeriodMs, preconfirmedMs), maxPeriodMs);
}

/** Records whether `pending` is ahead. */
export function noteAhead(memory: CadenceMemory, ahead: AheadMeasurement): void {
  const before = memory.ahead;
  memory.ahead = before?.is === ahead.is && before.by === ahead.by ? { ...ahead, at: before.at } : ahead;
  if (before?.is !== ahead.is) memory.changed?.();
}

/** The smallest distance between two heads from which the block time is calculated. */
const minBlocks = 5n;
const minMs = 800;
/** Milliseconds for which heads are kept. */
const keptMs = 20_000;

/** Records a head, and calculates the block time once there are enough of them. */
export function recordHead(memory: CadenceMemory, number: bigint, now: number): void {
  const heads = memory.heads ?? [];
  const last = heads.at(-1);
  if (last && number <= last.number) {
    if (last.number - number > 100n) memory.heads = [{ number, now }]; // another chain, or another node
    return;
  }
  const kept = heads.filter((head) => now - head.now <= keptMs);
  const recent = kept.length > 0 ? kept : heads.slice(-1);
  memory.heads = [...recent.slice(-99), { number, now }];
  const first = recent.find((head) => number - head.number >= minBlocks && now - head.now >= minMs);
  if (first) memory.blockMs = (now - first.now) / Number(number - first.number);
}
