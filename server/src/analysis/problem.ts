import type { Span } from "../base/span.ts";
import type { HostSource } from "../endpoints/hostValue.ts";
import type { EndpointProblemCode } from "../endpoints/problem.ts";
import type { BadAssumption } from "../evaluate/assume/assumption.ts";
import type { ReadableProblem } from "../evaluate/conversion.ts";
import type { SyntaxFault } from "../notebook/cell.ts";
import type { FileFault } from "../notebook/scan.ts";
import type { RequestProblem, ValueProblem } from "./requestProblem.ts";

/** A mistake in a cell: what is wrong and where. Message, severity and link derive from the code. */
export type Problem = SyntaxFault | FileFault | RequestProblem | ValueProblem | NotebookProblem | ReadableProblem;

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

/** A mistake in what a notebook adds to requests: names, placeholders, endpoints, secrets, `expect`, ABIs. */
export type NotebookProblem =
  | DuplicateName
  | UnresolvedPlaceholder
  | ReferenceCycle
  | UnknownEndpoint
  | UnusableEndpoint
  | BidiCharacter
  | UnsetValue
  | SecretInFile
  | UnfilledPlaceholder
  | BadPath
  | UnknownPath
  | UnknownOperator
  | BadOperand
  | BadWithin
  | MisplacedExplain
  | BadAssumption
  | BadOpenrpc
  | BadDescriptor
  | BadAbi
  | UnreadAbi;

interface At {
  readonly span: Span;
}

export interface DuplicateName extends At {
  readonly code: "duplicate-name";
  readonly name: string;
  readonly taken: "cell" | "variable";
}

export interface UnresolvedPlaceholder extends At {
  readonly code: "unresolved-placeholder";
  /** The path as written, without the braces. */
  readonly path: string;
  readonly name: string;
  readonly nearest: readonly string[];
}

export interface ReferenceCycle extends At {
  readonly code: "reference-cycle";
  /** Names on the way round, the first one again at the end. */
  readonly names: readonly string[];
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

/** An invisible character that can change the order in which text is displayed. */
export interface BidiCharacter extends At {
  readonly code: "bidi-character";
  /** `U+202E`. */
  readonly character: string;
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

/** A placeholder in a place where placeholders are not filled. */
export interface UnfilledPlaceholder extends At {
  readonly code: "unfilled-placeholder";
  /** With its braces. */
  readonly text: string;
  /** The member that it is in. */
  readonly member: string;
}

/** A path of `expect` or of a placeholder that can reach nothing. */
export interface BadPath extends At {
  readonly code: "bad-path";
  /** `operator`: an operator is in the place of a path. */
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
  /** The value found instead: "a list". */
  readonly found: string;
  /** Suggested replacements for the span. */
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

/** `explain` beside a method whose answer is not one transaction. */
export interface MisplacedExplain extends At {
  readonly code: "misplaced-explain";
  readonly method: string;
}

/** An OpenRPC document that cannot be read, in whole or in part. */
export interface BadOpenrpc extends At {
  readonly code: "bad-openrpc";
  readonly path: string;
  /** A clause. */
  readonly what: string;
}

/** An ERC-7730 descriptor that cannot be used, or a folder with one. */
export interface BadDescriptor extends At {
  readonly code: "bad-descriptor";
  readonly path: string;
  /** A clause. */
  readonly what: string;
}

/** Something that an `abi` lists and that is no ABI, or a file of it that has none. */
export interface BadAbi extends At {
  readonly code: "bad-abi";
  /** The path as written; `undefined` if the problem is not with the path of a file. */
  readonly path: string | undefined;
  /** A clause. */
  readonly what: string;
}

/** A file that an `abi` names and that is not read, because the workspace is not trusted. */
export interface UnreadAbi extends At {
  readonly code: "unread-abi";
  readonly path: string;
}
