import type { FilePlace } from "../base/text.ts";
import { partsOf } from "../notebook/placeholder.ts";

/** Sources of values that are not in the shared files of a project. */
export const hostSources = ["secret", "dotenv", "env"] as const;
export type HostSource = (typeof hostSources)[number];

/** A reference such as `{{$secret.KEY}}`. */
export interface HostReference {
  readonly source: HostSource;
  readonly name: string;
}

/** Returns the value of a reference; `undefined` if it is not set, or empty. */
export type ValueOf = (reference: HostReference) => string | undefined;

/** The names that are set, without values. */
export interface HostNames {
  readonly env: ReadonlySet<string>;
  /** The nearest file that defines a name, with the position. */
  readonly dotenv: ReadonlyMap<string, { readonly origin: string; readonly place: FilePlace }>;
  /** In the editor's secret storage; `undefined` without one: secrets come from the environment and `.env` then. */
  readonly stored: ReadonlySet<string> | undefined;
}

/** @example writtenAs({ source: "env", name: "KEY" }); //=> "$env.KEY" */
export function writtenAs({ source, name }: HostReference): string {
  return `$${source}.${name}`;
}

/** Returns the text that is shown instead of a value. */
export function labelOf({ source, name }: HostReference): string {
  return `‹${source === "dotenv" ? ".env" : source} ${name}›`;
}

/** @param path - Of a placeholder. */
export function hostReference(path: readonly (string | number)[]): HostReference | undefined {
  const [source, name] = path;
  return source === "$env" || source === "$dotenv" || source === "$secret"
    ? { source: source === "$env" ? "env" : source === "$dotenv" ? "dotenv" : "secret", name: String(name) }
    : undefined;
}

/** Returns the names under which a secret is looked up in the environment and `.env` if the storage does not have it. */
export function secretVariables(name: string): readonly [string, string] {
  return [`RPC_NOTEBOOK_SECRET_${name}`, name];
}

/** Returns where a value is set, for people; `undefined` if it is not set. */
export function whereSet({ source, name }: HostReference, { env, dotenv, stored }: HostNames): string | undefined {
  const inEnvironment = (variable: string): string | undefined =>
    env.has(variable) ? `the environment variable \`${variable}\`` : undefined;
  const inFile = (entry: string): string | undefined => {
    const origin = dotenv.get(entry)?.origin;
    return origin === undefined ? undefined : `\`${entry}\` of \`${origin}\``;
  };
  switch (source) {
    case "env":
      return inEnvironment(name);
    case "dotenv":
      return inFile(name);
    case "secret": {
      if (stored) return stored.has(name) ? "the secret storage of the editor" : undefined;
      const [own, plain] = secretVariables(name);
      return inEnvironment(own) ?? inEnvironment(plain) ?? inFile(own) ?? inFile(plain);
    }
  }
}

/** Returns the names that a reference to a source can use. */
export function namesOf(source: HostSource, { env, dotenv, stored }: HostNames): readonly string[] {
  switch (source) {
    case "env":
      return [...env];
    case "dotenv":
      return [...dotenv.keys()];
    case "secret":
      return stored ? [...stored] : [...env, ...dotenv.keys()];
  }
}

/** Returns all references that a text may contain, including some that are not placeholders. */
export function referencesWithin(text: string): readonly HostReference[] {
  if (!text.includes("$")) return [];
  return [...text.matchAll(/\$(env|dotenv|secret)\.([\p{L}_][\p{L}\p{N}_-]*)/gu)].map(([, source, name]) => ({
    source: source as HostSource, // the pattern has no other
    name: name ?? "",
  }));
}

export interface FilledText {
  readonly text: string;
  readonly references: readonly HostReference[];
  /** Whether the text begins with the value of the first reference. */
  readonly begins: string | undefined;
}

/** A placeholder without a value, or an invalid one. */
interface Unfilled {
  /** A clause. */
  readonly what: string;
  /** It is valid, but not set. */
  readonly unset: boolean;
}

/** Replaces placeholders in a text with values of the host. */
export function fillText(text: string, hostValue: ValueOf): FilledText | Unfilled {
  if (!text.includes("{{")) return { text, references: [], begins: undefined };
  const references: HostReference[] = [];
  let filled = "";
  let begins: string | undefined;
  for (const part of partsOf(JSON.stringify(text))) {
    if (part.kind === "text") {
      filled += part.text;
      continue;
    }
    const reference = hostReference(part.path);
    if (!reference)
      return { what: "only `{{$env.NAME}}`, `{{$dotenv.NAME}}` and `{{$secret.NAME}}` can be used here", unset: false };
    const value = hostValue(reference);
    if (value === undefined) return { what: `\`${writtenAs(reference)}\` is not set`, unset: true };
    if (filled === "" && references.length === 0) begins = value;
    references.push(reference);
    filled += value;
  }
  return { text: filled, references, begins };
}
