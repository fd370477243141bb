import type { Span } from "../base/span.ts";
import type { Effect } from "../catalog/spec.ts";
import type { HostSource } from "../endpoints/hostValue.ts";
import type { EndpointProblemCode } from "../endpoints/named.ts";
import type { BadAssumption } from "../evaluate/assume/assumption.ts";
import type { ReadableProblem } from "../evaluate/conversion.ts";
import type { BadEach } from "../evaluate/each.ts";
import type { BadSave } from "../evaluate/save.ts";
import type { SyntaxFault } from "../notebook/cell.ts";
import type { FileFault } from "../notebook/scan.ts";

/** A mistake in a cell: what is wrong and where. Message, severity and link derive from the code. */
export type Problem = SyntaxFault | FileFault | OwnProblem | BadAssumption | BadEach | BadSave | ReadableProblem;

type OwnProblem = {
  readonly [Code in keyof Problems]: { readonly code: Code; readonly span: Span } & Readonly<Problems[Code]>;
}[keyof Problems];

export type ProblemCode = Problem["code"];

/** The problem that has a code. */
export type ProblemWith<Code extends ProblemCode, One = Problem> = One extends { readonly code: infer Own }
  ? Code extends Own
    ? One
    : never
  : never;

/** Returns the part of the page about problems that explains this one. */
export function docsAnchor(code: ProblemCode | EndpointProblemCode): string {
  return `docs/problems.md#${code}`;
}

/** Every problem by its code: what it says beside its place. */
interface Problems {
  // requests as a whole: their text, methods, parameters and fields

  /** Brackets nest so deep that nothing of the cell is read. */
  "too-deep": { isJson: boolean };
  "missing-method": unknown;
  /** A member beside `method` that is neither JSON-RPC nor a directive; also in a header. */
  "unknown-member": { name: string; nearest: readonly string[] };
  "duplicate-key": {
    name: string;
    /** It goes over the wire, so the request is not sent. */
    sent: boolean;
  };
  "unknown-method": {
    name: string;
    nearest: readonly string[];
    /** One slip of a finger away from the nearest name; else it may well be a method of one node's own. */
    slip: boolean;
  };
  /** `params` is an object. */
  "named-params": { method: string };
  "missing-param": {
    method: string;
    name: string;
    /** From 0. */
    position: number;
    /** A reason to write it although some nodes do without; `undefined` for one that all of them require. */
    advised: string | undefined;
  };
  "missing-block": {
    method: string;
    /** The value that nodes assume. */
    assumed: string | undefined;
    why: string | undefined;
  };
  "extra-param": {
    method: string;
    /** Parameters that the method takes. */
    takes: number;
    /** All of them are `null`, which some nodes pass over. */
    empty: boolean;
    /** The value of the first parameter that they do not belong to. */
    kind?: string;
  };
  /** Two parameters side by side, each of which is right in the place of the other. */
  "swapped-params": {
    method: string;
    /** The names in their expected order. */
    names: readonly [string, string];
  };
  "unknown-field": { name: string; nearest: readonly string[] };
  "missing-field": {
    /** Any one of them will do. */
    names: readonly string[];
    why: string | undefined;
    /** Nodes let it pass. */
    advice: boolean;
  };
  "exclusive-fields": { names: readonly string[]; why: string; advice: boolean };
  "too-many-items": { name: string; most: number; found: number };
  "filter-without-criterion": { why: string };
  /** The request asks for pre-confirmed state on an endpoint without it. */
  "not-ahead": {
    /** A tag or a kind of subscription. */
    text: string;
    /** The value to use instead. */
    instead: string;
    endpoint: string;
    /** How it is known; a clause. */
    why: string;
  };
  /** `fromBlock` is after `toBlock`. */
  "inverted-range": {
    /** It is whatever blocks the tags name by then. */
    sure: boolean;
    /** `fromBlock` is not written. */
    assumed: boolean;
  };
  "log-range-over-limit": {
    /** toBlock − fromBlock; the least that it can be if it ends at a tag. */
    range: bigint;
    atLeast: boolean;
    limit: bigint;
    /** The endpoint that has the limit; `undefined` if nothing is known and the usual limit is assumed. */
    endpoint: string | undefined;
    /** A run asks for it in parts by itself. */
    splits: boolean;
  };
  "refused-method": { method: string; endpoint: string };
  /** The method signs, broadcasts or changes the node, which a run asks about first. */
  "signing-method": { method: string; effect: Effect };

  // single values

  "wrong-type": {
    /** The expected value: "an object", "an address". */
    expected: string;
    /** The value found: "a number". */
    found: string;
  };
  "bad-quantity": {
    why: "empty" | "leading-zeros" | "decimal" | "negative" | "no-prefix" | "not-hex" | "too-large" | "milliseconds";
    text: string;
    bits: number;
    /** The quantity that was probably meant. */
    meant: string | undefined;
  };
  "bad-hex": {
    why: "no-prefix" | "not-hex" | "function" | "odd" | "length" | "too-long";
    /** The expected value: "an address". */
    expected: string;
    /** Hex digits that are there. */
    digits: number;
    /** Hex digits that must or may be there. */
    expectedDigits: number | undefined;
  };
  "bad-block": {
    text: string;
    /** The method takes a block's hash as well. */
    takesHash: boolean;
    /** A string of decimal digits, which some nodes read. */
    decimal: boolean;
    meant: string | undefined;
    nearest: readonly string[];
  };
  /** A string that is none of those allowed. */
  "unknown-value": { text: string; allowed: readonly string[] };
  /** An address in mixed case whose letters do not carry its checksum (EIP-55). */
  "bad-checksum": { right: string };
  /** A sample value, which documentation and scripts use for a value to be replaced: `0x…`, `<address>`, `$NONCE`. */
  "sample-placeholder": { text: string };
  /** A decimal where the wire has hexadecimal: it is right, and this is what is sent. */
  "decimal-number": {
    /** The value as JSON. */
    wire: string;
  };

  // what a notebook adds to requests: names, placeholders, endpoints, secrets, `expect`, ABIs

  "duplicate-name": { name: string; taken: "cell" | "variable" };
  "unresolved-placeholder": {
    /** The path as written, without the braces. */
    path: string;
    name: string;
    nearest: readonly string[];
  };
  "reference-cycle": {
    /** Names on the way round, the first one again at the end. */
    names: readonly string[];
  };
  "unknown-endpoint": { name: string; nearest: readonly string[] };
  /** It is configured, but not so that requests could go there from this machine. */
  "unusable-endpoint": {
    name: string;
    /** Where it is configured. */
    origin: string;
    /** A clause. */
    what: string;
  };
  /** An invisible character that can change the order in which text is displayed. */
  "bidi-character": {
    /** `U+202E`. */
    character: string;
  };
  /** A parameter that a variable makes wrong: a sentence. */
  "bad-variable": { what: string };
  /** A value of the host that a request takes and that is not set here. */
  "unset-value": { source: HostSource; name: string; nearest: readonly string[] };
  "secret-in-file": { what: "private-key" | "mnemonic" | "url" | "authorization" | "secret" };
  /** A placeholder in a place where placeholders are not filled. */
  "unfilled-placeholder": {
    /** With its braces. */
    text: string;
    /** The member that it is in. */
    member: string;
  };
  /** A path of `expect` or of a placeholder that can reach nothing. */
  "bad-path": {
    /** `operator`: an operator is in the place of a path. */
    why: "no-path" | "no-step" | "first-step" | "operator";
    path: string;
    /** The path that was probably meant. */
    meant: string | undefined;
  };
  /** A step of a path that leads nowhere, by the catalogue or by what came last. */
  "unknown-path": {
    /** The path up to it. */
    until: string;
    step: string;
    /** The value found instead: "a list". */
    found: string;
    /** Suggested replacements for the span. */
    nearest: readonly string[];
  };
  "unknown-operator": { name: string; nearest: readonly string[] };
  /** An operand that its operator does not take. */
  "bad-operand": {
    /** A clause. */
    what: string;
  };
  "bad-within": { text: string };
  /** Rows of a file that another cell of the notebook writes. */
  "saved-by-cell": { path: string; cell: string };
  /** `explain` beside a method whose answer is not one transaction. */
  "misplaced-explain": { method: string };
  /** An OpenRPC document that cannot be read, in whole or in part. */
  "bad-openrpc": {
    path: string;
    /** A clause. */
    what: string;
  };
  /** An ERC-7730 descriptor that cannot be used, or a folder with one. */
  "bad-descriptor": {
    path: string;
    /** A clause. */
    what: string;
  };
  /** Something that an `abi` lists and that is no ABI, or a file of it that has none. */
  "bad-abi": {
    /** The path as written; `undefined` if the problem is not with the path of a file. */
    path: string | undefined;
    /** A clause. */
    what: string;
  };
  /** A file that an `abi` names and that is not read, because the workspace is not trusted. */
  "unread-abi": { path: string };
}
