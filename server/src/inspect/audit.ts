import { toQuantity } from "../base/hex.ts";
import { isArray, isObject, type JsonObject } from "../base/json.ts";
import type { Clock } from "../base/ports.ts";
import type { BackgroundClient, Question } from "../gate/backgroundClient.ts";
import { headFrom } from "../gate/heads.ts";
import { headQuestion } from "../rpc/head.ts";
import { type Outcome, resultOf } from "../rpc/outcome.ts";
import type { SubscriptionEvent } from "../rpc/subscriptionEvents.ts";
import { itemsOf } from "../rpc/subscriptionEvents.ts";
import { AuditRing, blockOf, type Divergence, maxUnsealedBlocks } from "./auditRing.ts";

/** The result of an audit. Plain data. */
export interface Audit {
  /** Safe to show. */
  readonly endpoint: string;
  /** Host and port. */
  readonly host: string;
  /** How pre-confirmed state was followed. By receipts, extra transactions cannot be recognized. */
  readonly by: "subscription" | "receipts";
  /** Sealed blocks and transactions that were compared. */
  readonly blocks: number;
  readonly transactions: number;
  /** The last of those blocks. */
  readonly last: bigint | undefined;
  /** Transactions that were shown, and not sealed before the audit ended. */
  readonly open: number;
  /** The first divergences, in the order of the comparison. */
  readonly divergences: readonly Divergence[];
  /** Number of all divergences, by sort. */
  readonly counts: Readonly<Record<Divergence["sort"], number>>;
  /** How often the connection missed something, so that a block was left out. */
  readonly gaps: number;
  /** The reason why nothing could be compared, or nothing more. */
  readonly failure: Outcome | undefined;
}

export interface AuditSupport {
  readonly asker: BackgroundClient;
  /** At the endpoint's WebSocket; `undefined` if requests may not go there. */
  readonly socket: BackgroundClient | undefined;
  readonly clock: Clock;
  /** Called after each sealed block. */
  progress?(audit: Audit): void;
}

/** Divergences that are kept. Further ones are counted. */
const maxDivergences = 10_000;
/** Milliseconds between two questions for the head. */
const pollMs = 200;
/** Questions in a row that may fail: about five seconds. */
const maxFailures = 25;
/** Milliseconds after a new head in which the last notifications about its block may still arrive. */
const graceMs = 700;

/**
 * Compares what an endpoint shows as pre-confirmed with each sealed block, for a time, and then until everything shown in
 * that time is sealed.
 *
 * @param forMs - Milliseconds.
 */
export async function audit(support: AuditSupport, forMs: number, signal: AbortSignal): Promise<Audit> {
  const ended = new AbortController();
  const state = openState(support);
  const following = follow(support, state, AbortSignal.any([signal, ended.signal]));
  const until = support.clock.now() + forMs;
  const isOver = (): boolean => {
    if (support.clock.now() < until) return false;
    state.last ??= state.head === undefined ? undefined : state.head + 1n;
    const { last, next = 0n, ring } = state;
    return last === undefined || next > last + maxUnsealedBlocks || !ring.isOpenUpTo(last);
  };
  while (!signal.aborted && state.failure === undefined && !isOver()) {
    await poll(support, state, signal);
    await support.clock.sleep(pollMs, signal);
  }
  ended.abort();
  await following;
  count(state.ring.rest(), state);
  return auditOf(support, state);
}

interface State {
  readonly ring: AuditRing;
  readonly divergences: Divergence[];
  readonly counts: Record<Divergence["sort"], number>;
  by: Audit["by"];
  blocks: number;
  gaps: number;
  head: bigint | undefined;
  /** The sealed block to compare next. What was shown before it began is not known. */
  next: bigint | undefined;
  /** Blocks from this one on were followed from their beginning. */
  wholeFrom: bigint | undefined;
  /** When a head was seen first. */
  readonly seenAt: Map<bigint, number>;
  /** The block that was being built when the time was over. */
  last: bigint | undefined;
  /** How often in a row neither the head nor what is pending was answered, and a sealed block was not. */
  failures: number;
  unread: number;
  failure: Outcome | undefined;
  /** The last answer without receipts, if none came later. */
  refusal: Outcome | undefined;
}

function openState({ socket }: AuditSupport): State {
  return {
    ring: new AuditRing(),
    divergences: [],
    counts: { missing: 0, extra: 0, different: 0, late: 0 },
    by: socket ? "subscription" : "receipts",
    blocks: 0,
    gaps: 0,
    head: undefined,
    next: undefined,
    wholeFrom: undefined,
    seenAt: new Map(),
    last: undefined,
    failures: 0,
    unread: 0,
    failure: undefined,
    refusal: undefined,
  };
}

/** Follows pre-confirmed transactions until the signal aborts. Without a subscription, `poll` asks for receipts. */
async function follow({ socket }: AuditSupport, state: State, signal: AbortSignal): Promise<void> {
  const subscription = socket?.subscribe?.(["newFlashblockTransactions", true], signal);
  if (!subscription) return;
  for (let events = await subscription.next(); events.length > 0; events = await subscription.next())
    for (const event of events) take(event, state);
  if (!signal.aborted) state.by = "receipts"; // it is not served
}

function take(event: SubscriptionEvent, state: State): void {
  switch (event.kind) {
    case "row":
      for (const item of itemsOf("newFlashblockTransactions", event.value)) if (isObject(item)) showItem(item, state);
      return;
    case "open":
      return;
    case "lost":
    case "dropped":
    case "unreadable":
    case "back":
      state.gaps++;
      state.ring.forget();
      [state.next, state.wholeFrom] = [undefined, undefined];
      return;
    case "end":
      return;
  }
}

/** A transaction or receipt of the block that is being built. */
function showItem(item: JsonObject, state: State): void {
  const hash = item.hash ?? item.transactionHash;
  const block = blockOf(item) ?? (state.head === undefined ? undefined : state.head + 1n);
  if (typeof hash === "string" && block !== undefined) state.ring.show(hash, block, item);
}

/** Reads the head, pending receipts without a subscription, and each block that can be compared now. */
async function poll(support: AuditSupport, state: State, signal: AbortSignal): Promise<void> {
  const { asker: client, clock } = support;
  const [outcome] = await client.ask([headQuestion(client.memory)], signal);
  const head = await headFrom(outcome, client, signal);
  const pending = state.by === "receipts" ? await blockReceipts(client, "pending", signal) : [];
  if (signal.aborted) return;
  state.refusal = isReceipts(pending) ? undefined : pending;
  if (head === undefined || !isReceipts(pending)) {
    if (++state.failures >= maxFailures) state.failure = head === undefined || isReceipts(pending) ? outcome : pending;
    return;
  }
  state.failures = 0;
  for (const receipt of pending) if ((blockOf(receipt) ?? 0n) > head) showItem(receipt, state);
  if (state.head === undefined || head > state.head) state.seenAt.set(head, clock.now());
  state.head = state.head === undefined || head > state.head ? head : state.head;
  state.next ??= head + 1n;
  state.wholeFrom ??= head + 2n; // the block that is being built had begun before
  await compareSealed(support, state, signal);
}

async function compareSealed(support: AuditSupport, state: State, signal: AbortSignal): Promise<void> {
  const { asker: client, clock, progress } = support;
  for (const [number, seenAt] of state.seenAt) {
    if (clock.now() - seenAt < graceMs) return;
    while (state.next !== undefined && state.next <= number) {
      const sealed = state.next;
      const receipts = await blockReceipts(client, toQuantity(sealed), signal);
      if (signal.aborted || state.next !== sealed) return;
      if (!isReceipts(receipts)) {
        if (++state.unread >= maxFailures) state.failure = receipts;
        return;
      }
      state.unread = 0;
      const isWhole = state.by === "subscription" && state.wholeFrom !== undefined && sealed >= state.wholeFrom;
      count(state.ring.seal(sealed, receipts, isWhole), state);
      state.blocks++;
      state.next = sealed + 1n;
      progress?.(auditOf(support, state));
    }
    state.seenAt.delete(number);
  }
}

function count(found: readonly Divergence[], { counts, divergences }: State): void {
  for (const divergence of found) {
    counts[divergence.sort]++;
    if (divergences.length < maxDivergences) divergences.push(divergence);
  }
}

function auditOf({ asker: client }: AuditSupport, state: State): Audit {
  const { name, host } = client.endpoint;
  const { ring, divergences, counts, by, blocks, gaps, next, failure } = state;
  return {
    endpoint: name,
    host,
    by,
    blocks,
    transactions: ring.compared,
    last: blocks === 0 || next === undefined ? undefined : next - 1n,
    open: ring.open,
    divergences: [...divergences],
    counts: { ...counts },
    gaps,
    failure: failure ?? (blocks === 0 ? state.refusal : undefined),
  };
}

/** The receipts of a block, or the outcome that says why there are none. */
type Receipts = readonly JsonObject[] | Outcome;

/** Receipts in one batch. */
const maxInBatch = 100;

/**
 * Reads the receipts of a block, one by one if the endpoint refuses `eth_getBlockReceipts`.
 *
 * @param block - A tag, or a number as a quantity.
 */
async function blockReceipts(client: BackgroundClient, block: string, signal: AbortSignal): Promise<Receipts> {
  if (!client.memory.refusesReceipts) {
    const [outcome] = await client.ask([{ method: "eth_getBlockReceipts", params: [block] }], signal);
    const receipts = resultOf(outcome);
    if (outcome === undefined || isArray(receipts)) return isArray(receipts) ? receipts.filter(isObject) : [];
    const isRefused = outcome.kind === "refused" && /^(?:unknown-method|not-allowed)$/.test(outcome.reason);
    if (!isRefused) return outcome;
    client.memory.refusesReceipts = true;
  }
  const [outcome] = await client.ask([{ method: "eth_getBlockByNumber", params: [block, false] }], signal);
  const header = resultOf(outcome);
  if (!isObject(header) || !isArray(header.transactions)) return outcome ?? [];
  const questions = header.transactions.map(
    (hash): Question => ({ method: "eth_getTransactionReceipt", params: [hash] }),
  );
  const receipts: JsonObject[] = [];
  for (let at = 0; at < questions.length; at += maxInBatch) {
    const outcomes = await client.ask(questions.slice(at, at + maxInBatch), signal);
    const refused = outcomes.find(({ kind }) => kind !== "answered");
    if (refused) return refused;
    receipts.push(...outcomes.map(resultOf).filter(isObject));
  }
  return receipts;
}

function isReceipts(result: Receipts): result is readonly JsonObject[] {
  return !("kind" in result);
}
