import { isArray, isObject, type JsonValue } from "../base/json.ts";
import type { Clock } from "../base/ports.ts";
import { type AheadMeasurement, noteAhead } from "../rpc/cadence.ts";
import { findBlock, headQuestion } from "../rpc/head.ts";
import type { Outcome } from "../rpc/outcome.ts";
import { answerOf, blockNumber } from "./answered.ts";
import type { BackgroundClient, Question } from "./backgroundClient.ts";

/** How often is looked for a pending transaction, and milliseconds between two looks. */
const mostLooks = 4;
const pauseMs = 300;

type AheadResult = Pick<AheadMeasurement, "is" | "why" | "guess">;

/**
 * Finds out whether `pending` is ahead of `latest`, and remembers it. Pre-confirmed transactions have receipts before their
 * block is sealed; what a node merely guesses to be the next block has none. A few requests.
 */
export async function measureAhead(
  asker: BackgroundClient,
  clock: Clock,
  signal: AbortSignal,
): Promise<AheadResult | undefined> {
  let guesses = 0;
  for (let looks = 0; looks < mostLooks && !signal.aborted; looks++) {
    if (looks > 0) await clock.sleep(pauseMs, signal);
    const look = await readBlocks(asker, signal);
    if (signal.aborted || look === "unclear") continue;
    guesses += look === "guess" ? 1 : 0;
    const found = look === "guess" ? guess : look;
    if (look === "guess" && guesses < 2) continue; // it may have changed between two questions
    noteAhead(asker.memory, { ...found, by: "observation", at: clock.date() });
    return found;
  }
  return undefined;
}

const guess: AheadResult = { is: false, guess: true, why: "its pending transactions have no receipts yet" };

async function readBlocks(asker: BackgroundClient, signal: AbortSignal): Promise<AheadResult | "guess" | "unclear"> {
  const [latest, pending] = await asker.ask(blockQuestions, signal);
  const [sealed, block] = [numberOf(answerOf(latest)), answerOf(pending)];
  if (sealed === undefined) return latest?.kind === "refused" ? withoutBlocks(asker, signal) : "unclear";
  if (pending?.kind === "unreachable" || (pending?.kind === "refused" && isPassing(pending))) return "unclear";
  const number = numberOf(block);
  if (number === undefined) return { is: false, why: "it serves no pending block" };
  if (number <= sealed) return { is: false, why: `\`pending\` was block ${number} when \`latest\` was ${sealed}` };
  const hashes = hashesIn(block).slice(-3);
  if (hashes.length === 0) return "unclear";
  const questions = hashes.map((hash) => ({ method: "eth_getTransactionReceipt", params: [hash] }));
  const [head, ...receipts] = await asker.ask([headQuestion(asker.memory), ...questions], signal);
  const now = blockNumber(answerOf(head));
  const blocks = receipts.flatMap((receipt) => blockOf(answerOf(receipt)) ?? []);
  if (now !== undefined && blocks.some((one) => one > now)) return receipted;
  return receipts.every((receipt) => receipt.kind === "answered") && blocks.length === 0 ? "guess" : "unclear";
}

const receipted: AheadResult = { is: true, why: "its pending transactions have receipts" };

/** For endpoints that serve no blocks: receipts and logs tell the number of theirs. */
async function withoutBlocks(asker: BackgroundClient, signal: AbortSignal): Promise<AheadResult | "unclear"> {
  const ask = (questions: readonly Question[]) => asker.ask(questions, signal);
  const sealed = (await findBlock(ask, asker.memory, "latest")).facts?.number;
  const { facts, outcome } = await findBlock(ask, asker.memory, "pending");
  if (sealed === undefined || outcome?.kind === "unreachable") return "unclear";
  if (facts) return facts.number > sealed ? shown : { is: false, why: `\`pending\` was of block ${facts.number}` };
  if (outcome?.kind !== "refused" || isPassing(outcome)) return "unclear";
  return { is: false, why: "it serves neither receipts nor logs at `pending`" };
}

const shown: AheadResult = { is: true, why: "pending transactions have receipts or logs" };

/** A refusal that says nothing about `pending`. */
function isPassing({ reason }: Outcome & { readonly kind: "refused" }): boolean {
  return reason === "rate-limit" || reason === "timeout";
}

const tags = ["latest", "pending"] as const;
const blockQuestions = tags.map((tag): Question => ({ method: "eth_getBlockByNumber", params: [tag, false] }));

function numberOf(block: JsonValue | undefined): bigint | undefined {
  return isObject(block) ? blockNumber(block.number) : undefined;
}

function blockOf(receipt: JsonValue | undefined): bigint | undefined {
  return isObject(receipt) ? blockNumber(receipt.blockNumber) : undefined;
}

function hashesIn(block: JsonValue | undefined): readonly string[] {
  const list = isObject(block) && isArray(block.transactions) ? block.transactions : [];
  return list.filter((hash) => typeof hash === "string");
}
