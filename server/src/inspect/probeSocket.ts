import type { JsonValue } from "../base/json.ts";
import type { BackgroundClient, Question } from "../gate/backgroundClient.ts";
import { explain } from "../rpc/explain.ts";
import { subscriptionId } from "../rpc/notifications.ts";
import type { Outcome } from "../rpc/outcome.ts";
import { resultOf } from "../rpc/outcome.ts";
import { unusedAddress } from "./observer.ts";

/** The subscriptions that an endpoint serves. */
export interface SocketReach {
  /** Kinds of subscriptions that it accepted; `undefined` if that is not known, as after a timeout. */
  readonly takes: readonly string[] | undefined;
  /** The reason why there are none: a clause, or empty. */
  readonly why: string;
}

/** All kinds, with filters that almost nothing matches. */
const kinds: readonly (readonly JsonValue[])[] = [
  ["newHeads"],
  ["logs", { address: unusedAddress }],
  ["newPendingTransactions"],
  ["pendingLogs", { address: unusedAddress }],
  ["newFlashblocks"],
  ["newFlashblockTransactions"],
];

/** Subscribes to each kind, and cancels the subscriptions. */
export async function probeSocket(client: BackgroundClient, signal: AbortSignal): Promise<SocketReach> {
  const questions = kinds.map((params): Question => ({ method: "eth_subscribe", params }));
  const first = await client.ask(questions.slice(0, 1), signal);
  const isOpen = first[0]?.kind !== "unreachable";
  const outcomes = isOpen ? [...first, ...(await client.ask(questions.slice(1), signal))] : first;
  const ids = outcomes.map((outcome) => subscriptionId(resultOf(outcome)));
  const accepted = outcomes.flatMap((outcome, at) => (ids[at] === undefined ? [] : [resultOf(outcome) ?? null]));
  if (accepted.length > 0)
    await client.ask(
      accepted.map((id): Question => ({ method: "eth_unsubscribe", params: [id] })),
      signal,
    );
  const takes = kinds.flatMap(([kind], at) => (ids[at] === undefined ? [] : String(kind)));
  const [one] = outcomes;
  if (takes.length > 0 || !one) return { takes, why: "" };
  return { takes: isUnclear(one) ? undefined : [], why: whyNot(one) };
}

const unclear: ReadonlySet<string> = new Set(["cancelled", "timeout", "reset"]);

function isUnclear(outcome: Outcome): boolean {
  return outcome.kind === "unreachable" && unclear.has(outcome.reason);
}

function whyNot(outcome: Outcome): string {
  return outcome.kind === "answered" ? "it returns something unexpected" : explain(outcome, "eth_subscribe").what;
}
