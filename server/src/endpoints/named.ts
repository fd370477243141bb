import type { JsonValue } from "../base/json.ts";
import type { FilePlace } from "../base/text.ts";
import { breaks, type Endpoint, type EndpointMistake, readEndpoint } from "./endpoint.ts";
import type { ValueOf } from "./hostValue.ts";

/** Who wrote the address of a host down; {@link gate} goes by it. */
export type HostNamer = "cli" | "settings" | "picker" | "repository";

/** A name that an endpoint may be chosen by. */
export interface KnownEndpoint {
  readonly name: string;
  /** Where its address is written, as people call it: `rpc-endpoints.json`, a setting, `built in`. */
  readonly origin: string;
  readonly namedBy: HostNamer;
  /** Where its name stands; absent for what is in no file. */
  readonly place?: FilePlace;
  /** What is wrong, in a clause, where it cannot be used. */
  readonly endpoint: Endpoint | { readonly broken: string };
}

/** Reads endpoints by name, as files and the setting hold them. Slips have the name at the beginning of their path. */
export function namedEndpoints(
  values: Readonly<Record<string, JsonValue>>,
  origin: string,
  namedBy: HostNamer,
  hostValue: ValueOf,
): { readonly endpoints: readonly KnownEndpoint[]; readonly slips: readonly EndpointMistake[] } {
  const endpoints: KnownEndpoint[] = [];
  const slips: EndpointMistake[] = [];
  for (const [name, value] of Object.entries(values)) {
    if (name.startsWith("$")) continue; // "$schema"
    if (!isName(name)) {
      slips.push({ code: "bad-endpoint", path: [name], what: "the name of an endpoint cannot be empty or an address" });
      continue;
    }
    const read = readEndpoint(name, value, hostValue);
    slips.push(...read.slips.map((slip) => ({ ...slip, path: [name, ...slip.path] })));
    const broken = read.slips.find(breaks)?.what ?? "";
    endpoints.push({ name, origin, namedBy, endpoint: read.endpoint ?? { broken } });
  }
  return { endpoints, slips };
}

/**
 * Whether an endpoint can have this name. An address always means itself: otherwise an entry of the repository could
 * redirect what a person types. An empty name would be chosen by `--endpoint "$UNSET"`.
 */
function isName(text: string): boolean {
  return text.trim() !== "" && !/^\s*(?:(?:https?|wss?):|\{\{|[\w.[\]:-]+:\d+(?:\/|$))/i.test(text);
}
