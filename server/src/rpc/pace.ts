/** How fast an endpoint takes requests, as its refusals show: at most so many within so many milliseconds. */
export interface Pace {
  readonly requests: number;
  readonly windowMs: number;
  /** A refusal came although the pace was kept, so a faster one is tried only after a while. */
  readonly isConfirmed: boolean;
  /** Requests that were accepted at this pace. */
  accepted: number;
}

/** A message that was sent, with the pace of that time. */
export interface SentMessage {
  /** The time of the clock at which it was sent. */
  readonly at: number;
  /** Requests in it. */
  readonly count: number;
  /** Requests of them that were refused because there were too many. */
  refused: number;
  readonly pace: Pace | undefined;
}

/** The pace of an endpoint, and what it is measured by. */
export interface PaceMemory {
  /** `undefined` as long as the endpoint refuses nothing. */
  pace?: Pace | undefined;
  /** Messages within the last window, the oldest first. */
  sent?: SentMessage[];
}

/** A second, which providers count in, and a margin for the way to them. */
const shortestMs = 1100;
const longestMs = 60_000;
/** Above this, an endpoint that once refused a request needs no pace. */
const maxRequests = 1000;

/** Returns the time from which a message with `count` requests keeps the pace. */
export function paceSlot({ pace, sent = [] }: PaceMemory, count: number, now: number): number {
  if (!pace) return now;
  const recent = sent.filter(({ at }) => now - at < pace.windowMs);
  let open = recent.reduce((sum, one) => sum + one.count, count);
  let slotAt = now;
  for (const one of recent) {
    if (open <= pace.requests) break;
    open -= one.count;
    slotAt = one.at + pace.windowMs;
  }
  return slotAt;
}

/** Records a message that is sent now. */
export function noteSent(memory: PaceMemory, count: number, now: number): SentMessage {
  memory.sent ??= [];
  const { sent, pace } = memory;
  const windowMs = pace?.windowMs ?? shortestMs;
  for (let [first] = sent; first && now - first.at >= windowMs; [first] = sent) sent.shift();
  const message = { at: now, count, refused: 0, pace };
  sent.push(message);
  return message;
}

/**
 * Adapts the pace to the answers of a message.
 *
 * @param refused - Requests in it that the endpoint refused because there were too many.
 */
export function notePace(memory: PaceMemory, message: SentMessage, refused: number): void {
  if (refused > 0) {
    message.refused = refused;
    memory.pace = slower(memory, message);
  } else if (message.pace && message.pace === memory.pace) {
    message.pace.accepted += message.count;
    const windows = message.pace.isConfirmed ? 10 : 1;
    if (message.pace.accepted >= windows * message.pace.requests) memory.pace = faster(message.pace);
  }
}

/** Returns as many requests as were not refused lately; if there are none, fewer than were refused. */
function slower({ pace, sent = [] }: PaceMemory, message: SentMessage): Pace {
  const taken = sent.reduce((sum, one) => sum + one.count - one.refused, 0);
  const before = pace?.requests ?? Number.POSITIVE_INFINITY;
  const requests = Math.max(1, taken > 0 ? Math.min(before, taken) : Math.floor(Math.min(before, message.count) / 4));
  const isKept = pace !== undefined && message.pace === pace;
  const windowMs = pace?.windowMs ?? shortestMs;
  return {
    requests,
    windowMs: isKept && taken === 0 && before === 1 ? Math.min(2 * windowMs, longestMs) : windowMs,
    isConfirmed: isKept || pace?.isConfirmed === true,
    accepted: 0,
  };
}

function faster({ requests, windowMs, isConfirmed }: Pace): Pace | undefined {
  if (windowMs > shortestMs)
    return { requests, windowMs: Math.max(windowMs / 2, shortestMs), isConfirmed, accepted: 0 };
  const more = isConfirmed ? Math.max(requests + 1, Math.floor(requests * 1.25)) : 2 * requests;
  return more > maxRequests ? undefined : { requests: more, windowMs, isConfirmed, accepted: 0 };
}
