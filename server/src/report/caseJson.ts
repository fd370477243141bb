import { toQuantity } from "../base/hex.ts";
import type { JsonObject, JsonValue } from "../base/json.ts";
import { framePlace } from "./callFrames.ts";
import { actionText } from "./caseAction.ts";
import { type CaseFacts, hasSucceeded, isInBlock, type Stage } from "./caseFacts.ts";
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
      ...(id !== undefined && { id: toQuantity(id) }),
    })),
    balanceChanges: balanceChanges(facts, movements).map(({ change, id, ...changed }) => ({
      ...changed,
      change: signed(change),
      ...(id !== undefined && { id: toQuantity(id) }),
    })),
    ...(block && { block: toQuantity(block.number) }),
    gas: {
      ...present("used", receipt?.gasUsed),
      ...present("limit", transaction?.gas),
      ...present("price", receipt?.effectiveGasPrice),
      ...(fee !== undefined && { fee: toQuantity(fee) }),
      ...present("l1Fee", receipt?.l1Fee),
    },
    ...present("nonce", transaction?.nonce),
    ...(nonces && { senderNonces: nonceJson(nonces) }),
    ...(replacement && { replacedBy: replacement.found ? foundJson(replacement.found) : null }),
    life: life.map(stageJson),
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
  return { endpoint, host, ...(chainId !== undefined && { chainId: toQuantity(chainId) }), otherEndpoints: others };
}

function signed(amount: bigint): string {
  return amount < 0n ? `-${toQuantity(-amount)}` : toQuantity(amount);
}

function present(name: string, value: JsonValue | undefined): JsonObject {
  return value === undefined || value === null ? {} : { [name]: value };
}

function nonceJson({ latest, pending }: NonNullable<CaseFacts["nonces"]>): JsonObject {
  return {
    ...(latest !== undefined && { latest: toQuantity(latest) }),
    ...(pending !== undefined && { pending: toQuantity(pending) }),
  };
}

function foundJson({ hash, block }: { readonly hash: string; readonly block: bigint }): JsonObject {
  return { hash, block: toQuantity(block) };
}

function stageJson({ name, how, at }: Stage): JsonObject {
  return { stage: name, how, ...(at !== undefined && { at: Math.round(at) }) };
}

function gapJson({ what, method, why }: CaseFacts["gaps"][number]): JsonObject {
  return { what, method, why };
}
