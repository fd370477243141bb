import type { Span } from "../base/span.ts";
import type { Effect } from "../catalog/spec.ts";
import type { HostSource } from "../endpoints/hostValue.ts";
import type { EndpointProblemCode } from "../endpoints/problem.ts";
import type { ReadableProblem } from "../evaluate/readableProblem.ts";
import type { SyntaxFault } from "../notebook/cell.ts";
import type { FileFault } from "../notebook/scan.ts";

/** A mistake in a cell: what is wrong and where. Message, severity and link derive from the code. */
export type Problem =
  | SyntaxFault
  | FileFault
  | TooDeep
  | MissingMethod
  | UnknownMember
  | DuplicateKey
  | UnknownMethod
  | NamedParams
  | MissingParam
  | MissingBlock
  | ExtraParam
  | WrongType
  | BadQuantity
  | BadHex
  | BadBlock
  | UnknownValue
  | UnknownField
  | MissingField
  | ExclusiveFields
  | TooManyItems
  | FilterWithoutCriterion
  | InvertedRange
  | LogRangeOverLimit
  | DuplicateName
  | UnresolvedPlaceholder
  | ReferenceCycle
  | RefusedMethod
  | NotAhead
  | UnknownEndpoint
  | UnusableEndpoint
  | BidiCharacter
  | BadChecksum
  | SigningMethod
  | SecretInFile
  | UnsetValue
  | SamplePlaceholder
  | SwappedParams
  | UnfilledPlaceholder
  | BadPath
  | UnknownPath
  | UnknownOperator
  | BadOperand
  | BadWithin
  | BadOpenrpc
  | BadAbi
  | UnreadAbi
  | ReadableProblem
  | DecimalNumber;

export type ProblemCode = Problem["code"];

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
  /** Why to write it although some nodes do without; `undefined` for one that all of them require. */
  readonly advised: string | undefined;
}

export interface MissingBlock extends At {
  readonly code: "missing-block";
  readonly method: string;
  /** What nodes assume. */
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
}

export interface WrongType extends At {
  readonly code: "wrong-type";
  /** What is due: "an object", "an address". */
  readonly expected: string;
  /** What is there: "a number". */
  readonly found: string;
}

export interface BadQuantity extends At {
  readonly code: "bad-quantity";
  readonly why: "empty" | "leading-zeros" | "decimal" | "negative" | "no-prefix" | "not-hex" | "too-large";
  readonly text: string;
  readonly bits: number;
  /** The quantity that was probably meant. */
  readonly meant: string | undefined;
}

export interface BadHex extends At {
  readonly code: "bad-hex";
  readonly why: "no-prefix" | "not-hex" | "odd" | "length" | "too-long";
  /** What is due: "an address". */
  readonly expected: string;
  /** Hex digits that are there. */
  readonly digits: number;
  /** Hex digits that must or may be there. */
  readonly due: number | undefined;
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

/** It asks for pre-confirmed state where there is none. */
export interface NotAhead extends At {
  readonly code: "not-ahead";
  /** A tag or a kind of subscription. */
  readonly text: string;
  /** What to ask for. */
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
  /** Whose limit it is; `undefined` where nothing is known and the usual one is assumed. */
  readonly endpoint: string | undefined;
  /** A run asks for it in parts by itself. */
  readonly splits: boolean;
}

export interface DuplicateName extends At {
  readonly code: "duplicate-name";
  readonly name: string;
  readonly taken: "cell" | "variable";
}

export interface UnresolvedPlaceholder extends At {
  readonly code: "unresolved-placeholder";
  /** As written, without the braces. */
  readonly path: string;
  readonly name: string;
  readonly nearest: readonly string[];
}

export interface ReferenceCycle extends At {
  readonly code: "reference-cycle";
  /** Names on the way round, the first one again at the end. */
  readonly names: readonly string[];
}

export interface RefusedMethod extends At {
  readonly code: "refused-method";
  readonly method: string;
  readonly endpoint: string;
}

export interface UnknownEndpoint extends At {
  readonly code: "unknown-endpoint";
  readonly name: string;
  readonly nearest: readonly string[];
}

/** It is configured, but not so that requests could go there from this machine. */
export interface UnusableEndpoint extends At {
  readonly code: "unusable-endpoint";
  readonly name: string;
  /** Where it is configured. */
  readonly origin: string;
  /** A clause. */
  readonly what: string;
}

/** A character that nobody sees and that can reorder what they read. */
export interface BidiCharacter extends At {
  readonly code: "bidi-character";
  /** `U+202E`. */
  readonly character: string;
}

/** An address in mixed case whose letters do not carry its checksum (EIP-55). */
export interface BadChecksum extends At {
  readonly code: "bad-checksum";
  readonly right: string;
}

/** The method signs, broadcasts or changes the node, which a run asks about first. */
export interface SigningMethod extends At {
  readonly code: "signing-method";
  readonly method: string;
  readonly effect: Effect;
}

/** A value of the host that a request takes and that is not set here. */
export interface UnsetValue extends At {
  readonly code: "unset-value";
  readonly source: HostSource;
  readonly name: string;
  readonly nearest: readonly string[];
}

export interface SecretInFile extends At {
  readonly code: "secret-in-file";
  readonly what: "private-key" | "mnemonic" | "url" | "authorization" | "secret";
}

/** What documentation and scripts write where something of one's own is to be filled in: `0x…`, `<address>`, `$NONCE`. */
export interface SamplePlaceholder extends At {
  readonly code: "sample-placeholder";
  readonly text: string;
}

/** Two parameters side by side, each of which is right in the place of the other. */
export interface SwappedParams extends At {
  readonly code: "swapped-params";
  readonly method: string;
  /** As they should stand. */
  readonly names: readonly [string, string];
}

/** A placeholder where none is filled. */
export interface UnfilledPlaceholder extends At {
  readonly code: "unfilled-placeholder";
  /** With its braces. */
  readonly text: string;
  /** The member that it stands in. */
  readonly member: string;
}

/** A path of `expect` or of a placeholder that can reach nothing. */
export interface BadPath extends At {
  readonly code: "bad-path";
  /** `operator`: an operator stands where a path is due. */
  readonly why: "no-path" | "no-step" | "first-step" | "operator";
  readonly path: string;
  /** The path that was probably meant. */
  readonly meant: string | undefined;
}

/** A step of a path that leads nowhere, by the catalogue or by what came last. */
export interface UnknownPath extends At {
  readonly code: "unknown-path";
  /** The path up to it. */
  readonly until: string;
  readonly step: string;
  /** What is there instead: "a list". */
  readonly found: string;
  /** What to write in place of the span. */
  readonly nearest: readonly string[];
}

export interface UnknownOperator extends At {
  readonly code: "unknown-operator";
  readonly name: string;
  readonly nearest: readonly string[];
}

/** An operand that its operator does not take. */
export interface BadOperand extends At {
  readonly code: "bad-operand";
  /** A clause. */
  readonly what: string;
}

export interface BadWithin extends At {
  readonly code: "bad-within";
  readonly text: string;
}

/** An OpenRPC document that cannot be read, in whole or in part. */
export interface BadOpenrpc extends At {
  readonly code: "bad-openrpc";
  readonly path: string;
  /** A clause. */
  readonly what: string;
}

/** Something that an `abi` lists and that is no ABI, or a file of it that has none. */
export interface BadAbi extends At {
  readonly code: "bad-abi";
  /** As written; `undefined` where it is not the path of a file that is at fault. */
  readonly path: string | undefined;
  /** A clause. */
  readonly what: string;
}

/** A file that an `abi` names and that is not read, because the workspace is not trusted. */
export interface UnreadAbi extends At {
  readonly code: "unread-abi";
  readonly path: string;
}

/** A decimal where the wire has hexadecimal: it is right, and this is what is sent. */
export interface DecimalNumber extends At {
  readonly code: "decimal-number";
  /** As JSON. */
  readonly wire: string;
}

/** The part of the page about problems that explains this one. */
export function docsAnchor(code: ProblemCode | EndpointProblemCode): string {
  return `docs/problems.md#${code}`;
}
