import type { EndpointProblemCode } from "../endpoints/problem.ts";
import type { ReadableProblem } from "../evaluate/readableProblem.ts";
import type { SyntaxFault } from "../notebook/cell.ts";
import type { FileFault } from "../notebook/scan.ts";
import type { NotebookProblem } from "./notebookProblem.ts";
import type { RequestProblem } from "./requestProblem.ts";
import type { ValueProblem } from "./valueProblem.ts";

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
