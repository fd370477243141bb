import { onAbort, untilAborted, withDeadline } from "../base/deadline.ts";
import type { JsonValue } from "../base/json.ts";
import { isArray, isObject, parseJson } from "../base/json.ts";
import type { Clock, HttpResponse, TransportFault } from "../base/ports.ts";
import type { Id } from "./outcome.ts";
import { idKey } from "./wire.ts";

type Reply = HttpResponse | TransportFault;

interface PendingRequest {
  /** Empty if no id in the message can identify its answer; such a message is sent alone. */
  readonly ids: ReadonlySet<Id>;
  readonly settle: (reply: Reply) => void;
}

/** The messages that wait for their answers on one connection. Matches each answer to its message. */
export class PendingRequests {
  readonly #send: (text: string) => void;
  readonly #clock: Clock;
  readonly #pending = new Set<PendingRequest>();
  /** Ids of messages that were given up. Their answers may still come. */
  readonly #abandoned = new Set<Id>();
  /** Answers that match none of the pending messages. */
  readonly #orphans: HttpResponse[] = [];
  /** Called when a message has settled, so that another one may be sent. */
  #waiting: (() => void)[] = [];
  #end: TransportFault | undefined;

  constructor(send: (text: string) => void, clock: Clock) {
    this.#send = send;
    this.#clock = clock;
  }

  /** Sends a message when no other message with one of its ids is pending, and waits for its answer. */
  async post(body: string, timeoutMs: number, signal: AbortSignal): Promise<Reply> {
    const ids = new Set(idsOf(parseJson(body)));
    while (!this.#maySend(ids) && !this.#end && !signal.aborted) {
      const settled = new Promise<void>((resolve) => {
        this.#waiting.push(resolve);
      });
      await untilAborted(settled, signal);
    }
    if (this.#end || signal.aborted) return { ...(this.#end ?? fault("cancelled")), sent: false };
    return this.#exchange(body, ids, timeoutMs, signal);
  }
  answer(body: JsonValue | undefined, reply: HttpResponse): void {
    const ids = new Set(idsOf(body));
    const owner = ownerOf(this.#pending, ids);
    if (owner) this.#settle(owner, reply);
    else if ([...ids].filter((id) => this.#abandoned.delete(id)).length === 0) this.#orphans.push(reply);
    // If there are as many pending messages as unmatched answers, they belong to each other
    if (this.#orphans.length >= this.#pending.size)
      for (const one of [...this.#pending]) this.#settle(one, this.#orphans.shift() ?? fault("reset"));
    this.#orphans.splice(0, this.#orphans.length - this.#pending.size);
  }
  /** Returns whether no earlier message with one of these ids was given up. */
  takes(body: string): boolean {
    return !overlaps(this.#abandoned, new Set(idsOf(parseJson(body))));
  }
  /** Settles everything: the connection has ended. */
  end(fault: TransportFault): void {
    this.#end = fault;
    for (const one of [...this.#pending]) this.#settle(one, fault);
    this.#wakeWaiting();
  }

  #maySend(ids: ReadonlySet<Id>): boolean {
    return [...this.#pending].every((one) => one.ids.size > 0 && ids.size > 0 && !overlaps(one.ids, ids));
  }
  #settle(request: PendingRequest, reply: Reply): void {
    if (!this.#pending.delete(request)) return;
    request.settle(reply);
    this.#wakeWaiting();
  }
  #wakeWaiting(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const wake of waiting) wake();
  }
  async #exchange(body: string, ids: ReadonlySet<Id>, timeoutMs: number, signal: AbortSignal): Promise<Reply> {
    const reply = await withDeadline(this.#clock, timeoutMs, signal, (over) => {
      return new Promise<Reply>((settle) => {
        const request = { ids, settle };
        this.#pending.add(request);
        onAbort(over, () => this.#settle(request, fault("cancelled")));
        this.#send(body);
      });
    });
    if (typeof reply !== "string") return reply;
    for (const id of ids) this.#abandoned.add(id);
    return (reply === "timeout" ? this.#orphans.shift() : undefined) ?? fault(reply);
  }
}

/**
 * Finds the message that an answer belongs to: by value and type of the ids, else by an id of another type if that fits
 * one message only. Whether such an answer counts is decided where it is parsed.
 */
function ownerOf(pending: ReadonlySet<PendingRequest>, ids: ReadonlySet<Id>): PendingRequest | undefined {
  const all = [...pending];
  const exact = all.find((one) => overlaps(one.ids, ids));
  if (exact) return exact;
  const bare = new Set([...ids].map(String));
  const loose = all.filter((one) => [...one.ids].some((id) => bare.has(String(id))));
  return loose.length === 1 ? loose[0] : undefined;
}

function idsOf(body: JsonValue | undefined): readonly Id[] {
  return (isArray(body) ? body : [body]).flatMap((item) => {
    const id = isObject(item) ? item.id : undefined;
    return typeof id === "string" || typeof id === "number" || typeof id === "bigint" ? [idKey(id)] : [];
  });
}

function overlaps(a: ReadonlySet<Id>, b: ReadonlySet<Id>): boolean {
  for (const id of b) if (a.has(id)) return true;
  return false;
}

function fault(reason: TransportFault["reason"]): TransportFault {
  return { kind: "fault", reason, detail: "" };
}
