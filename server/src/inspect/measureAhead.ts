import { shortQuantity } from "../base/hex.ts";
import { isArray, isObject, type JsonValue } from "../base/json.ts";
import type { Clock } from "../base/ports.ts";
import type { BackgroundClient, Question } from "../gate/backgroundClient.ts";
import { noteAhead } from "../rpc/cadence.ts";
import { findBlock, headQuestion } from "../rpc/head.ts";
import type { Outcome } from "../rpc/outcome.ts";
import { resultOf } from "../rpc/outcome.ts";

/** Attempts to find a pending transaction. */
const fewAttempts = 4;
/** Attempts if there are such transactions, and to ask for one without a new block between the two questions. */
const manyAttempts = 12;
/** How often a guess must be seen: the block may have changed between the questions. */
const minGuesses = 2;
/** Milliseconds between two attempts. */
const pauseMs = 300;

/** `moved`: a block was sealed meanwhile. */
type Unfinished = "guess" | "unclear" | "moved";

/** Whether `pending` is pre-confirmed state, and how that is known. */
export interface AheadResult {
  readonly is: boolean;
  readonly guess?: boolean;
  /** A clause in plain text. */
  readonly why: string;
}

/**
 * Measures whether `pending` is ahead of `latest`, and remembers it. Pre-confirmed transactions have receipts before their
 * block is sealed; the transactions of a block that a node only guesses have none. Sends a few requests.
 *
 * @param isAhead - Whether state was seen at `pending` that was not at `latest`: then it is worth asking for longer.
 */
export async function measureAhead(
  client: BackgroundClient,
  clock: Clock,
  signal: AbortSignal,
  isAhead = false,
): Promise<AheadResult | undefined> {
  const maxUnclear = isAhead ? manyAttempts : fewAttempts;
  const seen = { guess: 0, unclear: 0, moved: 0 };
  while (seen.unclear < maxUnclear && seen.moved < manyAttempts) {
    const measured = await readBlocks(client, signal);
    if (signal.aborted) return undefined;
    if (typeof measured === "string") seen[measured]++;
    const result = typeof measured === "string" ? guess : measured;
    if (result !== guess || seen.guess >= minGuesses) {
      noteAhead(client.memory, { ...result, by: "observation", at: clock.date() });
      return result;
    }
    await clock.sleep(pauseMs, signal);
  }
  return undefined;
}

const guess: AheadResult = { is: false, guess: true, why: "its pending transactions have no receipts yet" };

async function readBlocks(client: BackgroundClient, signal: AbortSignal): Promise<AheadResult | Unfinished> {
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
  // the head last: a block may be sealed while a node executes the body
  const receipts = [...(await client.ask([...questions, headQuestion(client.memory)], signal))];
  const now = shortQuantity(resultOf(receipts.pop()));
  const blocks = receipts.flatMap((receipt) => blockOf(resultOf(receipt)) ?? []);
  if (now !== undefined && blocks.some((one) => one > now)) return hasReceipts;
  if (blocks.length > 0) return "moved";
  return receipts.every((receipt) => receipt.kind === "answered") ? "guess" : "unclear";
}

const hasReceipts: AheadResult = { is: true, why: "its pending transactions have receipts" };

/** Measures by the block numbers of receipts and logs, for endpoints that serve no blocks. */
async function withoutBlocks(client: BackgroundClient, signal: AbortSignal): Promise<AheadResult | Unfinished> {
  const ask = (questions: readonly Question[]) => client.ask(questions, signal);
  const before = (await findBlock(ask, client.memory, "latest")).facts?.number;
  const { facts, outcome } = await findBlock(ask, client.memory, "pending");
  if (before === undefined || outcome?.kind === "unreachable") return "unclear";
  if (facts) {
    if (facts.number <= before) return { is: false, why: `\`pending\` was of block ${facts.number}` };
    const after = (await findBlock(ask, client.memory, "latest")).facts?.number;
    if (after === undefined) return "unclear";
    return facts.number > after ? hasReceiptsOrLogs : "moved";
  }
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
