import type { Problem, ProblemCode, ProblemWith } from "./problem.ts";

export type Severity = "error" | "warning" | "information" | "hint";

/** An error will be refused or cannot be sent; a warning may be refused, or is not what was meant. */
const severities: { readonly [Code in ProblemCode]: Severity | ((problem: ProblemWith<Code>) => Severity) } = {
  "json-syntax": "error",
  "not-a-notebook": "error",
  "too-deep": "error",
  "conflict-marker": "error",
  "missing-method": "error",
  "unknown-member": "warning",
  "duplicate-key": ({ sent }) => (sent ? "error" : "warning"),
  "unknown-method": ({ slip }) => (slip ? "error" : "information"),
  "named-params": "error",
  "missing-param": ({ advised }) => (advised === undefined ? "error" : "warning"),
  "missing-block": "warning",
  "extra-param": ({ empty, kind }) => (empty || kind !== undefined ? "warning" : "error"),
  "swapped-params": "error",
  "unknown-field": "warning",
  "missing-field": ({ advice }) => (advice ? "warning" : "error"),
  "exclusive-fields": ({ advice }) => (advice ? "warning" : "error"),
  "too-many-items": "error",
  "filter-without-criterion": "information",
  "inverted-range": ({ sure }) => (sure ? "error" : "warning"),
  "log-range-over-limit": "warning",
  "refused-method": "warning",
  "signing-method": "information",
  "not-ahead": "information",
  "wrong-type": "error",
  "bad-quantity": "error",
  "bad-amount": "error",
  "bad-hex": ({ why }) => (why === "no-prefix" ? "warning" : "error"), // Besu takes bytes without their `0x`
  "bad-checksum": "warning",
  "bad-block": ({ decimal }) => (decimal ? "warning" : "error"),
  "unknown-value": "error",
  "sample-placeholder": "error",
  "decimal-number": "hint",
  "unknown-function": "error",
  "unknown-event": "error",
  "ambiguous-function": "error",
  "ambiguous-event": "error",
  "bad-argument": "error",
  "before-first-block": "error",
  "duplicate-name": "error",
  "unresolved-placeholder": "error",
  "reference-cycle": "error",
  "unfilled-placeholder": "warning",
  "unknown-endpoint": "error",
  "unusable-endpoint": "warning",
  "unknown-operator": "error",
  "bad-path": "error",
  "unknown-path": "warning",
  "bad-within": "error",
  "misplaced-explain": "warning",
  "bad-assumption": "error",
  "bad-operand": "error",
  "bidi-character": "warning",
  "secret-in-file": "warning",
  "unset-value": "warning",
  "bad-openrpc": "warning",
  "bad-abi": "warning",
  "unread-abi": "hint",
};

export function severity(problem: Problem): Severity {
  const found = severities[problem.code] as Severity | ((problem: Problem) => Severity); // the one for this code
  return typeof found === "string" ? found : found(problem);
}
