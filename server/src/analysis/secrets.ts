import { isAddress } from "../base/hex.ts";
import { secretParts } from "../base/secretParts.ts";
import type { Cell, RequestNode } from "../notebook/cell.ts";
import { items, type JsonNode, spanOf } from "../notebook/json.ts";
import type { Problem, SecretInFile } from "./problem.ts";
import { hasPlaceholder } from "./references.ts";
import { isSample } from "./samplePlaceholder.ts";
import { textsIn } from "./texts.ts";

/** What is looked at by name or not at all: none of it is a person's secret. */
const harmless: readonly string[] = ["$schema", "openrpc", "abi", "labels", "method", "function", "event"];

/**
 * Finds keys and secrets that should not be in a file that others read. Hashes, topics and slots look like private
 * keys, so those are told by the name that they go by.
 */
export function secretsIn({ text, root, requests }: Cell): readonly Problem[] {
  if (!root) return [];
  return [...requests.flatMap((request) => inMethod(text, request)), ...named(text, root)];
}

/** Parameters, from 0, that are keys or passwords. @see https://geth.ethereum.org/docs/interacting-with-geth/rpc/ns-personal */
const secretParams: Readonly<Record<string, readonly number[]>> = {
  personal_importRawKey: [0, 1],
  personal_newAccount: [0],
  personal_sendTransaction: [1],
  personal_sign: [2],
  personal_signTransaction: [1],
  personal_unlockAccount: [1],
};

function inMethod(text: string, { method = "", members }: RequestNode): readonly Problem[] {
  const params = items(members.get("params")?.value);
  const positions = Object.hasOwn(secretParams, method) ? (secretParams[method] ?? []) : [];
  return positions.flatMap((position): readonly Problem[] => {
    const node = params[position];
    if (node?.type !== "string" || node.value === "" || hasPlaceholder(text, node)) return [];
    const isKey = /^(?:0x)?[0-9a-f]{64}$/i.test(String(node.value));
    return [{ code: "secret-in-file", span: spanOf(node), what: isKey ? "private-key" : "secret" }];
  });
}

function named(text: string, root: JsonNode): readonly Problem[] {
  return [...textsIn(root)].flatMap(({ node, isKey, key }): readonly Problem[] => {
    if (isKey || (key !== undefined && harmless.includes(key)) || hasPlaceholder(text, node)) return [];
    const what = secretOf(String(node.value), wordsOf(key ?? ""));
    return what ? [{ code: "secret-in-file", span: spanOf(node), what }] : [];
  });
}

function secretOf(value: string, name: readonly string[]): SecretInFile["what"] | undefined {
  if (value.length < 8 || value === everyones || isAddress(value) || isSample(value)) return undefined;
  if (/^(?:bearer|basic)\s+\S{8,}$/i.test(value)) return "authorization";
  if (/^(?:https?|wss?):\/\//i.test(value)) return holdsKey(value) ? "url" : undefined;
  if (isMnemonic(value)) return "mnemonic";
  if (/^(?:0x)?[0-9a-f]{64}$/i.test(value)) return namesPrivateKey(name) ? "private-key" : undefined;
  return namesSecret(name) && !/^0x/i.test(value) ? "secret" : undefined;
}

/** @example wordsOf("deployerPrivateKey"); //=> ["deployer", "private", "key"] */
function wordsOf(name: string): readonly string[] {
  return name
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\d]+/u)
    .filter((word) => word !== "");
}

/** Who has keys; those of storage, mappings, pools and positions are no secrets. */
const holders = /^(?:private|priv|secret|signing|signer|deployer|owner|wallet|account|admin|operator|relayer|hot)$/;

function namesPrivateKey(name: readonly string[]): boolean {
  const last = name.at(-1) ?? "";
  if (name.some((word) => /^(?:privatekey|privkey|pk|secret|secretkey|mnemonic|seed)$/.test(word))) return true;
  return last === "key" && (name.length === 1 || holders.test(name.at(-2) ?? ""));
}

function namesSecret(name: readonly string[]): boolean {
  const joined = name.join(" ");
  return (
    /\b(?:password|passphrase|passwd|secret|apikey|mnemonic|authorization)\b/.test(joined) ||
    /\b(?:api|secret|auth|access|private) (?:key|token)$/.test(joined)
  );
}

/** The phrase of every development chain is nobody's secret. */
const everyones = "test test test test test test test test test test test junk";

/** As many words as wallets write, each as long as theirs, without those that every sentence has. */
function isMnemonic(value: string): boolean {
  const words = value.trim().split(/\s+/);
  return (
    [12, 15, 18, 21, 24].includes(words.length) &&
    words.every((word) => /^[a-z]{3,8}$/.test(word) && !/^(?:the|and|for|are|with|was|has|its)$/.test(word))
  );
}

function holdsKey(address: string): boolean {
  return secretParts(address).length > 0;
}
