import { DiagnosticSeverity } from "vscode-languageserver";
import type { Diagnostic } from "../features/diagnostics.ts";
import type { Client } from "./client.ts";

/** The `source` of our diagnostics. */
export const diagnosticSource = "rpc-notebook";

export const severities: Readonly<Record<Diagnostic["severity"], DiagnosticSeverity>> = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  information: DiagnosticSeverity.Information,
  hint: DiagnosticSeverity.Hint,
};

/** Returns the link to the documentation of a problem, if the editor has said where the documentation is. */
export function documented(
  { docs }: Pick<Diagnostic, "docs">,
  { options }: Client,
): { readonly codeDescription?: { readonly href: string } } {
  if (options.docs === undefined || docs === undefined) return {};
  return { codeDescription: { href: new URL(docs, options.docs).href } };
}
