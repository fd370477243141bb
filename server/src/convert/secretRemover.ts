import { secretInValue, secretStrings } from "../analysis/secrets.ts";
import type { JsonValue } from "../base/json.ts";
import { looksLikeKey } from "../base/keyLike.ts";
import { isSecretName, secretParts } from "../base/secretParts.ts";
import { secretInHeader, secretsInText } from "../base/secretText.ts";
import { type Span, slice } from "../base/span.ts";
import { replaced } from "../base/text.ts";
import { spanOf } from "../notebook/json.ts";
import { readCell } from "../notebook/readCell.ts";
import { freeName, type Header, type Note, type Target } from "./importModel.ts";

/** An address and its headers, with placeholders for the secrets. */
export interface CleanTarget {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Replaces the secrets of an import by placeholders. The same secret has the same name everywhere. */
export interface Secrets {
  target(target: Target): CleanTarget;
  /** @param at - Where it is in the file, for notes. */
  text(text: string, at: number): string;
  /** Cleans a body or any other JSON; what is not JSON is text. */
  json(text: string, at: number): string;
  /**
   * @param isSecret - Whether the tool says so, whatever the value looks like.
   * @returns The placeholder, if the value of the variable is a secret.
   */
  variable(name: string, value: JsonValue, isSecret?: boolean): string | undefined;
  /** Replaces the secrets found so far wherever else they are in strings of JSON. */
  everywhere(json: string): string;
  /** Does the same in plain text. */
  everywhereIn(text: string): string;
  /** Removes from a note what is a secret or looks like one. */
  note(text: string): string;
  readonly notes: readonly Note[];
}

/** The names of secrets, by their values. */
export type SecretNames = Map<string, string>;

/** @param names - Names of other imports; new ones are added. */
export function openSecrets(names: SecretNames): Secrets {
  const notes: Note[] = [];
  const named = (value: string, wanted: string, what: string, at: number): string => {
    let name = names.get(value);
    if (name === undefined) {
      const taken = new Set(names.values());
      name = freeName(wanted, "_", (one) => taken.has(one));
      names.set(value, name);
      notes.push({
        at,
        severity: "note",
        what: `${what} is a secret, so {{$secret.${name}}} replaces it. Store it under this name.`,
      });
    }
    return `{{$secret.${name}}}`;
  };
  const without = (text: string, parts: readonly Span[], wanted: string, what: string, at: number): string =>
    replaced(
      text,
      parts.map((span) => ({ span, insert: named(slice(text, span), wanted, what, at) })),
    );
  const header = ({ name, value, isSecret }: Header, owner: string, at: number): string => {
    const wanted = /^authorization$/i.test(name) ? `${owner}_TOKEN` : constantOf(name, "TOKEN");
    return without(value, secretInHeader(name, value, isSecret), wanted, `The value of the header \`${name}\``, at);
  };
  const text = (given: string, at: number): string =>
    without(given, secretsInText(given), "SECRET", "A part of the text", at);
  const everywhereIn = (given: string): string => {
    const keys = [...names].filter(([value]) => value.length >= 8 && looksLikeKey(value, true));
    return keys.reduce((made, [value, name]) => made.replaceAll(value, `{{$secret.${name}}}`), given);
  };
  return {
    notes,
    text,
    everywhereIn,
    note: (given) =>
      everywhereIn(
        replaced(
          given,
          secretsInText(given).map((span) => ({ span, insert: "…" })),
        ),
      ),
    everywhere: (json) => json.replace(/"(?:[^"\\]|\\[\s\S])*"/g, everywhereIn),
    target({ url: written, isName, headers, at }) {
      if (isName) {
        const what = "The endpoint of this name has its own headers, so these are left out.";
        if (headers.length > 0) notes.push({ at, severity: "note", what });
        return { url: written, headers: {} };
      }
      const url = withScheme(written);
      const parts = secretParts(url);
      const owner = ownerOf(url, parts);
      const clean = without(url, parts, `${owner}_KEY`, "A part of the address", at);
      const cleaned = headers.map((one) => [one.name, everywhereIn(header(one, owner, at))]);
      return { url: clean, headers: Object.fromEntries(cleaned) };
    },
    json(given, at) {
      const cell = readCell(given);
      if (cell.faults.length > 0 || !cell.root) return text(given, at);
      const edits = secretStrings(cell).map(({ node, what, parts, name = "" }) => {
        const value = node.type === "string" ? String(node.value) : slice(given, spanOf(node));
        const wanted = what === "url" ? `${ownerOf(value, parts)}_KEY` : constantOf(name, "SECRET");
        return {
          span: spanOf(node),
          insert: JSON.stringify(without(value, parts, wanted, "A value of the request", at)),
        };
      });
      return replaced(
        given,
        edits.sort((a, b) => a.span.start - b.span.start),
      );
    },
    variable(name, value, isSecret = false) {
      if (typeof value !== "string" || value.includes("{{")) return undefined;
      const isFound = isSecret || secretInValue(value, name) !== undefined || (isSecretName(name) && value !== "");
      return isFound ? named(value, constantOf(name, "SECRET"), `The variable \`${name}\``, 0) : undefined;
    },
  };
}

/** Returns a name in the form of environment variables. @example constantOf("apiKey", "TOKEN"); //=> "API_KEY" */
function constantOf(name: string, otherwise: string): string {
  const constant = name
    .replace(/([a-z\d])([A-Z])/g, "$1_$2")
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, "_")
    .replace(/^[_\d]+|_+$/g, "");
  return constant || otherwise;
}

/** Adds the scheme, which `curl` does not need. */
function withScheme(url: string): string {
  return /^(?:[a-z][\w+.-]*:\/\/|\{\{)/i.test(url) ? url : `http://${url}`;
}

/** Returns a name for the endpoint that is not secret: `ALCHEMY` for `eth-mainnet.g.alchemy.com`. */
function ownerOf(url: string, secrets: readonly Span[]): string {
  const open = replaced(
    url,
    secrets.map((span) => ({ span, insert: "" })),
  );
  const host = /^[a-z][\w+.-]*:[\\/]{2}(?:[^\\/?#]*@)?([^\\/?#:]*)/i.exec(open)?.[1] ?? "";
  const labels = host.split(".").filter((label) => label !== "");
  const label = /^[\d.]+$|^\[|[{}]/.test(host) ? "" : (labels.at(-2) ?? "");
  return constantOf(label, "RPC");
}

/** Returns host and port; empty if the address is not a URL. */
export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : "";
}
