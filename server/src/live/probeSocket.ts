import type { JsonValue } from "../base/json.ts";
import { explain } from "../rpc/explain.ts";
import { subscriptionId } from "../rpc/notifications.ts";
import type { Outcome } from "../rpc/outcome.ts";
import { answerOf } from "./answered.ts";
import type { BackgroundClient, Question } from "./backgroundClient.ts";
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
export async function probeSocket(asker: BackgroundClient, signal: AbortSignal): Promise<SocketReach> {
  const questions = kinds.map((params): Question => ({ method: "eth_subscribe", params }));
  const first = await asker.ask(questions.slice(0, 1), signal);
  const isOpen = first[0]?.kind !== "unreachable";
  const outcomes = isOpen ? [...first, ...(await asker.ask(questions.slice(1), signal))] : first;
  const taken = outcomes.map((outcome) => subscriptionId(answerOf(outcome)));
  const given = outcomes.flatMap((outcome, at) => (taken[at] === undefined ? [] : [answerOf(outcome) ?? null]));
  if (given.length > 0)
    await asker.ask(
      given.map((id): Question => ({ method: "eth_unsubscribe", params: [id] })),
      signal,
    );
  const takes = kinds.flatMap(([kind], at) => (taken[at] === undefined ? [] : String(kind)));
  const [one] = outcomes;
  if (takes.length > 0 || !one) return { takes, why: "" };
  return { takes: isUnclear(one) ? undefined : [], why: whyNot(one) };
}

function isUnclear(outcome: Outcome): boolean {
  return outcome.kind === "unreachable" && outcome.reason === "cancelled";
}

function whyNot(outcome: Outcome): string {
  return outcome.kind === "answered" ? "it answers with something else" : explain(outcome, "eth_subscribe").what;
}
