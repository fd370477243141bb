import type { PaymentCause } from "./explainedPayment.ts";

/** A permit with another nonce than the next. */
export function permitNonceCause(signed: bigint, next: bigint, args: readonly string[]): PaymentCause {
  const isLow = signed < next;
  return {
    topic: "nonce",
    code: isLow ? "nonce too low" : "nonce too high",
    what: `Signed with nonce ${signed}; the owner's next is ${next}, so the nonce is too ${isLow ? "low" : "high"}.`,
    todo: isLow ? `Sign again with nonce ${next}.` : "Send the permits before it first, or sign again.",
    field: "nonce",
    args,
  };
}
