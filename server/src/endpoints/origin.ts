/** The origin of endpoints that are not configured. */
export const builtIn = "built in";

/** The places that choose an endpoint. Each is also the origin of an address that it contains. */
export const choosersShown = {
  cli: "--endpoint",
  cell: "the cell",
  picker: "the picker",
  header: "the header",
  workspaceSetting: "the workspace's setting rpcNotebook.endpoint",
  setting: "your setting rpcNotebook.endpoint",
} as const;

const chooserTexts: readonly string[] = Object.values(choosersShown);

/**
 * Says where an endpoint is written, in a clause for parentheses.
 *
 * @example originClause("rpc-endpoints.json"); //=> "in rpc-endpoints.json"
 */
export function originClause(origin: string): string {
  if (origin === builtIn) return "built into RPC Notebook";
  if (origin === choosersShown.picker) return "chosen by you";
  return chooserTexts.includes(origin) ? `named by ${origin}` : `in ${origin}`;
}

/**
 * Says where an endpoint is written, in a sentence.
 *
 * @example originSentence("The endpoint", "rpc-endpoints.json"); //=> "The endpoint is in rpc-endpoints.json."
 */
export function originSentence(subject: string, origin: string): string {
  return `${subject} is ${originClause(origin)}.`;
}

/**
 * Says why an endpoint is used, in a sentence about "it".
 *
 * @param why - One of {@link choosersShown}, or "the recording".
 * @example chosenSentence("the header"); //=> "Chosen by the header."
 */
export function chosenSentence(why: string): string {
  if (why === choosersShown.picker) return "You chose it.";
  return `Chosen by ${why}.`;
}
