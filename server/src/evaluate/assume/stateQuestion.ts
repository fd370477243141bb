import { type JsonValue, printJson } from "../../base/json.ts";

/** A fact about the chain or the endpoint that an assumption needs before it can be sent. */
export type StateQuestion = SlotQuestion | BlockTimeQuestion | OverrideQuestion | WordQuestion;

/** Where a token keeps the balance of a holder, or what an owner lets a spender spend. */
export interface SlotQuestion {
  readonly kind: "balance" | "allowance";
  /** In lower case. */
  readonly token: string;
  /** The holder, or the owner and the spender; in lower case. */
  readonly accounts: readonly [string] | readonly [string, string];
  /** The block that the request names, since contracts and the rest of the word differ between blocks. */
  readonly block: JsonValue;
}

export interface BlockTimeQuestion {
  readonly kind: "time";
  readonly block: JsonValue;
}

/** Whether a method of the endpoint takes overrides: some ignore them without a word. */
export interface OverrideQuestion {
  readonly kind: "overrides";
  readonly of: "state" | "block";
  readonly by: "eth_call" | "eth_estimateGas" | "eth_simulateV1";
}

/** What a word of storage holds, of which only some bits are assumed. */
export interface WordQuestion {
  readonly kind: "word";
  readonly address: string;
  readonly slot: string;
  readonly block: JsonValue;
}

/** The decimals of a token: `undefined` if its contract has no `decimals`, `"unclear"` if the answer is not a number of them. */
export type Decimals = number | "unclear" | undefined;

export type StateAnswer =
  | {
      readonly kind: "slot";
      readonly slot: TokenSlot;
      readonly decimals: Decimals;
    }
  /** Seconds since 1970. */
  | { readonly kind: "seconds"; readonly seconds: bigint }
  | { readonly kind: "word"; readonly word: bigint }
  /** @remarks `timeAs` is the name of the time among block overrides. Without it, the name is `time`. */
  | { readonly kind: "yes"; readonly timeAs?: "timestamp" }
  /** @remarks `why` is a clause. */
  | { readonly kind: "no"; readonly why: string };

/** The bits of a word that a number has. */
export interface BitField {
  /** Bits below the number. */
  readonly shift: number;
  readonly bits: number;
}

/** The place of a number in storage. The other bits of its word stay as they are. */
export interface TokenSlot extends BitField {
  /** The contract whose storage it is in, which is not always the token. */
  readonly address: string;
  readonly slot: bigint;
  /** What the word holds at the block. */
  readonly word: bigint;
}

/** Answers the questions whose answers are known. */
export type KnownState = (question: StateQuestion) => StateAnswer | undefined;

/** Equal for questions with the same answer. */
export function questionKey(question: StateQuestion): string {
  switch (question.kind) {
    case "balance":
    case "allowance":
      return [question.kind, question.token, ...question.accounts, printJson(question.block)].join(" ");
    case "time":
      return `time ${printJson(question.block)}`;
    case "word":
      return `word ${question.address} ${question.slot} ${printJson(question.block)}`;
    case "overrides":
      return `overrides ${question.of} ${question.by}`;
  }
}
