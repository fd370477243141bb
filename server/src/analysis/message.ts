import type { Messages } from "./messageParts.ts";
import { notebookMessages } from "./notebookMessages.ts";
import type { Problem } from "./problem.ts";
import { requestMessages } from "./requestMessages.ts";
import { valueMessages } from "./valueMessages.ts";

const messages: Messages<Problem["code"]> = { ...requestMessages, ...valueMessages, ...notebookMessages };

/** Returns what a problem says, in a sentence or two of plain text: what is wrong, then what to do. */
export function message(problem: Problem): string {
  const write = messages[problem.code] as (problem: Problem) => string; // the one for this code
  return write(problem);
}
