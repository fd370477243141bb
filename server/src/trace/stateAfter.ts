import { quantity, toQuantity } from "../base/hex.ts";
import { grouped } from "../base/units.ts";
import { explain } from "../rpc/explain.ts";
import type { AskAll, BlockQuestion } from "../rpc/head.ts";
import { type Outcome, resultOf } from "../rpc/outcome.ts";
import { bulkQuestion, readBulk, type Wanted } from "./bulkState.ts";
import type { Difference } from "./difference.ts";
import type { Touched, TouchedAccount } from "./task.ts";

/** A value as it was computed, and the question for it. */
interface ValueAfter {
  /** A noun: `balance of 0x…`. */
  readonly what: string;
  readonly here: bigint | string;
  readonly question: BlockQuestion;
}

/** How many values are equal; or one that differs, or why they cannot be read. */
export type AfterVerdict = number | Difference | { readonly why: string };

/** How the values are read. */
export interface AfterSource {
  readonly ask: AskAll;
  /** The number of the block at whose end they are read, as a quantity. */
  readonly block: string;
  /** Questions for the same message. */
  readonly beside: readonly BlockQuestion[];
  isBulkBetter(requests: number): boolean;
}

/**
 * Compares every value that the transactions of a block read or wrote with what the endpoint has after it: what was only read is
 * as before. Read by one simulation, nonces are left out, which code cannot read.
 */
export async function compareAfter(
  touched: Touched,
  source: AfterSource,
): Promise<{ readonly verdict: AfterVerdict; readonly others: readonly Outcome[] }> {
  const { ask, block, beside } = source;
  const values = valuesOf(touched, block);
  const isBulk = source.isBulkBetter(values.length);
  const wanted = { accounts: touched.accounts.map(({ address }) => address), slots: touched.slots };
  const outcomes = await ask([
    ...beside,
    ...(isBulk ? [bulkQuestion(wanted, block)] : values.map(({ question }) => question)),
  ]);
  const [others, own] = [outcomes.slice(0, beside.length), outcomes.slice(beside.length)];
  if (!isBulk) return { verdict: singleVerdict(values, own), others };
  const verdict = bulkVerdict(touched, wanted, own[0]);
  return { verdict: verdict ?? singleVerdict(values, await ask(values.map(({ question }) => question))), others };
}

function valuesOf({ accounts, slots }: Touched, block: string): readonly ValueAfter[] {
  return [
    ...accounts.flatMap(({ address, balance, nonce, code }) => [
      { what: `balance of ${address}`, here: balance, question: asking("eth_getBalance", address) },
      ...(nonce === undefined
        ? []
        : [{ what: `nonce of ${address}`, here: nonce, question: asking("eth_getTransactionCount", address) }]),
      ...(code === undefined
        ? []
        : [{ what: `code of ${address}`, here: code, question: asking("eth_getCode", address) }]),
    ]),
    ...slots.map(({ address, slot, word }) => ({
      what: slotName(address, slot),
      here: BigInt(word),
      question: asking("eth_getStorageAt", address, slot),
    })),
  ];
  function asking(method: string, ...params: readonly string[]): BlockQuestion {
    return { method, params: [...params, block] };
  }
}

export function slotName(address: string, slot: string): string {
  return `word of storage ${toQuantity(BigInt(slot))} of ${address}`;
}

function singleVerdict(values: readonly ValueAfter[], outcomes: readonly Outcome[]): AfterVerdict {
  for (const [at, { what, here, question }] of values.entries()) {
    const outcome = outcomes[at];
    const value = resultOf(outcome);
    const there = typeof here === "string" ? codeIn(value) : quantity(value);
    if (there === undefined)
      return {
        why:
          outcome && outcome.kind !== "answered"
            ? explain(outcome, question.method).what
            : `The answer to \`${question.method}\` is not what it should be.`,
      };
    if (there !== here) return differing(what, here, there);
  }
  return values.length;
}

function codeIn(value: unknown): string | undefined {
  return typeof value === "string" && /^0x[0-9a-f]*$/i.test(value) ? value.toLowerCase() : undefined;
}

/** @returns `undefined` if the endpoint did not run the simulation. */
function bulkVerdict(
  { accounts, slots }: Touched,
  wanted: Wanted,
  outcome: Outcome | undefined,
): AfterVerdict | undefined {
  const read = readBulk(wanted, resultOf(outcome));
  if (!read) return undefined;
  const pairs = [
    ...accounts.flatMap((account, at) => accountPairs(account, read.accounts[at])),
    ...slots.map(
      ({ address, slot, word }, at) =>
        [slotName(address, slot), BigInt(word), BigInt(read.words[at] ?? "0x0")] as const,
    ),
  ];
  for (const [what, here, there] of pairs) if (here !== there) return differing(what, here, there);
  return pairs.length;
}

function accountPairs(
  { address, balance, code }: TouchedAccount,
  read: { readonly balance: bigint; readonly code: string } | undefined,
): readonly (readonly [string, bigint | string, bigint | string])[] {
  return [
    [`balance of ${address}`, balance, read?.balance ?? 0n],
    ...(code === undefined ? [] : [[`code of ${address}`, code, read?.code ?? ""] as const]),
  ];
}

function differing(what: string, here: bigint | string, there: bigint | string): Difference {
  const text = (value: bigint | string): string => (typeof value === "string" ? value : grouped(value));
  return { what: `${what} after the block`, here: text(here), there: text(there) };
}
