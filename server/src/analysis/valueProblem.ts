import type { Span } from "../base/span.ts";

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

interface At {
  readonly span: Span;
}

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
