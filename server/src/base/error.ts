/** Details that an error may carry in addition to its message. */
interface ErrorDetail {
  /** One sentence that says what to do. */
  readonly hint?: string;
  readonly cause?: unknown;
}

/**
 * Base of every error that this project throws. A user's mistake is a `Problem` and a network failure an `Outcome`;
 * what is thrown is wrong use of an interface, or a file that cannot be opened.
 */
export abstract class RpcNotebookError extends Error {
  /** Stable and dotted: `notebook.syntax`. Tests and faces go by it, never by the message. */
  abstract readonly code: string;
  readonly hint: string | undefined;

  constructor(message: string, detail: ErrorDetail = {}) {
    super(message, { cause: detail.cause });
    this.name = new.target.name;
    this.hint = detail.hint;
  }
}

/** An explanation of a problem: what is wrong, and what to do, in a sentence or two each. */
export interface Explanation {
  readonly what: string;
  readonly todo: string;
}
