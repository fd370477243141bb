import type { PaymentFacts } from "../abi/paymentCall.ts";
import type { OwnDomain } from "../abi/paymentMessage.ts";
import type { SearchedSignature, SignedChange } from "../abi/paymentSearch.ts";
import type { ReadSignature } from "../abi/paymentSignature.ts";

/** A payment by signature that failed, and everything that was found out about it. Text of the token is hostile. */
export interface ExplainedPayment {
  /** The call's place in a simulation: the entry of `blockStateCalls` and the call in it. */
  readonly place: { readonly entry: number; readonly call: number } | undefined;
  readonly facts: PaymentFacts;
  readonly own: OwnDomain | undefined;
  readonly signature: ReadSignature;
  readonly searched: SearchedSignature;
  /** The answer of the contract that signs; `undefined` if it was not asked. */
  readonly acceptance: Acceptance | undefined;
  /** How an authorization ended that cannot be used again. */
  readonly ending: "used" | "cancelled" | undefined;
  readonly revertData: string | undefined;
  readonly message: string;
}

export interface Acceptance {
  /** `undefined`: the contract did not answer. */
  readonly isAccepted: boolean | undefined;
  /** What it was signed for in place of the token's own domain. */
  readonly changes: readonly SignedChange[] | undefined;
}

export type CauseTopic =
  | "caller"
  | "paused"
  | "blocked"
  | "time"
  | "nonce"
  | "signature"
  | "payee"
  | "balance"
  | "token";

/** One reason why a token refuses a payment. All text is safe to show. */
export interface PaymentCause {
  readonly topic: CauseTopic;
  /** `domain.name`, `nonce used`: the same for all tokens. */
  readonly code: string;
  /** A sentence. */
  readonly what: string;
  readonly todo: string;
  /** What to change: an argument, or a member of what is signed. */
  readonly field: string;
  /** Arguments of the call where it is written. */
  readonly args: readonly string[];
  /** The value for the only argument of `args`, as JSON. */
  readonly fix?: { readonly label: string; readonly json: string };
  /** It is a reason for some tokens only. */
  readonly isUnsure?: true;
}

/** A cause whose field is an argument of the call, or `call.from` and `call.to`. */
export function causeAt(arg: string, topic: CauseTopic, code: string, what: string, todo: string): PaymentCause {
  const field = arg.replace(/^call\.(\w+)$/, "the call's `$1`");
  return { topic, code, what, todo, field, args: [arg] };
}

/** A permit with another nonce than the next. */
export function permitNonceCause(signed: bigint, next: bigint, args: readonly string[]): PaymentCause {
  const [word, todo] =
    signed < next
      ? ["low", `Sign again with nonce ${next}.`]
      : ["high", "Send the permits before it first, or sign again."];
  const what = `Signed with nonce ${signed}; the owner's next is ${next}, so the nonce is too ${word}.`;
  return { ...causeAt("nonce", "nonce", `nonce too ${word}`, what, todo), args };
}
