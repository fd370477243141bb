import type { Problem } from "./problem.ts";

export type Severity = "error" | "warning" | "information" | "hint";

/** An error will be refused or cannot be sent; a warning may be, or is not what was meant. */
export function severity(problem: Problem): Severity {
  switch (problem.code) {
    case "json-syntax":
    case "not-a-notebook":
    case "too-deep":
    case "conflict-marker":
    case "missing-method":
    case "named-params":
    case "wrong-type":
    case "bad-quantity":
    case "unknown-value":
    case "too-many-items":
    case "duplicate-name":
    case "unresolved-placeholder":
    case "reference-cycle":
    case "unknown-endpoint":
    case "sample-placeholder":
    case "swapped-params":
    case "bad-path":
    case "unknown-operator":
    case "bad-operand":
    case "bad-within":
    case "unknown-function":
    case "ambiguous-function":
    case "unknown-event":
    case "ambiguous-event":
    case "bad-argument":
    case "bad-amount":
    case "before-first-block":
      return "error";
    case "missing-param":
      return problem.advised === undefined ? "error" : "warning";
    case "bad-block":
      return problem.decimal ? "warning" : "error";
    case "inverted-range":
      return problem.sure ? "error" : "warning";
    case "extra-param":
      return problem.empty ? "warning" : "error";
    case "unknown-method":
      return problem.slip ? "error" : "information";
    case "bad-hex":
      return problem.why === "no-prefix" ? "warning" : "error"; // Besu takes bytes without their `0x`
    case "missing-field":
    case "exclusive-fields":
      return problem.advice ? "warning" : "error";
    case "duplicate-key":
      return problem.sent ? "error" : "warning";
    case "unknown-member":
    case "missing-block":
    case "unknown-field":
    case "log-range-over-limit":
    case "refused-method":
    case "unusable-endpoint":
    case "bidi-character":
    case "bad-checksum":
    case "secret-in-file":
    case "unset-value":
    case "bad-openrpc":
    case "bad-abi":
    case "unfilled-placeholder":
    case "unknown-path":
      return "warning";
    case "filter-without-criterion":
    case "signing-method":
    case "not-ahead":
      return "information";
    case "decimal-number":
    case "unread-abi":
      return "hint";
  }
}
