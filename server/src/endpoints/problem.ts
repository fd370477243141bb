import type { LineColumn } from "../base/text.ts";
import type { EndpointMistakeCode } from "./endpoint.ts";

/** A mistake in a file of endpoints, with its place. */
export interface EndpointProblem {
  readonly code: EndpointProblemCode;
  readonly uri: string;
  readonly start: LineColumn;
  readonly end: LineColumn;
  /** A clause without a full stop; it quotes no value. */
  readonly what: string;
  /** The name of the endpoint that it is about; absent where it is about the file. */
  readonly endpoint?: string;
}

/**
 * - `bad-endpoint-file`: of the file as a whole; nothing of it can be used.
 * - `secret-in-endpoint-file`: in a file that is shared.
 */
export type EndpointProblemCode = EndpointMistakeCode | "bad-endpoint-file" | "secret-in-endpoint-file";

/** What an error stands in cannot be used, on any machine. */
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
