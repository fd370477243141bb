import type { Clock, Moment } from "../base/ports.ts";
import { grouped } from "../base/units.ts";
import type { LogMemory } from "../rpc/logMemory.ts";
import type { Outcome } from "../rpc/outcome.ts";
import type { BlockRange } from "../rpc/range.ts";
import type { EndpointMemory } from "../rpc/send.ts";
import type { RawRequest } from "../rpc/wire.ts";
import { anchorAt, forget, hasKept, keep, keptLogs, maxKeptRanges, reorgNotes } from "./keptLogs.ts";
import { collectLogs, isSilence, isTooBig, type LogCollection, readPiece } from "./logCollection.ts";
import { type LogFilter, logFilter } from "./logFilter.ts";
import { answered, failed, noList, progressText, soFar, type Whole } from "./logOutcome.ts";
import { type LogSizes, logSizes } from "./logSizes.ts";

/** Logs that are still coming. */
export interface LogProgress {
  /** "37 of 500 ranges, 12,345 logs" */
  readonly text: string;
  /** An outcome with what has come so far, from its beginning without a gap; made when it is asked for. */
  soFar(): Outcome;
}

/** What reading logs needs of the run. */
export interface LogHost {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly endpoint: string;
  /** Host and port. */
  readonly host: string;
  /** Greatest toBlock − fromBlock, as configured. */
  readonly logRange: bigint | undefined;
  /** Bytes of one answer, and of all that one run puts together. */
  readonly maxBytes: number;
  readonly memory: EndpointMemory;
  /** One request alone, retried as policy has it. Never rejects. */
  send(request: RawRequest): Promise<Outcome>;
  /**
   * The number of the block that a tag names; `undefined` where it is not known.
   *
   * @param isFresh - As of now, not as of the beginning of the run.
   */
  headOf(tag: string, isFresh: boolean): Promise<bigint | undefined>;
  /** `undefined` where it is not known. */
  hashOf(block: bigint): Promise<string | undefined>;
  told(progress: LogProgress): void;
}

/**
 * Asks for the logs of any range. As long as nothing speaks against it the request goes out as it is. Where the
 * endpoint is known to take fewer blocks, or refuses that many, it is asked in parts, and the answer is as if it had
 * been one: complete, in order, nothing twice. What had come before a failure or a cancellation stays in the
 * endpoint's memory, and the same request goes on from there.
 *
 * @param come - What came of it as it is written, where it has been out already.
 */
export async function requestLogs(request: RawRequest, host: LogHost, come?: Outcome): Promise<Outcome> {
  const filter = logFilter(request);
  if (!filter) return come ?? host.send(request);
  host.memory.logs ??= { limits: {}, unfinished: new Map() };
  const memory = host.memory.logs;
  const sizes = logSizes(host.logRange, memory.limits, host.maxBytes);
  const limit = host.logRange ?? memory.limits.range;

  let plan =
    !come && (limit !== undefined || memory.unfinished.has(filter.key)) ? await planOf(filter, host) : undefined;
  let first: Outcome | undefined;
  if (come || !plan || !(hasKept(memory, filter.key, plan) || (limit !== undefined && plan.to - plan.from > limit))) {
    first = come ?? (await host.send(request));
    if (!isTooBig(first)) return first;
    plan ??= await planOf(filter, host);
    if (!plan || plan.to <= plan.from || (isSilence(first) && !plan.isHeadKnown)) return first;
    sizes.refused(plan.to - plan.from, first);
  }
  return inParts(request, filter, plan, {
    sizes,
    memory,
    host,
    start: { date: host.clock.date(), now: host.clock.now() },
    before: first ? 1 : 0,
  });
}

/** The blocks to read, in numbers from now on, however the head moves. */
interface Plan extends BlockRange {
  /** Also what comes after `to`, up to the pre-confirmed logs. */
  readonly withPending: boolean;
  /** The endpoint has told its head, so that it is alive. */
  readonly isHeadKnown: boolean;
  readonly notes: readonly string[];
}

/** @returns `undefined` where the range cannot be told, or holds nothing that could be split. */
async function planOf({ from, to }: LogFilter, host: LogHost): Promise<Plan | undefined> {
  if (from === "latest" || from === "pending" || to === "earliest") return undefined;
  const start = typeof from === "bigint" ? from : await numberOf(from, host);
  const head = await host.headOf("latest", to === "pending");
  const last = typeof to === "bigint" ? to : to === "latest" || to === "pending" ? head : await numberOf(to, host);
  if (start === undefined || last === undefined || start > last) return undefined;
  const plan = { from: start, to: last, withPending: false, isHeadKnown: head !== undefined, notes: [] };
  if (to === "pending") return start < last ? { ...plan, to: last - 1n, withPending: true } : undefined;
  if (head === undefined || last <= head || start > head) return plan;
  const notes = [`Block ${grouped(last)} is not there yet: the logs end with ${grouped(head)}, the newest one.`];
  return { ...plan, to: head, notes };
}

async function numberOf(tag: string, host: LogHost): Promise<bigint | undefined> {
  return tag === "earliest" ? 0n : host.headOf(tag, false);
}

interface Reading {
  readonly start: Moment;
  readonly sizes: LogSizes;
  readonly memory: LogMemory;
  readonly host: LogHost;
  /** Requests before it, which were refused. */
  readonly before: number;
}

async function inParts(request: RawRequest, filter: LogFilter, plan: Plan, reading: Reading): Promise<Outcome> {
  const { host, sizes, memory } = reading;
  const [anchor, kept] = await Promise.all([anchorAt(plan.to, host), keptLogs(memory, filter.key, plan, host)]);
  const notes = [...plan.notes, ...kept.notes];

  // Asked for first, so that a moving head cannot come between it and the rest; a refusal then costs nothing more.
  const tail = plan.withPending ? await pendingPiece(filter, plan, host) : undefined;
  if (tail && "kind" in tail) return tail;
  const made = reading.before + (tail ? 1 : 0);
  const whole = (gathering: LogCollection): Whole => ({ request, gathering, tail, made, plan, notes, ...reading });

  const gathered = await collectLogs(plan, {
    sizes,
    kept: kept.pieces,
    maxBytes: host.maxBytes,
    maxKeptBytes: maxKeptRanges(host),
    ask: ({ from, to }) => host.send(filter.over(from, to)),
    told: (gathering) => host.told({ text: progressText(gathering), soFar: () => soFar(whole(gathering)) }),
  });
  memory.limits = { ...memory.limits, ...sizes.limits };
  if (gathered.failure !== undefined) {
    keep(memory, filter.key, { pieces: gathered.pieces, anchor }, host);
    return failed(whole(gathered));
  }
  forget(memory, filter.key, plan);
  return answered(whole(gathered), anchor ? await reorgNotes(anchor, host) : []);
}

/** Begins with a block that is there for certain: one beyond the head would be refused. */
async function pendingPiece(filter: LogFilter, plan: Plan, host: LogHost): Promise<Whole["tail"] | Outcome> {
  const from = plan.to + 1n;
  const outcome = await host.send(filter.over(from, "pending"));
  if (outcome.kind !== "answered") return outcome;
  return readPiece({ from, to: from, isOpen: true }, outcome) ?? noList(outcome.exchange);
}
