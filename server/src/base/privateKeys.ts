import { developmentKeys } from "./developmentKeys.ts";
import { columnOf, isSaidToSign, isSpokenOfAround, keyInWords } from "./keyDoubt.ts";
import { isSaidPublic } from "./publicWords.ts";
import { type Span, span } from "./span.ts";

/** Characters before a value in which its name is looked for. A list of keys under one name may be long. */
const maxBefore = 4000;

/** Characters before a value in which a private key is spoken of, and characters of a name. */
const [maxLine, maxName] = [120, 80];

/** Letters and signs that Chinese and Japanese keyboards write. */
const fullWidth = /[\uff01-\uff5e\u3000]/g;

const words = /(?<![\da-z])(?:0x)?[\da-f]{64}(?![\da-z])/gi;

/** Words that may stand between a name and its values: numbers of a list, other values of it, casts, and `value`. */
const between = /^(?:\d{1,3}|0x|uint256|bytes32|new|is|was|value|(?:0x)?(?:[\da-f]{64}|[\da-f]{40}))$/i;
/** Functions that only change how a value is written. */
const casts =
  /^(?:buffer|from|from_?hex|decode_?hex|hex|decode|hex_?to_?bytes|to_?bytes|hex2bytes|arrayify|getbytes|b256|bytes|big_?integer|big_?int|common|utils|string)$/i;

/** Names whose values are private keys, wherever they are. */
const keyNames = new RegExp(
  [
    String.raw`(?:private|priv|secret|signing|signer|deployer|owner|wallet|account|admin|operator|relayer|sender|hot|raw|funder|faucet|minter|sequencer|proposer|batcher|challenger|validator|keeper|bundler|executor|test|dev|eth|evm|my)[\s_-]*keys?`,
    "(?:priv|prv|pvt|sec|node)_?keys?(?:hex)?|fromprivate|privateto\\w*|(?:^|[^a-z])private",
    "(?:^|[^a-z])(?:[ps]k|pkey|secrets?|mnemonic|entropy)",
    String.raw`(?:^|\s)--?(?:k|key|pk|from|unlock|sender|account)`,
    keyInWords,
    String.raw`privateKeyTo\w*|from_?(?:private_?)?key|(?:signing|ecdsa)key|import_?raw_?key|rememberKey`,
    String.raw`(?:^|[^a-z])(?:vm\.addr|vm\.sign|cast wallet address)|(?:^|[^a-z])(?:sign\w*|send_?transaction)\([\w.]+`,
  ].join("|"),
  "iu",
);
const endsInKeyName = new RegExp(`(?:${keyNames.source})[_\\d]{0,4}$`, "iu");
/** Names in another case than their last word: `deployerPk`, `alicePK`. */
const endsInShortName = /[a-z](?:Pk|PK|Sk|SK)[_\d]{0,4}$/;
/** Words of a longer name: `PK_ALICE`, `seedHex`. */
const hasKeyWord = /(?:^|_)(?:private_?key|priv_?key|pk|secret|secret_?key|mnemonic|seed)_/;

/** Names of accounts and of much else: their values are keys if a sign binds them to the name, as in `wallet: "0x…"`. */
const endsInWeakName =
  /(?:wallet|signer|deployer|owner|funder|faucet|sequencer|batcher|keeper|bundler|relayer|attester|burner|(?:^|[^a-z])(?:accounts?|seed|priv|prv|pvk|secp256k1|keys?))[_\d]{0,4}$/i;
/** Functions that take a key, and nothing else of 32 bytes. */
const endsInFunction =
  /(?:wallet|signer|broadcast|(?:wallet|accounts)\.add|credentials\.create|new account|(?:^|[^a-z])to_?account|compute_?address|wallet_?provider|toecdsa|eckey|keypair\.create)$/i;

/** Keys of something that is public. */
const otherKeys =
  /(?:storage|storage_?at|access_?list|mapping|map|role|public|pub|slot|state|trie|hash|sort|cache|foreign|primary|lookup|position|pool|order|idempotency|block|api|index)[\s_-]*keys?[_\d]{0,4}$|\brand(?:ao|omness)\b[\s\w/]{0,20}seed$|(?:hash|keccak(?:256)?|commitment|digest) of (?:\w+ ){0,2}\w+$/i;

/** Names of public values, which count more than a key that is spoken of before. */
const otherNames =
  /(?:tx|txn|transaction|hash|block|topics?|root|digest|salt|slot|event|nonce|commit|(?<![a-z])(?:tx|txn|uu|gu)?id)[_\d]{0,4}$/i;
/** Names that end in a word of their own: `orderId`, but not `said` and `invalid`. */
const endsInId = /[a-z]I[dD][_\d]{0,4}$/;

/** Words of a sentence about a transaction, between a value and what may be a name in that sentence. */
const ofTransaction =
  /\b(?:tx|txn|txs|transactions?|hash|block|receipt|mined|confirmed|sent|signed|submitted|broadcast(?:ed)?)\b[^,;{}[\]"'`\n]*$/i;
/** Words beside the key of a slot. */
const ofStorage = /\b(?:storage|slots?|mapping|trie|proofs?|merkle)\b/i;

const spokenOf = new RegExp(
  [
    keyInWords,
    String.raw`(?:raw_?key|from_?secret)\b|\bcast w(?:allet)? |\bgeth account import\b|\bm/44'/60'/`,
    String.raw`\bkeys? (?:to|of|for) (?:\p{L}+ ){0,2}(?:wallet|account|deployer|signer)`,
    String.raw`\b(?:vault|kubectl|fly|gh|wrangler|aws|heroku|doppler)\b[^\n]*\bsecrets?\b`,
  ].join("|"),
  "iu",
);

/** Replaces a private key. */
export const keyMark = "‹private key›";

/** What speaks of a key, unless that is the value behind it. */
const spokenOfAfter = new RegExp(
  String.raw`^["'\x60\s)\],;.:#/*<←-]{0,8}(?:(?:\p{L}{1,12}\s){0,3}["'\x60<-]{0,4}(?:${keyInWords})|(?:(?:#|//|<-|←|--)\s*[ps]k\b)|[^\n]{0,40}\bSigningKey\b)(?!\p{L}*["'\x60\s:=]{0,4}(?:${keyMark}|(?:0x)?[\da-f]{64}))`,
  "iu",
);

/** The first parameter of a request of JSON-RPC. */
const isOfRequest = /(?:eth|debug|trace|ots|erigon)_(?!sign|import)\w+["'\\\s,:]+(?:params["'\\\s:]+)?[["'\\\s]+$/;

/** Columns of tables whose values are hashes, and keys. */
const hashColumn = /^(?:(?:tx|txn|transaction|block|parent)\s?(?:hash|id)?|hash|txid|txhash|blockhash)$/i;
const keyColumn = /(?:^|\s)(?:keys?|pk|secret|signer)$/i;

/** Members beside the key of a slot, in the same object. */
const besideSlot = /["'`]?(?:value|proof)["'`]?\s*:/i;

/** Says whether 32 bytes, in lower case with `0x`, are a private key, whatever is written beside them. */
export type KeyTest = (word: string) => boolean;

export const noKey: KeyTest = () => false;

/** What a text says about 32 bytes in it. They are in doubt if it says that they are public, and speaks of a key too. */
type Verdict = "key" | "public" | "unsaid" | "inDoubt";

/**
 * Finds private keys: 32 bytes beside a name that sounds like a key, and the well-known keys of development chains. 32 bytes
 * that stand alone are a hash.
 */
export function privateKeysIn(text: string, isKey: KeyTest = noKey): readonly Span[] {
  return spansOf(["key"], text, isKey);
}

/** Finds 32 bytes that may be a private key: there are other words around them, and none says that they are public. */
export function unsaidWordsIn(text: string): readonly Span[] {
  const isAlone = !/[\p{L}\p{N}]/u.test(text.replace(words, ""));
  return isAlone ? [] : spansOf(["key", "unsaid", "inDoubt"], text, noKey);
}

/** Finds 32 bytes that a text says to be public, while it speaks of a private key: a request that has them may be a mistake. */
export function wordsInDoubtIn(text: string): readonly Span[] {
  return spansOf(["inDoubt"], text, noKey);
}

function spansOf(wanted: readonly Verdict[], written: string, isKey: KeyTest): readonly Span[] {
  const text = written.replace(fullWidth, (one) =>
    one === "\u3000" ? " " : String.fromCharCode(one.charCodeAt(0) - 0xfee0),
  );
  const looksTwice = wanted.includes("inDoubt");
  const hasKey = text.includes(keyMark);
  const found: Span[] = [];
  let last: { readonly end: number; readonly verdict: Verdict } = { end: -1, verdict: "unsaid" };
  for (const { 0: word, index } of text.matchAll(words)) {
    const at = span(index, index + word.length);
    const digits = word.slice(-64).toLowerCase();
    const nameEnd = endOfName(text, index, last.end);
    const inList = nameEnd === last.end ? last.verdict : "unsaid";
    const isCertain = developmentKeys.has(digits) || inList === "key" || isKey(`0x${digits}`);
    const first = isPadded(digits) ? "public" : isCertain ? "key" : verdictOf(text, nameEnd, at, last.end);
    const verdict = looksTwice && !isPadded(digits) ? checked(first, text, nameEnd, at, last.end, hasKey) : first;
    last = { end: at.end, verdict: verdict === "unsaid" ? inList : verdict };
    if (wanted.includes(last.verdict)) found.push(at);
  }
  return found;
}

/** Walks back over what may stand between a name and its values, to the value before at most. */
function endOfName(text: string, start: number, before: number): number {
  const floor = Math.max(before, start - maxBefore, 0);
  let end = start;
  while (end > floor) {
    let from = end;
    while (from > floor && /[\p{L}\p{N}_]/u.test(text.charAt(from - 1))) from--;
    const word = text.slice(from, end);
    if (from < end && !between.test(word) && !(casts.test(word) && /^(?:[.(!]|::)/.test(text.slice(end, end + 2))))
      return end;
    end = from < end ? from : end - 1;
  }
  return end;
}

export function isPrivateKey(value: string, name: string, isKey: KeyTest = noKey): boolean {
  return /^(?:0x)?[\da-f]{64}$/i.test(value) && privateKeysIn(`${name}: ${value}`, isKey).length > 0;
}

/** An address or a number that fills 32 bytes. */
function isPadded(digits: string): boolean {
  return digits.startsWith("0".repeat(16));
}

/** Looks at what is said of 32 bytes again: a column of a table says it, and what speaks of a key puts it in doubt. */
function checked(verdict: Verdict, text: string, nameEnd: number, at: Span, from: number, hasKey: boolean): Verdict {
  if (verdict === "key") return verdict;
  const column = columnOf(text, at);
  if (verdict === "unsaid") return column !== undefined && hashColumn.test(column) ? "public" : verdict;
  if (!hasKey && isSpokenOfAround(text, at)) return "inDoubt";
  const name = text.slice(Math.max(0, nameEnd - maxName), nameEnd);
  const isOfSlot = otherKeys.test(name) || (/keys?$/i.test(name) && endsInWeakName.test(name));
  if (isOfSlot || isOfRequest.test(text.slice(Math.max(0, nameEnd - maxName), at.start))) return verdict;
  const isKeyColumn = column !== undefined && keyColumn.test(column);
  return isKeyColumn || isSaidToSign(text, from, at) ? "inDoubt" : verdict;
}

function verdictOf(text: string, nameEnd: number, { start, end }: Span, from: number): Verdict {
  const name = text.slice(Math.max(0, nameEnd - maxName), nameEnd);
  if (otherKeys.test(name)) return "public";
  if (endsInKeyName.test(name) || endsInShortName.test(name)) return "key";
  const binding = text.slice(nameEnd, start);
  if (endsInFunction.test(name) && binding.includes("(")) return "key";
  if (endsInWeakName.test(name) && /[:=([>]/.test(binding))
    return isPublic(text, name, nameEnd, { start, end }) ? "public" : "key";
  if (otherNames.test(name) || endsInId.test(name)) return "public";
  const words = (/[\w-]+$/.exec(name)?.[0] ?? "").replace(/([a-z\d])([A-Z])/g, "$1_$2").toLowerCase();
  if (hasKeyWord.test(words.replaceAll("-", "_"))) return "key";
  if (isOfRequest.test(text.slice(Math.max(0, nameEnd - maxName), start))) return "public";
  const isSpokenOf =
    spokenOf.test(text.slice(Math.max(0, start - maxLine), start)) || spokenOfAfter.test(text.slice(end, end + 140));
  return isSpokenOf ? "key" : isSaidPublic(text, from, nameEnd, { start, end }) ? "public" : "unsaid";
}

/** Whether 32 bytes whose name may be that of a key are something else: the hash of a transaction, the key of a slot. */
function isPublic(text: string, name: string, nameEnd: number, { start, end }: Span): boolean {
  const line = /[^\n]*$/.exec(text.slice(Math.max(0, start - maxLine), start))?.[0] ?? "";
  if (!/keys?$/i.test(name)) return ofTransaction.test(name) || /\broles?\b/i.test(line);
  const before = /[^{}]*$/.exec(text.slice(Math.max(0, start - maxLine), nameEnd))?.[0] ?? "";
  const after = /^[^{}]*/.exec(text.slice(end, end + maxLine))?.[0] ?? "";
  return ofStorage.test(line) || besideSlot.test(before) || besideSlot.test(after);
}
