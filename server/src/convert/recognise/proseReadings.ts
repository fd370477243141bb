import { isAddress } from "../../base/hex.ts";
import { blockOf } from "./blockNumber.ts";
import { chainOfPrefix, ofChain } from "./chainNote.ts";
import { urlReadings } from "./explorerUrl.ts";
import { addressReading, blockHashReading, hexReadings, topicReading, valueReading } from "./hexReadings.ts";
import { distinct, type Reading, type RecogniseScope, unescaped } from "./reading.ts";

/** Values of a text that are looked at. */
const maxValues = 100;

/**
 * Finds the values in running text: pages of explorers, hashes, addresses, data, blocks and names. One value has all of its
 * readings; of several, each has its first, the kinds that say most in front.
 */
export function proseReadings(written: string, scope: RecogniseScope): readonly Reading[] {
  const text = unescaped(written);
  const values = [...valuesIn(text, scope), ...blocksIn(text), ...namesIn(text, scope)].filter((one) => one.length > 0);
  const [only] = values;
  if (values.length === 1 && only) return only;
  const first = distinct(values.flatMap((readings) => readings.slice(0, 1)));
  return first.toSorted((a, b) => rank(a) - rank(b));
}

const order = [
  /^(?:Transaction|Signed|Receipt)/,
  /^(?:Call|Revert|Log|Creation|Contract)/,
  /^(?:Event|Error|Function)/,
  /^Address/,
  /^Block/,
];

function rank({ name }: Reading): number {
  const at = order.findIndex((pattern) => pattern.test(name));
  return at === -1 ? order.length : at;
}

function valuesIn(text: string, scope: RecogniseScope): readonly (readonly Reading[])[] {
  const isBlock = /\b(?:stateRoot|receiptsRoot)\b/.test(text.slice(text.search(/\bparentHash\b|$/)));
  const tokens = text.matchAll(
    /https?:\/\/[^\s"'<>`|\\]{1,2000}|(?<![\w@/.]|\bsha\d*:)[\da-fA-F]{64}(?!\w)|(?<![\da-zA-Z])(?:[a-z][a-z\d-]{0,19}:(?:\d{1,20}:)?)?0x[\da-fA-F]+/gi,
  );
  const found: (readonly Reading[])[] = [];
  for (const { 0: written, index } of tokens) {
    if (found.length >= maxValues) break;
    const before = text.slice(Math.max(0, index - 40), index);
    const isBare = /^[\da-f]{64}$/i.test(written);
    if (isBare && !labels.bare.test(before)) continue;
    const token = isBare ? `0x${written}` : written;
    if (/^https?:/i.test(token)) found.push(pageReadings(token, scope));
    else found.push(tokenReadings(token, before, isBlock, scope));
  }
  return found;
}

/** Pages without a value are of no interest beside other text. */
function pageReadings(token: string, scope: RecogniseScope): readonly Reading[] {
  const found = urlReadings(token.replace(/[.,;:)\]}]+$/, ""), scope) ?? [];
  return found.filter(({ cells }) => cells.length > 0);
}

/** Names before values, at the end of a text. */
const labels = {
  block: named("(?:block|parent)(?:\\s(?:at|with))?[\\s_-]*(?:hash|id)?"),
  hash: named("\\bhash"),
  /** Digits without `0x` are a hash only behind such a word. */
  bare: /(?:tx|trans[ao]|hash|block|транзак|х[еэ]ш|блок|哈希|交易|ハッシュ|해시)[^\n]{0,30}$/i,
  topic: /topics?["'`\s:=#([\]\d]*$/i,
  /** 32 bytes that are not the hash of a transaction or a block. */
  other: named(
    "\\b(?:data|value|salt|slot|key|id|r|s|nonce|digest|secret|mixHash|extraData|sha3Uncles|[a-z]*root|code\\s?hash)",
  ),
};

function named(name: string): RegExp {
  return new RegExp(`${name}["'\`\\s:=#(]*(?:HexBytes\\(["'])?$`, "i");
}

/** @param before - The text before the value, which may say what it is. */
function tokenReadings(token: string, before: string, isBlock: boolean, scope: RecogniseScope): readonly Reading[] {
  const { prefix, hex } = prefixed(token);
  if (isAddress(hex)) return [ofChain(addressReading(hex, scope), prefix, scope)];
  if (hex.length !== 66) return hex.length < 10 || hex.length % 2 === 1 ? [] : hexReadings(hex, scope);
  if (labels.block.test(before) || (isBlock && labels.hash.test(before))) return [blockHashReading(hex)];
  if (labels.topic.test(before)) return [topicReading(hex.toLowerCase(), scope)];
  return labels.other.test(before) ? [valueReading(hex.toLowerCase(), scope)] : hexReadings(hex, scope);
}

/** Takes `eth:0x…` and `eip155:1:0x…` apart. @see https://github.com/ChainAgnostic/CAIPs/blob/main/CAIPs/caip-10.md */
export function prefixed(token: string): { readonly prefix: bigint | undefined; readonly hex: string } {
  const [, name, id, hex = token] = /^([a-z][a-z\d-]{0,19}):(?:(\d{1,20}):)?(0x[\da-f]+)$/i.exec(token) ?? [];
  if (name === undefined) return { prefix: undefined, hex };
  return { prefix: name === "eip155" && id !== undefined ? BigInt(id) : chainOfPrefix(name), hex };
}

function blocksIn(text: string): readonly (readonly Reading[])[] {
  const found = text.matchAll(
    /\bblock(?:\s(?:at|with))?(?:\s?(?:number|height|id|no\.?))?["'`]?\s?[#:=]?\s?["'`]?(?:0x[\da-f]{1,12}|\d[\d,_]{0,20})(?![\da-zA-Z])/gi,
  );
  return [...found].slice(0, 20).map(([written]) => {
    const reading = blockOf(`block ${/(?:0x[\da-f]+|\d[\d,_]*)$/i.exec(written.replace(/[,_]+$/, ""))?.[0]}`);
    return reading ? [reading] : [];
  });
}

/** Labels that are compared with a text, and characters of the text. */
const most = { labels: 1000, text: 20_000 };

function namesIn(text: string, scope: RecogniseScope): readonly (readonly Reading[])[] {
  const lower = ` ${text
    .slice(0, most.text)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_-]+/gu, " ")} `;
  return [...scope.labels].slice(0, most.labels).flatMap(([address, name]) => {
    const word = name.toLowerCase().replace(/[^\p{L}\p{N}_-]+/gu, " ");
    return word.length > 2 && lower.includes(` ${word} `) ? [[addressReading(address, scope)]] : [];
  });
}
