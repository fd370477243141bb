import { keysOfAddresses, loadedAddressOfKey } from "../abi/address.ts";
import { secretInValue, secretStrings } from "../analysis/secrets.ts";
import type { JsonValue } from "../base/json.ts";
import { looksLikeKey } from "../base/keyLike.ts";
import { isPrivateKey, type KeyTest, noKey, privateKeysIn } from "../base/privateKeys.ts";
import { isSecretName, secretParts } from "../base/secretParts.ts";
import { secretInHeader, secretsInText } from "../base/secretText.ts";
import { type Span, slice, span } from "../base/span.ts";
import { replaced } from "../base/text.ts";
import { spanOf } from "../notebook/json.ts";
import { readCell } from "../notebook/readCell.ts";
import { freeName, type Header, type Note, type Target } from "./importModel.ts";

/** An address and its headers, with placeholders for the secrets. */
export interface CleanTarget {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** The names of secrets, by their values. */
export type SecretNames = Map<string, string>;

/** Replaces the secrets of an import by placeholders. The same secret has the same name everywhere. */
export class SecretRemover {
  readonly notes: Note[] = [];
  readonly #names: SecretNames;

  readonly #isKey: KeyTest;
  /** The digits of the private keys of the text. */
  readonly #keys: ReadonlySet<string>;

  /**
   * @param names - Names of other imports; new ones are added.
   * @param text - The whole text: what is a private key at one place of it is one at every place. The key of an address in it
   *   is a secret too, once the code that finds it is loaded.
   */
  constructor(names: SecretNames, text: string) {
    this.#names = names;
    const addressOfKey = loadedAddressOfKey();
    const isOfAddress = addressOfKey ? keysOfAddresses(text, addressOfKey) : noKey;
    const keys = privateKeysIn(text, isOfAddress).map((key) => slice(text, key).slice(-64).toLowerCase());
    this.#keys = new Set(keys);
    this.#isKey = (word) => this.#keys.has(word.slice(-64)) || isOfAddress(word);
  }

  target(target: Target): CleanTarget {
    const first = this.notes.length;
    const clean = this.#target(target);
    this.notes.push(...this.notes.splice(first).map((note) => ({ ...note, isAboutTarget: true })));
    return clean;
  }

  #target({ url: written, isName, headers, at }: Target): CleanTarget {
    if (isName) {
      const what = "The endpoint of this name has its own headers, so these are left out.";
      if (headers.length > 0) this.notes.push({ at, severity: "note", what });
      return { url: written, headers: {} };
    }
    const url = withScheme(written);
    const parts = secretParts(url);
    const owner = ownerOf(url, parts);
    const clean = this.#without(url, parts, `${owner}_KEY`, "A part of the address", at);
    const cleaned = headers.map((one) => [one.name, this.everywhereIn(this.#header(one, owner, at))]);
    return { url: this.everywhereIn(clean), headers: Object.fromEntries(cleaned) };
  }

  #header({ name, value, isSecret }: Header, owner: string, at: number): string {
    const wanted = /^authorization$/i.test(name) ? `${owner}_TOKEN` : constantOf(name, "TOKEN");
    return this.#without(
      value,
      secretInHeader(name, value, isSecret),
      wanted,
      `The value of the header \`${name}\``,
      at,
    );
  }

  /** @param at - Where it is in the file, for notes. */
  text(text: string, at: number): string {
    return this.#without(text, secretsInText(text, this.#isKey), "SECRET", "A part of the text", at);
  }

  /** Cleans a body or any other JSON; a text that is not JSON too. */
  json(json: string, at: number): string {
    const cell = readCell(json);
    if (cell.faults.length > 0 || !cell.root) return this.text(json, at);
    const edits = secretStrings(cell, this.#isKey).map(({ node, what, parts, name = "" }) => {
      const value = node.type === "string" ? String(node.value) : slice(json, spanOf(node));
      const isUnnamed = what === "private-key" && !isPrivateKey(value, name);
      const constant = isUnnamed ? "PRIVATE_KEY" : constantOf(name, "SECRET");
      const wanted = what === "url" ? `${ownerOf(value, parts)}_KEY` : constant;
      const clean = this.#without(value, parts, wanted, "A value of the request", at);
      return { span: spanOf(node), insert: JSON.stringify(clean) };
    });
    return replaced(
      json,
      edits.sort((a, b) => a.span.start - b.span.start),
    );
  }

  /**
   * @param isSecret - Whether the tool says so, whatever the value looks like.
   * @returns The placeholder, if the value of the variable is a secret.
   */
  variable(name: string, value: JsonValue, isSecret = false): string | undefined {
    if (typeof value !== "string" || value.includes("{{")) return undefined;
    const looksSecret =
      secretInValue(value, name, false, this.#isKey) !== undefined || (isSecretName(name) && value !== "");
    if (!isSecret && !looksSecret) return undefined;
    return this.#placeholder(value, constantOf(name, "SECRET"), `The variable \`${name}\``, 0);
  }

  /** Replaces the secrets found so far wherever else they are in strings of JSON, and what is a private key beside other strings. */
  everywhere(json: string): string {
    const made = json.replace(/"(?:[^"\\]|\\[\s\S])*"/g, (string) => this.everywhereIn(string));
    const keys = privateKeysIn(made, this.#isKey).filter((key) => !/^\d+$/.test(slice(made, key))); // not a number of JSON
    return this.#without(made, keys, "PRIVATE_KEY", "A part of the text", 0);
  }

  /** Does the same in plain text. */
  everywhereIn(text: string): string {
    const secrets = [...this.#names].filter(([value]) => value.length >= 8 && looksLikeKey(value, true));
    const made = secrets.reduce((all, [value, name]) => all.replaceAll(value, `{{$secret.${name}}}`), text);
    return made.replace(/(?:0x)?[\da-f]{64,}/gi, (hex) => this.#withoutKeys(hex));
  }

  /** Replaces private keys in hex, which may be part of longer data. */
  #withoutKeys(hex: string): string {
    const parts: Span[] = [];
    for (let at = /^0x/i.test(hex) ? 2 : 0; at + 64 <= hex.length; at++) {
      if (!this.#keys.has(hex.slice(at, at + 64).toLowerCase())) continue;
      parts.push(hex.length === at + 64 && at === 2 ? span(0, hex.length) : span(at, at + 64));
      at += 63;
    }
    return this.#without(hex, parts, "PRIVATE_KEY", "A part of the text", 0);
  }

  /** Removes from a note what is a secret or looks like one. */
  note(text: string): string {
    const edits = secretsInText(text, this.#isKey).map((part) => ({ span: part, insert: "…" }));
    return this.everywhereIn(replaced(text, edits));
  }

  #without(text: string, parts: readonly Span[], wanted: string, what: string, at: number): string {
    const edits = parts.map((part) => ({ span: part, insert: this.#placeholder(slice(text, part), wanted, what, at) }));
    return replaced(text, edits);
  }

  #placeholder(written: string, wanted: string, what: string, at: number): string {
    const taken = new Set(this.#names.values());
    const value = /^(?:0x)?[\da-f]{64}$/i.test(written) ? written.toLowerCase() : written;
    const name = this.#names.get(value) ?? freeName(wanted, "_", (one) => taken.has(one));
    if (!this.#names.has(value)) {
      const note = `${what} is a secret, so {{$secret.${name}}} replaces it. Store it under this name.`;
      this.notes.push({ at, severity: "note", what: note });
    }
    this.#names.set(value, name);
    return `{{$secret.${name}}}`;
  }
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
    secrets.map((part) => ({ span: part, insert: "" })),
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

/** Returns the keys and passwords that are written in the cells of a notebook, as `check` finds them. */
export function literalSecrets(cells: readonly { readonly kind: string; readonly text: string }[]): readonly string[] {
  return cells.flatMap(({ kind, text }) => {
    const isKey = keysOfAddresses(text);
    const cell = kind === "markdown" ? undefined : readCell(text);
    if (!cell?.root) return secretsInText(text, isKey).map((part) => slice(text, part));
    return secretStrings(cell, isKey).flatMap(({ node, parts }) => {
      const value = node.type === "string" ? String(node.value) : slice(text, spanOf(node));
      return parts.map((part) => slice(value, part));
    });
  });
}
