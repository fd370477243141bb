import type { JsonValue } from "../base/json.ts";
import { isArray, isObject, parseJson } from "../base/json.ts";
import type { Clock, HttpResponse, TransportFault } from "../base/ports.ts";
import type { Id } from "./outcome.ts";
import { idKey } from "./wire.ts";

/** Messages that wait for their answers on one connection, and which answer is whose. */
export interface PendingRequests {
  /** Sends a message when no other under one of its ids is under way, and waits for its answer. */
  post(body: string, timeoutMs: number, signal: AbortSignal): Promise<HttpResponse | TransportFault>;
  answer(body: JsonValue | undefined, reply: HttpResponse): void;
  /** No earlier message under one of these ids was given up on: its answer may still come. */
  takes(body: string): boolean;
  /** Nothing comes any more. */
  end(fault: TransportFault): void;
}

interface PendingRequest {
  /** Empty where the message has no id that could be told in an answer; such a one travels alone. */
  readonly ids: ReadonlySet<Id>;
  settle(reply: HttpResponse | TransportFault): void;
}

export function openPendingRequests(send: (text: string) => void, clock: Clock): PendingRequests {
  const pending = new Set<PendingRequest>();
  const burnt = new Set<Id>();
  /** Answers that name none of the messages under way. */
  const orphans: HttpResponse[] = [];
  const turns: (() => void)[] = [];
  let over: TransportFault | undefined;

  const mayGo = (ids: ReadonlySet<Id>): boolean =>
    [...pending].every((one) => one.ids.size > 0 && ids.size > 0 && !shares(one.ids, ids));
  const nextTurn = (signal: AbortSignal): Promise<void> =>
    new Promise((go) => {
      turns.push(go);
      signal.addEventListener("abort", go, { once: true });
    });
  const exchange = (body: string, ids: ReadonlySet<Id>, timeoutMs: number, signal: AbortSignal) =>
    new Promise<HttpResponse | TransportFault>((resolve) => {
      const timer = new AbortController();
      const giveUp = (reason: "cancelled" | "timeout"): void => {
        if (!pending.has(one)) return;
        for (const id of ids) burnt.add(id);
        one.settle((reason === "timeout" ? orphans.shift() : undefined) ?? fault(reason));
      };
      const cancel = (): void => giveUp("cancelled");
      const one: PendingRequest = {
        ids,
        settle(reply) {
          if (!pending.delete(one)) return;
          timer.abort();
          signal.removeEventListener("abort", cancel);
          resolve(reply);
          for (const go of turns.splice(0)) go();
        },
      };
      pending.add(one);
      signal.addEventListener("abort", cancel, { once: true });
      void clock.sleep(timeoutMs, timer.signal).then(() => giveUp("timeout"));
      send(body);
    });
  return {
    async post(body, timeoutMs, signal) {
      const ids = new Set(idsOf(parseJson(body)));
      while (!mayGo(ids) && !over && !signal.aborted) await nextTurn(signal);
      if (over || signal.aborted) return { ...(over ?? fault("cancelled")), sent: false };
      return exchange(body, ids, timeoutMs, signal);
    },
    answer(body, reply) {
      const ids = new Set(idsOf(body));
      const owner = ownerOf(pending, ids);
      if (owner) owner.settle(reply);
      else if ([...ids].filter((id) => burnt.delete(id)).length === 0) orphans.push(reply);
      // Where as many wait as answers have no owner, they belong to each other
      if (orphans.length >= pending.size) for (const one of [...pending]) one.settle(orphans.shift() ?? fault("reset"));
      orphans.splice(0, orphans.length - pending.size);
    },
    takes: (body) => !shares(burnt, new Set(idsOf(parseJson(body)))),
    end(fault) {
      over = fault;
      for (const one of [...pending]) one.settle(fault);
      for (const go of turns.splice(0)) go();
    },
  };
}

/** By value and type; else under an id in another type where no other message could be meant. It is judged where it is read. */
function ownerOf(pending: ReadonlySet<PendingRequest>, ids: ReadonlySet<Id>): PendingRequest | undefined {
  const all = [...pending];
  const exact = all.find((one) => shares(one.ids, ids));
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

function shares(a: ReadonlySet<Id>, b: ReadonlySet<Id>): boolean {
  for (const id of b) if (a.has(id)) return true;
  return false;
}

function fault(reason: TransportFault["reason"]): TransportFault {
  return { kind: "fault", reason, detail: "" };
}
