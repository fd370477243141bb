import type { Span } from "../base/span.ts";
import type { Effect } from "../catalog/spec.ts";

/** A mistake in a request as a whole: its text, method, parameters or fields. */
export type RequestProblem =
  | TooDeep
  | MissingMethod
  | UnknownMember
  | DuplicateKey
  | UnknownMethod
  | NamedParams
  | MissingParam
  | MissingBlock
  | ExtraParam
  | SwappedParams
  | UnknownField
  | MissingField
  | ExclusiveFields
  | TooManyItems
  | FilterWithoutCriterion
  | NotAhead
  | InvertedRange
  | LogRangeOverLimit
  | RefusedMethod
  | SigningMethod;

interface At {
  readonly span: Span;
}

/** Brackets nest so deep that nothing of the cell is read. */
export interface TooDeep extends At {
  readonly code: "too-deep";
  readonly isJson: boolean;
}

export interface MissingMethod extends At {
  readonly code: "missing-method";
}

/** A member beside `method` that is neither JSON-RPC nor a directive; also in a header. */
export interface UnknownMember extends At {
  readonly code: "unknown-member";
  readonly name: string;
  readonly nearest: readonly string[];
}

export interface DuplicateKey extends At {
  readonly code: "duplicate-key";
  readonly name: string;
  /** It goes over the wire, so the request is not sent. */
  readonly sent: boolean;
}

export interface UnknownMethod extends At {
  readonly code: "unknown-method";
  readonly name: string;
  readonly nearest: readonly string[];
  /** One slip of a finger away from the nearest name; else it may well be a method of one node's own. */
  readonly slip: boolean;
}

/** `params` is an object. */
export interface NamedParams extends At {
  readonly code: "named-params";
  readonly method: string;
}

export interface MissingParam extends At {
  readonly code: "missing-param";
  readonly method: string;
  readonly name: string;
  /** From 0. */
  readonly position: number;
  /** A reason to write it although some nodes do without; `undefined` for one that all of them require. */
  readonly advised: string | undefined;
}

export interface MissingBlock extends At {
  readonly code: "missing-block";
  readonly method: string;
  /** The value that nodes assume. */
  readonly assumed: string | undefined;
  readonly why: string | undefined;
}

export interface ExtraParam extends At {
  readonly code: "extra-param";
  readonly method: string;
  /** Parameters that the method takes. */
  readonly takes: number;
  /** All of them are `null`, which some nodes pass over. */
  readonly empty: boolean;
  /** The value of the first parameter that they do not belong to. */
  readonly kind?: string;
}

/** Two parameters side by side, each of which is right in the place of the other. */
export interface SwappedParams extends At {
  readonly code: "swapped-params";
  readonly method: string;
  /** The names in their expected order. */
  readonly names: readonly [string, string];
}

export interface UnknownField extends At {
  readonly code: "unknown-field";
  readonly name: string;
  readonly nearest: readonly string[];
}

export interface MissingField extends At {
  readonly code: "missing-field";
  /** Any one of them will do. */
  readonly names: readonly string[];
  readonly why: string | undefined;
  /** Nodes let it pass. */
  readonly advice: boolean;
}

export interface ExclusiveFields extends At {
  readonly code: "exclusive-fields";
  readonly names: readonly string[];
  readonly why: string;
  readonly advice: boolean;
}

export interface TooManyItems extends At {
  readonly code: "too-many-items";
  readonly name: string;
  readonly most: number;
  readonly found: number;
}

export interface FilterWithoutCriterion extends At {
  readonly code: "filter-without-criterion";
  readonly why: string;
}

/** The request asks for pre-confirmed state on an endpoint without it. */
export interface NotAhead extends At {
  readonly code: "not-ahead";
  /** A tag or a kind of subscription. */
  readonly text: string;
  /** The value to use instead. */
  readonly instead: string;
  readonly endpoint: string;
  /** How it is known; a clause. */
  readonly why: string;
}

/** `fromBlock` is after `toBlock`. */
export interface InvertedRange extends At {
  readonly code: "inverted-range";
  /** It is whatever blocks the tags name by then. */
  readonly sure: boolean;
  /** `fromBlock` is not written. */
  readonly assumed: boolean;
}

export interface LogRangeOverLimit extends At {
  readonly code: "log-range-over-limit";
  /** toBlock − fromBlock; the least that it can be if it ends at a tag. */
  readonly range: bigint;
  readonly atLeast: boolean;
  readonly limit: bigint;
  /** The endpoint that has the limit; `undefined` if nothing is known and the usual limit is assumed. */
  readonly endpoint: string | undefined;
  /** A run asks for it in parts by itself. */
  readonly splits: boolean;
}

export interface RefusedMethod extends At {
  readonly code: "refused-method";
  readonly method: string;
  readonly endpoint: string;
}

/** The method signs, broadcasts or changes the node, which a run asks about first. */
export interface SigningMethod extends At {
  readonly code: "signing-method";
  readonly method: string;
  readonly effect: Effect;
}

/** A mistake in a single value. */
export type ValueProblem =
  | WrongType
  | BadQuantity
  | BadHex
  | BadBlock
  | UnknownValue
  | BadChecksum
  | SamplePlaceholder
  | DecimalNumber;

export interface WrongType extends At {
  readonly code: "wrong-type";
  /** The expected value: "an object", "an address". */
  readonly expected: string;
  /** The value found: "a number". */
  readonly found: string;
}

export interface BadQuantity extends At {
  readonly code: "bad-quantity";
  readonly why:
    | "empty"
    | "leading-zeros"
    | "decimal"
    | "negative"
    | "no-prefix"
    | "not-hex"
    | "too-large"
    | "milliseconds";
  readonly text: string;
  readonly bits: number;
  /** The quantity that was probably meant. */
  readonly meant: string | undefined;
}

export interface BadHex extends At {
  readonly code: "bad-hex";
  readonly why: "no-prefix" | "not-hex" | "odd" | "length" | "too-long";
  /** The expected value: "an address". */
  readonly expected: string;
  /** Hex digits that are there. */
  readonly digits: number;
  /** Hex digits that must or may be there. */
  readonly expectedDigits: number | undefined;
}

export interface BadBlock extends At {
  readonly code: "bad-block";
  readonly text: string;
  /** The method takes a block's hash as well. */
  readonly takesHash: boolean;
  /** A string of decimal digits, which some nodes read. */
  readonly decimal: boolean;
  readonly meant: string | undefined;
  readonly nearest: readonly string[];
}

/** A string that is none of those allowed. */
export interface UnknownValue extends At {
  readonly code: "unknown-value";
  readonly text: string;
  readonly allowed: readonly string[];
}

/** An address in mixed case whose letters do not carry its checksum (EIP-55). */
export interface BadChecksum extends At {
  readonly code: "bad-checksum";
  readonly right: string;
}

/** A sample value, which documentation and scripts use for a value to be replaced: `0x…`, `<address>`, `$NONCE`. */
export interface SamplePlaceholder extends At {
  readonly code: "sample-placeholder";
  readonly text: string;
}

/** A decimal where the wire has hexadecimal: it is right, and this is what is sent. */
export interface DecimalNumber extends At {
  readonly code: "decimal-number";
  /** The value as JSON. */
  readonly wire: string;
}
