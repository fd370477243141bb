import type { LineColumn } from "../base/text.ts";
import type { EndpointMistakeCode } from "./endpoint.ts";

/** A mistake in a file of endpoints, with its position. */
export interface EndpointProblem {
  readonly code: EndpointProblemCode;
  readonly uri: string;
  readonly start: LineColumn;
  readonly end: LineColumn;
  /** A clause without a full stop. It never quotes values. */
  readonly what: string;
  /** The name of the endpoint; absent if the problem is about the file. */
  readonly endpoint?: string;
}

/**
 * - `bad-endpoint-file`: the whole file; nothing in it can be used.
 * - `secret-in-endpoint-file`: a secret in a shared file.
 */
export type EndpointProblemCode = EndpointMistakeCode | "bad-endpoint-file" | "secret-in-endpoint-file";

/** Returns the severity. An entry with an error cannot be used on any machine. */
export function endpointSeverity(code: EndpointProblemCode): "error" | "warning" | "information" {
  switch (code) {
    case "bad-endpoint-file":
    case "bad-endpoint":
    case "bad-endpoint-address":
      return "error";
    case "unknown-endpoint-key":
    case "secret-in-endpoint-file":
      return "warning";
    case "unset-endpoint-value":
      return "information";
  }
}
