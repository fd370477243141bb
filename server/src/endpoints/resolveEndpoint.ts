import type { Explanation } from "../base/error.ts";
import { listed, nearest, oneLine } from "../base/text.ts";
import { type Endpoint, readEndpoint } from "./endpoint.ts";
import { type HostReference, secretVariables, type ValueOf } from "./hostValue.ts";
import { choosersShown, type HostNamer, type KnownEndpoint, originClause } from "./named.ts";
import { isInClear, shownName, socketAddress } from "./site.ts";

export type { Endpoint } from "./endpoint.ts";

/** The choices of an endpoint; the first wins. */
export const choosers = ["cli", "cell", "picker", "header", "workspaceSetting", "setting"] as const;
export type Chooser = (typeof choosers)[number];

/** The chosen names or URLs. */
export type Choices = { readonly [by in Chooser]?: string | undefined };

/** The endpoint of a cell, and why it was chosen. */
export interface Resolved {
  readonly endpoint: Endpoint;
  readonly chosenBy: Chooser;
  /** The place that chose it, for people: "the cell". */
  readonly why: string;
  /** Where its address is written, for people. */
  readonly origin: string;
  /** Who wrote the address, which may differ from who chose it. */
  readonly namedBy: HostNamer;
  /** Values of the host in address and headers. Those of an address that the user typed count only without encryption. */
  readonly values: readonly HostReference[];
}

export type EndpointFault =
  | { readonly code: "no-endpoint"; readonly names: readonly string[] }
  | {
      readonly code: "unknown-endpoint";
      readonly name: string;
      readonly chosenBy: Chooser;
      readonly why: string;
      readonly nearest: readonly string[];
      readonly names: readonly string[];
    }
  | {
      readonly code: "bad-endpoint";
      readonly name: string;
      readonly chosenBy: Chooser;
      readonly origin: string;
      readonly what: string;
    };

/**
 * @param hostValue - Returns the values of placeholders in an address that is used without a name.
 * @param fallback - Used for every name and address that is not among the endpoints: a recording, instead of the network.
 * @example resolveEndpoint({ header: "local" }, endpoints)
 */
export function resolveEndpoint(
  choices: Choices,
  endpoints: readonly KnownEndpoint[],
  hostValue?: ValueOf,
  fallback?: KnownEndpoint,
): Resolved | EndpointFault {
  const chosenBy = choosers.find((by) => choices[by] !== undefined) ?? "setting";
  const name = choices[chosenBy] ?? endpoints.find(({ isDefault }) => isDefault)?.name;
  if (name === undefined) return { code: "no-endpoint", names: endpoints.map((each) => each.name) };
  const why = choices[chosenBy] === undefined ? "the recording" : choosersShown[chosenBy];
  const named = endpoints.find((each) => each.name === (fallback ? nameOf(name) : name));
  const chosen = named ?? (fallback ? renamed(fallback, nameOf(name)) : bareUrl(name, chosenBy, hostValue));
  if (!chosen) {
    const names = endpoints.map((each) => each.name);
    const address = /^[\w.-]+:\d+(\/|$)/.test(name) ? [`http://${name}`] : [];
    return { code: "unknown-endpoint", name, chosenBy, why, nearest: [...address, ...nearest(name, names)], names };
  }
  const { endpoint, origin, namedBy } = chosen;
  if ("broken" in endpoint) return { code: "bad-endpoint", name: chosen.name, chosenBy, origin, what: endpoint.broken };
  const isTyped = !named && (chosenBy === "cli" || chosenBy === "picker");
  const values = isTyped && !isInClear(endpoint.url) ? [] : endpoint.carries;
  return { endpoint, chosenBy, why, origin, namedBy, values };
}

const namers: Readonly<Record<Chooser, HostNamer>> = {
  cli: "cli",
  cell: "repository",
  picker: "picker",
  header: "repository",
  workspaceSetting: "repository",
  setting: "settings",
};

/** Returns the name that an address has in recordings: its host. */
function nameOf(text: string): string {
  return /^[a-z]+:\/\//i.test(text) && URL.canParse(text) ? new URL(text).host : text;
}

function renamed({ endpoint, ...fallback }: KnownEndpoint, name: string): KnownEndpoint {
  return { ...fallback, name, endpoint: "broken" in endpoint ? endpoint : { ...endpoint, name } };
}

/** Reads a URL that is used without a name. It is shown by its host, since the rest may be a key. */
function bareUrl(text: string, by: Chooser, hostValue?: ValueOf): KnownEndpoint | undefined {
  if (!/^(?:[a-z][\w+.-]*:(?!\d)|\{\{)/i.test(text)) return undefined; // `localhost:8545` has no scheme
  const { endpoint, mistakes } = readEndpoint("this address", text, hostValue);
  const broken = mistakes[0]?.what ?? "";
  const host = endpoint?.host ?? (URL.canParse(text) ? new URL(text).host : "");
  const name = host !== "" && !host.includes("%") && !host.includes("{") ? host : "this address";
  return {
    name,
    origin: choosersShown[by],
    namedBy: namers[by],
    endpoint: endpoint ? { ...endpoint, name } : { broken },
  };
}

/** Returns the same endpoint at its WebSocket, which may be at another site than its HTTP address. */
export function bySocket(resolved: Resolved): Resolved {
  const { endpoint } = resolved;
  const { url, host } = socketAddress(endpoint);
  return { ...resolved, endpoint: { ...endpoint, url, host } };
}

/** Returns names in the order of preference: the test network after the main one, else the main one. */
export function otherNetwork(names: readonly string[], current: string | undefined): string | undefined {
  const main = names.find((name) => /^main/i.test(name));
  const test = names.find((name) => /^test/i.test(name));
  if (main === undefined || test === undefined) return undefined;
  return current === main ? test : main;
}

/** Explains what happened and what to do. */
export function explainEndpoint(fault: EndpointFault): Explanation {
  switch (fault.code) {
    case "no-endpoint":
      return {
        what: "No endpoint is chosen.",
        todo: `Choose one (--endpoint on the command line), or name it as "endpoint" of the header${offer(fault.names)}.`,
      };
    case "unknown-endpoint":
      return {
        what: `Unknown endpoint \`${oneLine(shownName(fault.name))}\`, ${originClause(fault.why)}.`,
        todo:
          fault.nearest.length > 0
            ? `Did you mean ${offered(fault.nearest)}?`
            : `Add it to rpc-endpoints.json, give a URL, or choose another${offer(fault.names)}.`,
      };
    case "bad-endpoint":
      return {
        what: `The endpoint \`${oneLine(fault.name)}\` (${oneLine(originClause(fault.origin))}) cannot be used: ${fault.what}.`,
        todo: fault.what.endsWith("is not set")
          ? `Set it${where(fault.what)}, or choose another endpoint.`
          : "Fix it there.",
      };
  }
}

/** Returns the secret that a reason of a broken endpoint says is not set. */
export function missingSecret(what: string): string | undefined {
  return /\$secret\.([\p{L}\p{N}_-]+).*is not set$/u.exec(what)?.[1];
}

/** Returns where a secret can be set; an environment variable has its name. */
function where(what: string): string {
  const name = missingSecret(what);
  if (name === undefined) return "";
  const [own, plain] = secretVariables(name);
  return ` (“Set Secret…” in the editor; on the command line \`${own}\` or \`${plain}\`, in the environment or a \`.env\`)`;
}

function offer(names: readonly string[]): string {
  return names.length > 0 ? `: ${offered(names.slice(0, 8))}` : "";
}

function offered(names: readonly string[]): string {
  return listed(
    names.map((name) => `\`${oneLine(name)}\``),
    "or",
  );
}
