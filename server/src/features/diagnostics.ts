import { check } from "../analysis/check.ts";
import { message } from "../analysis/message.ts";
import { docsAnchor, type Problem, type ProblemCode } from "../analysis/problem.ts";
import type { Scope } from "../analysis/scope.ts";
import { type Severity, severity } from "../analysis/severity.ts";
import type { Span } from "../base/span.ts";
import { brief, capitalized, type FileRange, type LineColumn } from "../base/text.ts";
import { type EndpointProblem, type EndpointProblemCode, endpointSeverity } from "../endpoints/named.ts";
import type { Cell } from "../notebook/cell.ts";
import type { FileFault } from "../notebook/scan.ts";

export interface Diagnostic extends DiagnosticText {
  readonly span: Span;
  readonly code: ProblemCode;
}

interface DiagnosticText {
  readonly severity: Severity;
  /** Plain text. */
  readonly message: string;
  /** The part of the project's documentation that explains it. */
  readonly docs?: string;
}

/** In a file that no editor hands over. */
export interface FileDiagnostic extends DiagnosticText {
  readonly uri: string;
  readonly start: LineColumn;
  readonly end: LineColumn;
  readonly code: EndpointProblemCode | "bad-descriptor";
  /** The name of the endpoint that it is about; absent if it is about the file. */
  readonly endpoint?: string;
}

/** The problems of a cell, as an editor shows them. */
export function diagnostics(cell: Cell, scope: Scope): readonly Diagnostic[] {
  return check(cell, scope).map(shown);
}

/** Faults of a file that are in none of its cells. */
export function fileDiagnostics(faults: readonly FileFault[]): readonly Diagnostic[] {
  return faults.map(shown);
}

export function endpointDiagnostics(problems: readonly EndpointProblem[]): readonly FileDiagnostic[] {
  return problems.map(({ code, what, ...place }) => {
    const message = brief(`${capitalized(what)}.`, 1000);
    return { ...place, code, severity: endpointSeverity(code), message, docs: docsAnchor(code) };
  });
}

/** @param problems - `mayBeMeant`: the person may have wanted it so. */
export function descriptorDiagnostics(
  problems: readonly (FileRange & { readonly what: string; readonly mayBeMeant: boolean })[],
): readonly FileDiagnostic[] {
  const code = "bad-descriptor";
  return problems.map(({ what, mayBeMeant, ...place }) => {
    const message = brief(`${capitalized(what)}.`, 1000);
    return { ...place, code, severity: mayBeMeant ? "information" : "warning", message, docs: docsAnchor(code) };
  });
}

function shown(problem: Problem): Diagnostic {
  const { code, span } = problem;
  return { span, severity: severity(problem), code, message: message(problem), docs: docsAnchor(code) };
}
