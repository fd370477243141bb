import { keysOfAddresses } from "../../abi/address.ts";
import { signedTransaction } from "../../abi/transaction.ts";
import { isAddress } from "../../base/hex.ts";
import { isArray, isObject, type JsonObject, type JsonValue, parseJson } from "../../base/json.ts";
import { keyMark, unsaidWordsIn } from "../../base/privateKeys.ts";
import { brief, plural, replaced, withoutKeys } from "../../base/text.ts";
import { blockOf } from "./blockNumber.ts";
import { ofChain } from "./chainNote.ts";
import { errorReadings, isErrorText, refusalMeaning } from "./errorReadings.ts";
import { urlReadings } from "./explorerUrl.ts";
import { addressReading, hexReadings } from "./hexReadings.ts";
import { jsonReadings } from "./jsonReadings.ts";
import { prefixed, proseReadings } from "./proseReadings.ts";
import { distinct, type Reading, type RecogniseScope } from "./reading.ts";

export interface Recognition {
  /** The best first. */
  readonly readings: readonly Reading[];
  /** Says why there is none, or what of the text was not read. Safe to show. */
  readonly note: string | undefined;
}

/** Characters that are read. JSON may be longer, since it is read as a whole. */
const maxLength = { text: 200_000, json: 4_000_000 };

const maxReadings = 30;

/**
 * Says what any pasted text may be, and makes cells that ask about it. Sends nothing, and never throws.
 *
 * @param written - Of any length: a value, JSON, an error message, prose, binary data.
 */
export function recognise(written: string, scope: RecogniseScope): Recognition {
  const shown = written.replace(/[\u00ad\u200b-\u200f\u2060\ufeff]/g, ""); // pages put them into long values
  if (isPhrase(shown)) return { readings: [], note: privateKey };
  const certain = withoutPrivateKeys(shown);
  const text = withoutUnsaid(certain);
  const notes = [certain.includes(keyMark) ? privateKey : undefined, text.includes(unsaidMark) ? unsaid : undefined];
  const left = notes.filter((note) => note !== undefined);
  const scanned = text.slice(0, maxLength.text);
  const whole = text.length <= maxLength.text ? valueReadings(unwrapped(text), scope) : [];
  const json = whole.length === 0 && mayBeJson(text) ? parseJson(text) : undefined;
  const found =
    whole.length > 0 ? whole : json === undefined ? textReadings(scanned, scope) : ofJson(json, scanned, scope);
  const readings = distinct(found).slice(0, maxReadings);
  const isCut = json === undefined && text.length > scanned.length;
  const meaning = isErrorText(text) ? refusalMeaning(text) : undefined;
  if (readings.length === 0 && left.length === 0 && meaning !== undefined)
    return { readings: [{ name: "Error message", what: `${meaning} ${lacking}`, cells: [] }], note: undefined };
  if (readings.length === 0) return { readings, note: left.join(" ") || whyNone(text) };
  if (left.length > 0) return { readings, note: left.join(" ") };
  return { readings, note: isCut ? `Only the first ${plural(maxLength.text, "character")} were read.` : undefined };
}

/** Raw transactions whose senders are found out. Each takes a few milliseconds. */
const maxSigned = 5;

/** Finds the calls that signed transactions in a text make, for {@link RecogniseScope.signed}. */
export async function signedIn(text: string): Promise<ReadonlyMap<string, JsonObject>> {
  const found = new Map<string, JsonObject>();
  for (const hex of hexIn(text)
    .filter((one) => one.length > 140 && /^0x(?:0[1-4]|f[89])/.test(one))
    .slice(0, maxSigned)) {
    const call = await signedTransaction(hex);
    if (call) found.set(hex, call);
  }
  return found;
}

/** Hex values that a text has, each once and in lower case, at most 100. */
function hexIn(text: string): readonly string[] {
  const found = text.slice(0, maxLength.text).match(/(?<![\da-zA-Z])0x[\da-fA-F]{8,}/g) ?? [];
  return [...new Set(found.slice(0, 100).map((hex) => hex.toLowerCase()))];
}

/** Returns the values of a text that declarations are needed for, in the shape of answers. */
export function decodableIn(text: string): JsonValue {
  return hexIn(/^\s*[\da-f]{64}\s*$/i.test(text) ? `0x${text.trim()}` : text).map((hex) => [
    { input: hex, status: "0x0", returnData: hex },
    { topics: [hex] },
  ]);
}

export const keyAdvice = "Anyone who has it controls the account. Do not paste it anywhere.";
const privateKey = `What looks like a private key or a seed phrase is left out. ${keyAdvice}`;
const unsaid =
  "32 bytes are not sent: they may be a private key. If they are a hash, paste the hash alone to ask about it.";

function isPhrase(text: string): boolean {
  return /(?:mnemonic|seed[\s_-]*phrase)["'`\s:=]{1,6}(?:[a-z]{3,8}\s+){11}/i.test(text.slice(0, maxLength.text));
}

/** Characters without width inside a word, which they would hide. Other scripts than these need them. */
const inWord =
  /(?<=[\p{N}\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Han}])[\u00ad\u200b-\u200f\u2060\ufeff]+(?=[\p{N}\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Han}])/gu;

/** Takes out private keys, including those whose address is in the text. */
export function withoutPrivateKeys(text: string): string {
  const read = text.slice(0, maxLength.json).replace(inWord, "");
  return withoutKeys(read, keysOfAddresses(read)) + text.slice(maxLength.json);
}

/** Replaces 32 bytes that may be a private key. */
const unsaidMark = "‹32 bytes›";

/** Takes out 32 bytes if nothing in the text says what they are. */
function withoutUnsaid(text: string): string {
  const read = text.slice(0, maxLength.json);
  return replaced(
    text,
    unsaidWordsIn(read).map((span) => ({ span, insert: unsaidMark })),
  );
}

const closing: ReadonlySet<string> = new Set("\"'`>)],;.\u201d\u2019");

/** Takes off the quotes and marks that come along when a value is copied. */
function unwrapped(text: string): string {
  const opened = text.trim().replace(/^["'`<([\u201c\u2018]+(?=\S)/, "");
  let end = opened.length;
  while (closing.has(opened.charAt(end - 1))) end--; // a pattern would try each place of a long row again
  return opened.slice(0, end);
}

function valueReadings(text: string, scope: RecogniseScope): readonly Reading[] {
  const joined = /^0x[\da-f\s]+$/i.test(text) ? text.replace(/\s+/g, "") : text.replace(/^0X/, "0x");
  const { prefix, hex } = prefixed(joined);
  if (/^0x[\da-f]*$/i.test(hex))
    return prefix !== undefined && isAddress(hex)
      ? [ofChain(addressReading(hex, scope), prefix, scope)]
      : hexReadings(hex, scope);
  if (/^(?:[\da-f]{40}|[\da-f]{64})$/i.test(text)) return hexReadings(`0x${text}`, scope);
  const block = blockOf(text);
  if (block) return [block];
  const named = [...scope.labels].find(([, name]) => name.toLowerCase() === text.toLowerCase());
  if (named) return [addressReading(named[0], scope)];
  return urlReadings(/^[a-z\d.-]{1,80}\.[a-z]{2,20}\/\S/i.test(text) ? `https://${text}` : text, scope) ?? [];
}

function mayBeJson(text: string): boolean {
  return text.length <= maxLength.json && /^\s*[[{"]/.test(text);
}

function ofJson(json: JsonValue, text: string, scope: RecogniseScope): readonly Reading[] {
  if (typeof json === "string") return textReadings(json.slice(0, maxLength.text), scope);
  const found = jsonReadings(json, scope);
  if (found.length > 0 && !hasError(json)) return found;
  return [...errorReadings(text, scope), ...found, ...(found.length > 0 ? [] : proseReadings(text, scope))];
}

function hasError(json: JsonValue): boolean {
  if (isArray(json)) return json.slice(0, 20).some(hasError);
  return (
    isObject(json) &&
    (isObject(json.error) || typeof json.message === "string" || typeof json.shortMessage === "string")
  );
}

function textReadings(text: string, scope: RecogniseScope): readonly Reading[] {
  const lines = jsonLines(text);
  const inLines = lines.length > 0 && !isErrorText(text) ? lines.flatMap((one) => jsonReadings(one, scope)) : [];
  const errors = isErrorText(text) ? errorReadings(text, scope) : [];
  return [...errors, ...inLines, ...proseReadings(text, scope)];
}

/** Finds JSON in one of the lines of a text, or after a word: `receipt: {…}`. */
function jsonLines(text: string): readonly JsonValue[] {
  const open = text.search(/[[{]/);
  const close = Math.max(text.lastIndexOf("}"), text.lastIndexOf("]"));
  const json = open === -1 || close < open ? undefined : parseJson(text.slice(open, close + 1));
  return json === undefined ? [] : [json];
}

const lacking =
  "This message has no hash, address, call or revert data. Paste the hash of the transaction, or the request that failed.";

function whyNone(text: string): string {
  const start = text.slice(0, 4000);
  const sample = start.trim();
  if (sample === "") return "The text is empty.";
  const unreadable = start.match(/[\u0000-\u0008\u000e-\u001f\ufffd]/g)?.length ?? 0;
  if (unreadable > start.length / 50)
    return "This is binary data. Paste text: a hash, an address, JSON or an error message.";
  if (/^[\p{L}\p{N}-]{1,200}(?:\.[\p{L}\p{N}-]{1,200})*\.(?:eth|xyz|box|cb\.id)$/iu.test(sample))
    return `${brief(sample, 80)} is an ENS name. Names are not looked up: paste the address, or name it in \`labels\`.`;
  if (/0x[\da-f]{1,20}(?:…|\.{2,3})[\da-f]{2,}/i.test(start)) return "The value is shortened. Copy the whole value.";
  if (isErrorText(start)) return lacking;
  return "Nothing was recognized. Paste a hash, an address, a block number, call data, JSON, a block explorer page or an error message.";
}
