import type { JsonValue } from "../base/json.ts";
import type { FilePlace, LineColumn } from "../base/text.ts";
import { breaks, type Endpoint, type EndpointMistake, type EndpointMistakeCode, readEndpoint } from "./endpoint.ts";
import type { ValueOf } from "./hostValue.ts";

/** Who wrote an address; {@link gate} depends on it. */
export type HostNamer = "cli" | "settings" | "picker" | "repository";

export interface KnownEndpoint {
  readonly name: string;
  /** Where its address is written, for people: `rpc-endpoints.json`, a setting, `built in`. */
  readonly origin: string;
  readonly namedBy: HostNamer;
  /** The position of its name; absent if it is not in a file. */
  readonly place?: FilePlace;
  /** It is used where nothing chooses an endpoint. */
  readonly isDefault?: boolean;
  /** The reason why it cannot be used, in a clause. */
  readonly endpoint: Endpoint | { readonly broken: string };
}

/** Reads named endpoints of files and the setting. The path of each mistake begins with the name. */
export function namedEndpoints(
  values: Readonly<Record<string, JsonValue>>,
  origin: string,
  namedBy: HostNamer,
  hostValue: ValueOf,
): { readonly endpoints: readonly KnownEndpoint[]; readonly mistakes: readonly EndpointMistake[] } {
  const endpoints: KnownEndpoint[] = [];
  const mistakes: EndpointMistake[] = [];
  for (const [name, value] of Object.entries(values)) {
    if (name.startsWith("$")) continue; // "$schema"
    if (!isName(name)) {
      mistakes.push({
        code: "bad-endpoint",
        path: [name],
        what: "the name of an endpoint cannot be empty or an address",
      });
      continue;
    }
    const read = readEndpoint(name, value, hostValue);
    mistakes.push(...read.mistakes.map((mistake) => ({ ...mistake, path: [name, ...mistake.path] })));
    const broken = read.mistakes.find(breaks)?.what ?? "";
    endpoints.push({ name, origin, namedBy, endpoint: read.endpoint ?? { broken } });
  }
  return { endpoints, mistakes };
}

/**
 * Returns whether an endpoint can have this name. An address is never a name: otherwise an entry of the repository could
 * redirect an address that the user types. An empty name would be chosen by `--endpoint "$UNSET"`.
 */
function isName(text: string): boolean {
  return text.trim() !== "" && !/^\s*(?:(?:https?|wss?):|\{\{|[\w.[\]:-]+:\d+(?:\/|$))/i.test(text);
}

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
