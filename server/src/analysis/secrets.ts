import { keysOfAddresses, mayHoldKeys } from "../abi/address.ts";
import { isAddress } from "../base/hex.ts";
import { looksLikeKey } from "../base/keyLike.ts";
import { isPrivateKey, type KeyTest, noKey, privateKeysIn } from "../base/privateKeys.ts";
import { secretParts } from "../base/secretParts.ts";
import { secretInHeader, secretsInText } from "../base/secretText.ts";
import { type Span, shift, span } from "../base/span.ts";
import type { Cell, RequestNode } from "../notebook/cell.ts";
import { items, type JsonNode, member, spanOf } from "../notebook/json.ts";
import type { ProblemWith } from "./problem.ts";
import { hasPlaceholder } from "./references.ts";
import { isSample } from "./samplePlaceholder.ts";
import type { Scope } from "./scope.ts";

/** Members that cannot contain a personal secret; they are skipped, or checked by name only. */
const harmless: readonly string[] = [
  "$schema",
  "openrpc",
  "descriptors",
  "recording",
  "abi",
  "labels",
  "method",
  "function",
  "event",
];

/** The secret parts of a value. */
interface SecretMatch {
  readonly what: ProblemWith<"secret-in-file">["what"];
  /** In the value of the string; of a number in its digits. */
  readonly parts: readonly Span[];
}

/** A secret in a string, or a number, of a cell. An import takes out the same ones that `check` finds. */
export interface SecretString extends SecretMatch {
  readonly node: JsonNode;
  /** The name of the value; absent in lists. */
  readonly name?: string | undefined;
}

/**
 * Finds keys and secrets that should not be in a file that others read. Hashes, topics and slots look like private
 * keys, so names distinguish those.
 */
export function secretsIn(cell: Cell, isKey: KeyTest = noKey): readonly ProblemWith<"secret-in-file">[] {
  if (!cell.root)
    return secretsInText(cell.text, isKey).map((at) => ({ code: "secret-in-file", span: at, what: "secret" as const }));
  return secretStrings(cell, isKey).map(({ node, what }) => ({ code: "secret-in-file", span: spanOf(node), what }));
}

/** Finds the secrets that the cell alone does not show: private keys of addresses in it. */
export function keysBesideAddresses(cell: Cell, scope: Scope): readonly ProblemWith<"secret-in-file">[] {
  const isKey = keyTestIn(cell, scope);
  if (!isKey) return [];
  const known = new Set(secretsIn(cell).map(({ span: { start } }) => start));
  return secretsIn(cell, isKey).filter(({ span: { start } }) => !known.has(start));
}

/** @returns `undefined` if a cell does not have both 32 bytes and an address, or the code that tries them is not loaded yet. */
export function keyTestIn({ text }: Cell, { addressOfKey }: Scope): KeyTest | undefined {
  return addressOfKey && mayHoldKeys(text) ? keysOfAddresses(text, addressOfKey) : undefined;
}

/** @param isKey - Says of 32 bytes whether they are a private key, whatever their name is. */
export function secretStrings({ text, root, requests }: Cell, isKey: KeyTest): readonly SecretString[] {
  if (!root) return [];
  const byMethod = requests.flatMap((request) => inMethod(text, request));
  const known = new Set(byMethod.map(({ node }) => node));
  return [...byMethod, ...[...named(text, root, isKey)].filter(({ node }) => !known.has(node))];
}

/** Parameters, from 0, that are keys or passwords. @see https://geth.ethereum.org/docs/interacting-with-geth/rpc/ns-personal */
const secretParams: Readonly<Record<string, readonly number[]>> = {
  personal_importRawKey: [0, 1],
  personal_newAccount: [0],
  personal_sendTransaction: [1],
  personal_sign: [2],
  personal_signTransaction: [1],
  personal_unlockAccount: [1],
  parity_changePassword: [1, 2],
  parity_newAccountFromPhrase: [0, 1],
  parity_newAccountFromSecret: [0, 1],
  parity_newAccountFromWallet: [0, 1],
  parity_testPassword: [1],
};

function inMethod(text: string, { method = "", members }: RequestNode): readonly SecretString[] {
  const params = items(members.get("params")?.value);
  const positions = Object.hasOwn(secretParams, method) ? (secretParams[method] ?? []) : [];
  return positions.flatMap((position): readonly SecretString[] => {
    const node = params[position];
    if (node?.type !== "string" || node.value === "" || hasPlaceholder(text, node)) return [];
    const value = String(node.value);
    const isKey = /^(?:0x)?[0-9a-f]{64}$/i.test(value);
    const name = isKey ? "private key" : "password";
    return [{ node, what: isKey ? "private-key" : "secret", parts: [span(0, value.length)], name }];
  });
}

/** Values under their keys; in a list of names and values, as headers and variables of other tools are, under those names. */
function* named(text: string, node: JsonNode, isKey: KeyTest, key?: string, around?: string): Generator<SecretString> {
  if (key !== undefined && harmless.includes(key)) return;
  if (node.type === "array" && (key === "markdown" || key === "text")) yield* inLines(items(node), isKey);
  if (node.type === "string") {
    const value = String(node.value);
    const inHeader = key !== undefined && /^headers?$/i.test(around ?? "") ? secretInHeader(key, value) : [];
    const found =
      inHeader.length > 0
        ? { what: "authorization" as const, parts: inHeader }
        : secretInValue(value, key ?? "", hasPlaceholder(text, node), isKey);
    if (found) yield { node, name: key, ...found };
  }
  if (node.type === "number" && node.length > 5 && isSecretProperty(wordsOf(key ?? "")))
    yield { node, name: key, what: "secret", parts: [span(0, node.length)] };
  const stated = statedName(node);
  for (const child of node.children ?? []) {
    const [name, value] = child.type === "property" ? (child.children ?? []) : [undefined, child];
    if (!value) continue;
    if (name === undefined) yield* named(text, value, isKey, nameInList(node, value, key), around);
    else if (name.value === "key" && (member(node, "value") || member(node, "proof")))
      yield* named(text, value, isKey, "slot key", key);
    else yield* named(text, value, isKey, (name.value === "value" ? stated : undefined) ?? String(name.value), key);
  }
}

/** Private keys in the lines of a text: their names may be in lines before. */
function* inLines(lines: readonly JsonNode[], isKey: KeyTest): Generator<SecretString> {
  const texts = lines.map(({ value }) => (typeof value === "string" ? value : ""));
  const keys = privateKeysIn(texts.join("\n"), isKey);
  let start = 0;
  for (const [at, node] of lines.entries()) {
    const length = texts[at]?.length ?? 0;
    const alone = new Set(privateKeysIn(texts[at] ?? "", isKey).map((key) => key.start));
    const parts = keys
      .map((key) => shift(key, -start))
      .filter((key) => key.start >= 0 && key.end <= length && !alone.has(key.start));
    if (parts.length > 0) yield { node, what: "secret", parts };
    start += length + 1;
  }
}

/** The name of a value in a list: the text before it, as in `["Private key:", "0x…"]`. */
function nameInList(list: JsonNode, value: JsonNode, key: string | undefined): string | undefined {
  const children = list.children ?? [];
  const before = children[children.indexOf(value) - 1]?.value;
  return typeof before === "string" && /^[^\d{][^{}]{0,60}$/.test(before) ? `${key ?? ""} ${before}` : key;
}

/** The name that `{ "key": …, "value": … }` gives to its value. */
function statedName(node: JsonNode): string | undefined {
  if (node.type !== "object" || member(node, "value")?.type !== "string") return undefined;
  if (member(node, "type")?.value === "secret") return "secret";
  const name = member(node, "key") ?? member(node, "name");
  return name?.type === "string" ? String(name.value) : undefined;
}

/**
 * Returns the secret part of a value.
 *
 * @param name - The name of the value; empty if it has none.
 * @param isPartial - Whether it contains placeholders, so that its name alone is not enough evidence.
 * @param isKey - Says of 32 bytes whether they are a private key, whatever their name is.
 */
export function secretInValue(
  value: string,
  name: string,
  isPartial: boolean,
  isKey: KeyTest,
): SecretMatch | undefined {
  const keys = /^(?:0x)?[0-9a-f]{64}$/i.test(value) ? [] : privateKeysIn(value, isKey);
  if (keys.length > 0) return { what: "secret", parts: secretsInText(value, isKey) };
  const words = wordsOf(name);
  const least = isSecretProperty(words) ? 3 : 8;
  if (value.length < least || value === everyones || isAddress(value) || isSample(value)) return undefined;
  const all = [span(0, value.length)];
  if (!isPartial) {
    if (/^(?:bearer|basic)\s+\S{8,}$/i.test(value))
      return { what: "authorization", parts: secretInHeader("Authorization", value) };
    if (isMnemonic(value)) return { what: "mnemonic", parts: all };
    if (/^(?:0x)?0+$/.test(value)) return undefined;
    if (/^(?:0x)?[0-9a-f]{64}$/i.test(value))
      return isPrivateKey(value, name, isKey) ? { what: "private-key", parts: all } : undefined;
    const isNamed = isSecretProperty(words) || (mayNameSecret(words) && looksLikeKey(value, true));
    if (isNamed && !/^[a-z][\w+.-]*:\/\//i.test(value) && !/^0x/i.test(value)) return { what: "secret", parts: all };
  }
  const isUrl = /^[a-z][\w+.-]*:[\\/]{2}\S*$|^\{\{[^{}]*\}\}\/\S*$/i.test(value);
  const parts = isUrl ? secretParts(value) : secretsInText(value, isKey);
  return parts.length === 0 ? undefined : { what: isUrl ? "url" : "secret", parts };
}

/** @example wordsOf("deployerPrivateKey"); //=> ["deployer", "private", "key"] */
function wordsOf(name: string): readonly string[] {
  return name
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\d]+/u)
    .filter((word) => word !== "");
}

function isSecretProperty(name: readonly string[]): boolean {
  const joined = name.join(" ");
  return (
    /\b(?:password|passphrase|passwd|secret|apikey|mnemonic|authorization|jwt|cookie)\b/.test(joined) ||
    /\b(?:api|secret|auth|access|private) (?:key|token)$/.test(joined)
  );
}

/** Names of what may as well be known to all. */
function mayNameSecret(name: readonly string[]): boolean {
  const isOpen = name.some((word) =>
    /^(?:public|pub|pubkey|storage|pool|position|hash|topic|foreign|primary)$/.test(word),
  );
  return !isOpen && /^(?:key|token|auth|session|sid|pat)$/.test(name.at(-1) ?? "");
}

/** The public phrase of every development chain, which is not a secret. */
const everyones = "test test test test test test test test test test test junk";

/** Whether a text has as many words as a wallet's phrase, each of a usual length, without words common in sentences. */
function isMnemonic(value: string): boolean {
  const words = value.trim().split(/\s+/);
  return (
    [12, 15, 18, 21, 24].includes(words.length) &&
    words.every((word) => /^[a-z]{3,8}$/.test(word) && !/^(?:the|and|for|are|with|was|has|its)$/.test(word))
  );
}
