import { toQuantity } from "../base/hex.ts";
import type { Question } from "../gate/backgroundClient.ts";
import type { Outcome } from "../rpc/outcome.ts";
import { unusedAddress } from "./observer.ts";

/**
 * Returns calls that succeed only if a sender can pay a value: the balance at `latest`, and one wei more. For nodes that
 * accept neither overrides nor a call without `to`.
 *
 * @param balance - Wei.
 */
export function paymentQuestions(sender: string, balance: bigint, tag: string): readonly Question[] {
  return [balance, balance + 1n].map((value) => ({
    method: "eth_call",
    params: [{ from: sender, to: unusedAddress, value: toQuantity(value) }, tag],
  }));
}

/**
 * Whether the sender can pay another amount at `pending` than at `latest`.
 *
 * @returns `undefined` if the node does not check the value against the balance, or answers something else.
 */
export function paysDifferently(
  pending: readonly (Outcome | undefined)[],
  latest: readonly (Outcome | undefined)[],
): boolean | undefined {
  const [all, more] = latest.map(canPay);
  if (all !== true || more !== false) return undefined;
  const [allThen, moreThen] = pending.map(canPay);
  if (allThen === undefined || moreThen === undefined) return undefined;
  return !allThen || moreThen;
}

function canPay(outcome: Outcome | undefined): boolean | undefined {
  if (outcome?.kind === "answered") return true;
  return outcome?.kind === "refused" && outcome.reason === "tx-rejected" ? false : undefined;
}
