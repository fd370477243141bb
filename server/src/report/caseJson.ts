import { toQuantity } from "../base/hex.ts";
import type { JsonObject, JsonValue } from "../base/json.ts";
import { framePlace } from "./callFrames.ts";
import { actionText } from "./caseAction.ts";
import { type CaseFacts, hasSucceeded, isInBlock } from "./caseFacts.ts";
import { reasonOf, revertPathOf } from "./caseRevert.ts";
import { balanceChanges, valueMovements } from "./movements.ts";
import { feeWei } from "./receipts.ts";
import type { ViewContext } from "./view.ts";

/** Returns the same facts as the report, for machines. Amounts are quantities; a loss has a minus before it. */
export function caseJson(facts: CaseFacts, context: ViewContext): JsonObject {
  const { hash, transaction, receipt, trace, block, replacement, nonces, reread, gaps, life } = facts;
  if (!transaction && !receipt) return { hash, status: "unknown", ...placeJson(facts), gaps: gaps.map(gapJson) };
  const movements = valueMovements(facts, context.scope);
  const fee = receipt && feeWei(receipt);
  const found = replacement?.found;
  const reason = reasonOf(facts, context);
  return {
    hash,
    status: statusOf(facts),
    ...placeJson(facts),
    what: actionText(facts, movements, context),
    ...(reason !== undefined && {
      revert: {
        reason,
        ...(trace && { path: revertPathOf(facts).map((frame) => ({ path: framePlace(frame), to: frame.to ?? null })) }),
        ...(!trace && reread && { readAgainAt: toQuantity(reread.block), by: reread.method }),
      },
    }),
    movements: movements.map(({ amount, id, ...moved }) => ({
      ...moved,
      amount: toQuantity(amount),
      ...hex("id", id),
    })),
    balanceChanges: balanceChanges(facts, movements).map(({ change, id, ...changed }) => ({
      ...changed,
      change: signed(change),
      ...hex("id", id),
    })),
    ...(block && { block: toQuantity(block.number) }),
    gas: {
      ...present("used", receipt?.gasUsed),
      ...present("limit", transaction?.gas),
      ...present("price", receipt?.effectiveGasPrice),
      ...hex("fee", fee),
      ...present("l1Fee", receipt?.l1Fee),
    },
    ...present("nonce", transaction?.nonce),
    ...(nonces && { senderNonces: { ...hex("latest", nonces.latest), ...hex("pending", nonces.pending) } }),
    ...(replacement && { replacedBy: found ? { hash: found.hash, block: toQuantity(found.block) } : null }),
    life: life.map(({ name, how, at }) => ({ stage: name, how, ...present("at", at && Math.round(at)) })),
    gaps: gaps.map(gapJson),
  };
}

function statusOf(facts: CaseFacts): string {
  const isDone = hasSucceeded(facts);
  if (isDone !== undefined) return isDone ? "succeeded" : "reverted";
  if (isInBlock(facts)) return "in-block";
  return facts.replacement ? "replaced" : "pending";
}

function placeJson({ place: { endpoint, host, chainId, others } }: CaseFacts): JsonObject {
  return { endpoint, host, ...hex("chainId", chainId), otherEndpoints: others };
}

function signed(amount: bigint): string {
  return amount < 0n ? `-${toQuantity(-amount)}` : toQuantity(amount);
}

function present(name: string, value: JsonValue | undefined): JsonObject {
  return value === undefined || value === null ? {} : { [name]: value };
}

function hex(name: string, value: bigint | undefined): JsonObject {
  return present(name, value === undefined ? undefined : toQuantity(value));
}

function gapJson({ what, method, why }: CaseFacts["gaps"][number]): JsonObject {
  return { what, method, why };
}
