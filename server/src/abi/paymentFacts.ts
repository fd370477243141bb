import type { Hex } from "../base/hex.ts";
import type { PaymentCall } from "./paymentCall.ts";

/** What separates signatures for one contract from those for others; a member that is absent is not part of it (EIP-712). */
export interface SigningDomain {
  readonly name?: string | undefined;
  readonly version?: string | undefined;
  readonly chainId?: bigint | undefined;
  readonly verifyingContract?: Hex | undefined;
  readonly salt?: Hex | undefined;
}

/** What the token says at the state in which a payment failed; `undefined`: it does not say. Text of it is hostile. */
export interface TokenFacts {
  readonly name: string | undefined;
  readonly symbol: string | undefined;
  readonly version: string | undefined;
  readonly decimals: number | undefined;
  /** EIP-5267. */
  readonly domain: SigningDomain | undefined;
  readonly separator: Hex | undefined;
  /** The contract whose code it runs (EIP-1967). */
  readonly implementation: Hex | undefined;
  /** EIP-3009: the authorization is used or cancelled. */
  readonly isUsed: boolean | undefined;
  /** The same after the block of a transaction that failed. */
  readonly isUsedInBlock: boolean;
  /** It knows neither a domain separator nor nonces. */
  readonly isSilent: boolean;
  /** EIP-2612: the nonce that the next permit needs. */
  readonly nonce: bigint | undefined;
  readonly balance: bigint | undefined;
  readonly isPaused: boolean;
  /** Accounts of the call that it has blocked, by the name of the argument. */
  readonly blocked: readonly string[];
}

/** Everything that is known about a payment that failed. */
export interface PaymentFacts {
  readonly payment: PaymentCall;
  readonly token: Hex;
  /** The account that calls the token. */
  readonly caller: Hex | undefined;
  /** Seconds since 1970, of the block. */
  readonly time: bigint | undefined;
  readonly block: bigint | undefined;
  readonly chainId: bigint | undefined;
  readonly tokenFacts: TokenFacts;
  /** The code of the account that must have signed. */
  readonly code: Hex | undefined;
}
