import { type Span, span } from "./span.ts";

/**
 * Keys of the accounts that Anvil and Hardhat begin with, those of the phrase "test test … junk".
 *
 * @see https://getfoundry.sh/anvil/overview
 */
const developmentKeys: ReadonlySet<string> = new Set([
  "ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80",
  "59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d",
  "5de4111afa1a4b94908f83103eb1f1706367c2e68ca870fc3fb9a804cdab365a",
  "7c852118294e51e653712a81e05800f419141751be58f605c371e15141b007a6",
  "47e179ec197488593b187f80a00eb0da91f1b9d0b13f8733639f19c30a34926a",
  "8b3a350cf5c34c9194ca85829a2df0ec3153be0318b5e2d3348e872092edffba",
  "92db14e403b83dfe3df233f83dfa3a0d7096f21ca9b0d6d6b8d88b2b4ec1564e",
  "4bbbf85ce3377467afe5d46f804f221813b2bb87f24d81f60f1fcdbf7cbf4356",
  "dbda1821b80551c9d65939329250298aa3472ba22feea921c0cf5d620ea67b97",
  "2a871d0798f97d79848a013d4936a73bf4cc922c825d33c1cf7073dff6d409c6",
  "f214f2b2cd398c806f84e317254e0f0b801d0643303237d97a22a48e01628897",
  "701b615bbdfb9de65240bc28bd21bbc0d996645a3dd57e7b12bc2bdf6f192c82",
  "a267530f49f8280200edf313ee7af6b827f2a8bce2897751d06a843f644967b1",
  "47c99abed3324a2707c28affff1267e45918ec8c3f20b8aa892e8b065d2942dd",
  "c526ee95bf44d8fc405a158bb884d9d1238d99f0612e9f33d006bb0789009aaa",
  "8166f546bab6da521a8369cab06c5d2b9e46670292d85c875ee9ec20e84ffb61",
  "ea6c44ac03bff858b476bba40716402b03e41b8e97e276d1baec7c37d42484a0",
  "689af8efa8c651a91ad287602527f3af2fe9f6501a7ac4b061667b5a93e037fd",
  "de9be858da4a475276426320d5e9262ecfc3ba460bfac56360bfa6c4c28b4ee0",
  "df57089febbacf7ba0bc227dafbffa9fc08a93fdc68e1e42411a14efcf23656e",
]);

/** Characters before a value in which its name is looked for. A list of keys under one name may be long. */
const maxBefore = 4000;

/** Characters before a value in which a private key is spoken of, and characters of a name. */
const [maxLine, maxName] = [120, 80];

const words = /(?<![\da-z])(?:0x)?[\da-f]{64}(?![\da-z])/gi;

/** Words that may stand between a name and its values: numbers of a list, and other values of it. */
const between = /^(?:\d{1,3}|0x|(?:0x)?[\da-f]{64})$/i;

/** Names whose values are private keys, wherever they are. */
const keyNames = new RegExp(
  [
    String.raw`(?:private|priv|secret|signing|signer|deployer|owner|wallet|account|admin|operator|relayer|sender|hot|raw|funder|faucet|minter|sequencer|proposer|batcher|challenger|validator|keeper|bundler|executor|test|dev|eth|evm|my)[\s_-]*keys?`,
    "(?:priv|sec)keys?|(?:^|[^a-z])private",
    "(?:^|[^a-z])(?:[ps]k|secrets?|mnemonic)",
    String.raw`privateKeyTo\w*|from_?(?:private_?)?key|(?:signing|ecdsa)key|import_?raw_?key|rememberKey`,
    String.raw`(?:^|[^a-z])(?:vm\.addr|vm\.sign)`,
  ].join("|"),
  "i",
);
const endsInKeyName = new RegExp(`(?:${keyNames.source})[_\\d]{0,4}$`, "i");
/** Names in another case than their last word: `deployerPk`, `alicePK`. */
const endsInShortName = /[a-z](?:Pk|PK|Sk|SK)[_\d]{0,4}$/;
/** Words of a longer name: `PK_ALICE`, `seedHex`. */
const hasKeyWord = /(?:^|_)(?:private_?key|priv_?key|pk|secret|secret_?key|mnemonic|seed)_/;

/** Names of accounts and of much else: their values are keys if a sign binds them to the name, as in `wallet: "0x…"`. */
const endsInWeakName = /(?:wallet|signer|(?:^|[^a-z])(?:accounts|seed|secp256k1|keys?))[_\d]{0,4}$/i;
/** Functions that take a key, and nothing else of 32 bytes. */
const endsInFunction = /(?:wallet|signer|broadcast)$/i;

/** Keys of something that is public. */
const otherKeys =
  /(?:storage|mapping|map|public|pub|slot|state|trie|hash|sort|cache|foreign|primary|lookup|position|pool|order|idempotency|block|api|index)[\s_-]*keys?[_\d]{0,4}$/i;

/** Names of public values, which count more than a key that is spoken of before. */
const otherNames = /(?:tx|txn|transaction|hash|block|topics?|root|digest|salt|slot|event|id|nonce|commit)[_\d]{0,4}$/i;

/** Words of a sentence about a transaction, between a value and what may be a name in that sentence. */
const ofTransaction =
  /\b(?:tx|txn|txs|transactions?|hash|block|receipt|mined|confirmed|sent|signed|submitted|broadcast(?:ed)?)\b[^,;{}[\]"'`\n]*$/i;
/** Words beside the key of a slot. */
const ofStorage = /\b(?:storage|slots?|mapping|trie|proofs?|merkle)\b/i;

const spokenOf = /(?:private|secret|signing)[\s_-]*key|(?<![a-z])priv_?key/i;

/** Members beside the key of a slot, in the same object. */
const besideSlot = /["'`]?(?:value|proof)["'`]?\s*:/i;

/**
 * Finds private keys: 32 bytes beside a name that sounds like a key, and the well-known keys of development chains. 32 bytes
 * that stand alone are a hash.
 *
 * @param isKey - Says of other 32 bytes, in lower case with `0x`, whether they are a key.
 */
export function privateKeysIn(text: string, isKey: (word: string) => boolean = () => false): readonly Span[] {
  const found: Span[] = [];
  let last = { end: -1, isFound: false };
  for (const { 0: word, index } of text.matchAll(words)) {
    const end = index + word.length;
    const digits = word.slice(-64).toLowerCase();
    const nameEnd = endOfName(text, index, last.end);
    const isOfList = nameEnd === last.end && last.isFound;
    const isFound =
      !isPadded(digits) &&
      (developmentKeys.has(digits) ||
        isOfList ||
        isNamed(text, nameEnd, { start: index, end }) ||
        isKey(`0x${digits}`));
    if (isFound) found.push(span(index, end));
    last = { end, isFound };
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
    if (from < end && !between.test(text.slice(from, end))) return end;
    end = from < end ? from : end - 1;
  }
  return end;
}

/** Whether a value is a private key, by the name that it has. */
export function isPrivateKey(value: string, name: string): boolean {
  return /^(?:0x)?[\da-f]{64}$/i.test(value) && privateKeysIn(`${name}: ${value}`).length > 0;
}

/** An address or a number that fills 32 bytes. */
function isPadded(digits: string): boolean {
  return digits.startsWith("0".repeat(16));
}

function isNamed(text: string, nameEnd: number, { start, end }: Span): boolean {
  const name = text.slice(Math.max(0, nameEnd - maxName), nameEnd);
  if (otherKeys.test(name)) return false;
  if (endsInKeyName.test(name) || endsInShortName.test(name)) return true;
  const binding = text.slice(nameEnd, start);
  if (endsInFunction.test(name) && binding.includes("(")) return true;
  if (endsInWeakName.test(name) && /[:=([]/.test(binding)) return !isPublic(text, name, { start, end });
  if (otherNames.test(name)) return false;
  const words = (/[\w-]+$/.exec(name)?.[0] ?? "").replace(/([a-z\d])([A-Z])/g, "$1_$2").toLowerCase();
  if (hasKeyWord.test(words.replaceAll("-", "_"))) return true;
  const isAfter =
    /^["'`\s)\],;.:#/*<←-]{0,8}(?:(?:is|as|the|my|a|\w{1,12})\s){0,3}(?:private|secret|signing)[\s_-]*key/i;
  return spokenOf.test(text.slice(Math.max(0, start - maxLine), start)) || isAfter.test(text.slice(end, end + 60));
}

/** Whether 32 bytes whose name may be that of a key are something else: the hash of a transaction, the key of a slot. */
function isPublic(text: string, name: string, { start, end }: Span): boolean {
  const line = /[^\n]*$/.exec(text.slice(Math.max(0, start - maxLine), start))?.[0] ?? "";
  if (!/keys?$/i.test(name)) return ofTransaction.test(name);
  const before = /[^{}]*$/.exec(text.slice(Math.max(0, start - maxLine), start))?.[0] ?? "";
  const after = /^[^{}]*/.exec(text.slice(end, end + maxLine))?.[0] ?? "";
  return ofStorage.test(line) || besideSlot.test(before) || besideSlot.test(after);
}
