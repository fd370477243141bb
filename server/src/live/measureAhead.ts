import { shortQuantity } from "../base/hex.ts";
import { isArray, isObject, type JsonValue } from "../base/json.ts";
import type { Clock } from "../base/ports.ts";
import { type AheadMeasurement, noteAhead } from "../rpc/cadence.ts";
import { findBlock, headQuestion } from "../rpc/head.ts";
import type { Outcome } from "../rpc/outcome.ts";
import { resultOf } from "../rpc/outcome.ts";
import type { BackgroundClient, Question } from "./backgroundClient.ts";

/** Attempts to find a pending transaction, and milliseconds between two. */
const maxAttempts = 4;
const pauseMs = 300;

type AheadResult = Pick<AheadMeasurement, "is" | "why" | "guess">;

/**
 * Measures whether `pending` is ahead of `latest`, and remembers it. Pre-confirmed transactions have receipts before their
 * block is sealed; the transactions of a block that a node only guesses have none. Sends a few requests.
 */
export async function measureAhead(
  client: BackgroundClient,
  clock: Clock,
  signal: AbortSignal,
): Promise<AheadResult | undefined> {
  let guesses = 0;
  for (let attempt = 0; attempt < maxAttempts && !signal.aborted; attempt++) {
    if (attempt > 0) await clock.sleep(pauseMs, signal);
    const measured = await readBlocks(client, signal);
    if (signal.aborted || measured === "unclear") continue;
    guesses += measured === "guess" ? 1 : 0;
    if (measured === "guess" && guesses < 2) continue; // the block may have changed between two questions
    const result = measured === "guess" ? guess : measured;
    noteAhead(client.memory, { ...result, by: "observation", at: clock.date() });
    return result;
  }
  return undefined;
}

const guess: AheadResult = { is: false, guess: true, why: "its pending transactions have no receipts yet" };

async function readBlocks(client: BackgroundClient, signal: AbortSignal): Promise<AheadResult | "guess" | "unclear"> {
  const [latest, pending] = await client.ask(blockQuestions, signal);
  const [sealed, block] = [numberOf(resultOf(latest)), resultOf(pending)];
  if (sealed === undefined) return latest?.kind === "refused" ? withoutBlocks(client, signal) : "unclear";
  if (pending?.kind === "unreachable" || (pending?.kind === "refused" && isTemporary(pending))) return "unclear";
  const number = numberOf(block);
  if (number === undefined) return { is: false, why: "it serves no pending block" };
  if (number <= sealed) return { is: false, why: `\`pending\` was block ${number} when \`latest\` was ${sealed}` };
  const hashes = hashesIn(block).slice(-3);
  if (hashes.length === 0) return "unclear";
  const questions = hashes.map((hash) => ({ method: "eth_getTransactionReceipt", params: [hash] }));
  const [head, ...receipts] = await client.ask([headQuestion(client.memory), ...questions], signal);
  const now = shortQuantity(resultOf(head));
  const blocks = receipts.flatMap((receipt) => blockOf(resultOf(receipt)) ?? []);
  if (now !== undefined && blocks.some((one) => one > now)) return hasReceipts;
  return receipts.every((receipt) => receipt.kind === "answered") && blocks.length === 0 ? "guess" : "unclear";
}

const hasReceipts: AheadResult = { is: true, why: "its pending transactions have receipts" };

/** Measures by the block numbers of receipts and logs, for endpoints that serve no blocks. */
async function withoutBlocks(client: BackgroundClient, signal: AbortSignal): Promise<AheadResult | "unclear"> {
  const ask = (questions: readonly Question[]) => client.ask(questions, signal);
  const sealed = (await findBlock(ask, client.memory, "latest")).facts?.number;
  const { facts, outcome } = await findBlock(ask, client.memory, "pending");
  if (sealed === undefined || outcome?.kind === "unreachable") return "unclear";
  if (facts)
    return facts.number > sealed ? hasReceiptsOrLogs : { is: false, why: `\`pending\` was of block ${facts.number}` };
  if (outcome?.kind !== "refused" || isTemporary(outcome)) return "unclear";
  return { is: false, why: "it serves neither receipts nor logs at `pending`" };
}

const hasReceiptsOrLogs: AheadResult = { is: true, why: "pending transactions have receipts or logs" };

/** Whether a refusal says nothing about `pending`. */
function isTemporary({ reason }: Outcome & { readonly kind: "refused" }): boolean {
  return reason === "rate-limit" || reason === "timeout";
}

const tags = ["latest", "pending"] as const;
const blockQuestions = tags.map((tag): Question => ({ method: "eth_getBlockByNumber", params: [tag, false] }));

function numberOf(block: JsonValue | undefined): bigint | undefined {
  return isObject(block) ? shortQuantity(block.number) : undefined;
}

function blockOf(receipt: JsonValue | undefined): bigint | undefined {
  return isObject(receipt) ? shortQuantity(receipt.blockNumber) : undefined;
}

function hashesIn(block: JsonValue | undefined): readonly string[] {
  const list = isObject(block) && isArray(block.transactions) ? block.transactions : [];
  return list.filter((hash) => typeof hash === "string");
}
