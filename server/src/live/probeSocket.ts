import type { JsonValue } from "../base/json.ts";
import { explain } from "../rpc/explain.ts";
import { subscriptionId } from "../rpc/notifications.ts";
import type { Outcome } from "../rpc/outcome.ts";
import { answerOf } from "./answer.ts";
import type { Asker, Question } from "./asker.ts";
import { nobody } from "./observer.ts";

/** What an endpoint tells without being asked. */
export interface SocketReach {
  /** Kinds of subscriptions that it took; `undefined` where that could not be told. */
  readonly takes: readonly string[] | undefined;
  /** Why there are none; a clause, or empty. */
  readonly why: string;
}

/** The kinds, so narrow where they can be that next to nothing is told. */
const kinds: readonly (readonly JsonValue[])[] = [
  ["newHeads"],
  ["logs", { address: nobody }],
  ["newPendingTransactions"],
  ["pendingLogs", { address: nobody }],
  ["newFlashblocks"],
  ["newFlashblockTransactions"],
];

/** Subscribes to everything for a moment. */
export async function probeSocket(asker: Asker, signal: AbortSignal): Promise<SocketReach> {
  const outcomes = await asker.ask(
    kinds.map((params): Question => ({ method: "eth_subscribe", params })),
    signal,
  );
  const taken = outcomes.map((outcome) => subscriptionId(answerOf(outcome)));
  await asker.ask(
    outcomes.flatMap((outcome, at): readonly Question[] => {
      const id = answerOf(outcome);
      return taken[at] === undefined || id === undefined ? [] : [{ method: "eth_unsubscribe", params: [id] }];
    }),
    signal,
  );
  const takes = kinds.flatMap(([kind], at) => (taken[at] === undefined ? [] : String(kind)));
  const [first] = outcomes;
  if (takes.length > 0 || !first) return { takes, why: "" };
  return { takes: isUnclear(first) ? undefined : [], why: whyNot(first) };
}

function isUnclear(outcome: Outcome): boolean {
  return outcome.kind === "unreachable" && outcome.reason === "cancelled";
}

function whyNot(outcome: Outcome): string {
  return outcome.kind === "answered" ? "it answers with something else" : explain(outcome, "eth_subscribe").what;
}
