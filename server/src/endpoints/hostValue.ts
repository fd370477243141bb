import type { FilePlace } from "../base/text.ts";
import { partsOf } from "../notebook/placeholder.ts";

/** Where values come from that are in no file of the project that others read. */
export const hostSources = ["secret", "dotenv", "env"] as const;
export type HostSource = (typeof hostSources)[number];

/** What `{{$secret.KEY}}` names. */
export interface HostReference {
  readonly source: HostSource;
  readonly name: string;
}

/** The value behind a reference; `undefined` where nothing, or nothing but the empty text, is set. */
export type ValueOf = (reference: HostReference) => string | undefined;

/** What is set, by name; no values. */
export interface HostNames {
  readonly env: ReadonlySet<string>;
  /** The nearest of the files that define a name, with its place. */
  readonly dotenv: ReadonlyMap<string, { readonly origin: string; readonly place: FilePlace }>;
  /** In the editor's secret storage; `undefined` where there is none, and secrets come from the environment and `.env`. */
  readonly stored: ReadonlySet<string> | undefined;
}

/** @example writtenAs({ source: "env", name: "KEY" }); //=> "$env.KEY" */
export function writtenAs({ source, name }: HostReference): string {
  return `$${source}.${name}`;
}

/** What is shown in place of a value. */
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

/** Variables of the environment, and entries of `.env`, that a secret is looked up in where no storage keeps it. */
export function secretVariables(name: string): readonly [string, string] {
  return [`RPC_NOTEBOOK_SECRET_${name}`, name];
}

/** Where a value is set, as people call it; `undefined` where it is not. */
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

/** Names that a reference to a source may take. */
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

/** All references that a text may hold, found roughly: what is no placeholder may be among them. */
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
  /** The text begins with the value of the first reference. */
  readonly begins: string | undefined;
}

/** A placeholder that has no value, or that is none. */
interface Unfilled {
  /** A clause. */
  readonly what: string;
  /** It would have one where that were set. */
  readonly unset: boolean;
}

/** Puts values of the host into a text. */
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
      return { what: "only `{{$env.NAME}}`, `{{$dotenv.NAME}}` and `{{$secret.NAME}}` can stand here", unset: false };
    const value = hostValue(reference);
    if (value === undefined) return { what: `\`${writtenAs(reference)}\` is not set`, unset: true };
    if (filled === "" && references.length === 0) begins = value;
    references.push(reference);
    filled += value;
  }
  return { text: filled, references, begins };
}
