import { check } from "../analysis/check.ts";
import { message } from "../analysis/message.ts";
import { docsAnchor, type Problem, type ProblemCode, type Severity, severity } from "../analysis/problem.ts";
import type { Scope } from "../analysis/scope.ts";
import type { Span } from "../base/span.ts";
import type { Cell } from "../notebook/cell.ts";
import type { FileFault } from "../notebook/scan.ts";

export interface Diagnostic {
  readonly span: Span;
  readonly severity: Severity;
  readonly code: ProblemCode;
  /** Plain text. */
  readonly message: string;
  /** The part of the project's documentation that explains it. */
  readonly docs?: string;
}

/** The problems of a cell, as an editor shows them. */
export function diagnostics(cell: Cell, scope: Scope): readonly Diagnostic[] {
  return check(cell, scope).map(shown);
}

/** Faults of a file that lie in none of its cells. */
export function fileDiagnostics(faults: readonly FileFault[]): readonly Diagnostic[] {
  return faults.map(shown);
}

function shown(problem: Problem): Diagnostic {
  const { code, span } = problem;
  return { span, severity: severity(problem), code, message: message(problem), docs: docsAnchor(code) };
}
