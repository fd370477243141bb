import type { Span } from "./span.ts";

/** Characters around a value in which its meaning is said. */
const [maxBefore, maxAfter] = [120, 40];

/** Words for what has a hash, a topic or a slot on a chain, and for what happens to a transaction. */
const publicWords = new RegExp(
  [
    String.raw`(?<![\p{L}\d])(?:(?:tx|txn|txid|block|receipt|topic|root|hash|typehash|namehash|blockhash|log|event|slot|uncle|role|salt|pubkey|proof|order|permit|deposit|withdrawal|batch|head|beacon|checkpoint)(?:e?s|\d)?|trie|storage|mapping|commitment|nullifier|digest|keccak(?:256)?|merkle|calldata|domain separator|ens|create2|randao|blob|user ?op(?:eration)?|safe|guid|uuid|id|ids|public key|ecrecover)(?![\p{L}])`,
    String.raw`(?<![\p{L}\d])(?:sent|mined|confirmed|submitted|broadcast(?:ed)?|pending|included|revert(?:ed|s|ing)?|fee too low|already known|underpriced|sload|sstore|approved?|(?:chang|emitt|happen|execut|includ|fail|updat|creat|deploy)ed in|header not found|cast (?:run|tx)|(?:eth|debug|trace|erigon|ots|net) [a-z]+)(?![\p{L}])`,
    "tran[sz]a[ckçz]|транзак|хеш|хэш|交易|哈希|雜湊|区块|區塊|トランザクション|ハッシュ|ブロック|트랜잭션|거래|해시|블록|işlem|giao dịch|معاملة|लेनदेन|συναλλαγ|blo[ck]k?|блок",
  ].join("|"),
  "giu",
);

/** The chain and its explorers: people look there for anything, so they say nothing of the value. */
const wherePeopleLook =
  /explor\p{L}*\s(?:d\p{L}{1,2}\s)?blo[ck]\p{L}*|обозревател\p{L}*\s+блок\p{L}*|(?:blo[ck]k?|блок|блокчейн|区块链?|區塊鏈?|ブロック(?:チェーン)?|블록(?:체인)?)[\p{L}\s]{0,6}(?:explor|browser|scan|обозрев|эксплор|浏览器|瀏覽器|エクスプローラ|탐색기|익스플로러)\p{L}*|blo[ck]k?[\s-]?(?:chain|zincir)\p{L}*|блокчейн\p{L}*|区块链|區塊鏈|ブロックチェーン|블록체인/giu;

/** Words for what a private key is used with. Behind one, a word before it says nothing of the value. */
const walletWords =
  /monedero|billetera|carteira|portafogli|portefeuille|portfel|portemonn|ко?шел[её]?к|гаманец|钱包|錢包|账户|帐户|帳戶|账号|导出|導出|ウォレット|アカウント|지갑|계정|аккаунт|акаунт|сч[её]т|hesab|cüzdan|محفظ|वॉलेट|πορτοφόλι|(?<![\p{L}])(?:wallets?|accounts?|konto|cuenta|conta|conto|compte|metamask|deployer|signer|burner|keys?|import(?:ed|s|ing)?|export(?:ed)?|sweep|leak(?:ed)?|seed|phrase|mnemonic|pk|fund(?:s|ed)?)(?![\p{L}])/giu;

/** What tools print before a value: the error or event that it is an argument of, `Unauthorized(0x…, `, or what gave it. */
const printed =
  /(?<![\w."'])[A-Z]\w{5,}\([^()"'\n]{1,200}, ?$|VM::load\([^()]{1,80}, ?$|\[Return\] ?$|keccak256\([^()]*(?:\([^()]*\))?[^()]*\)[ =:]{0,5}$/;

/** Words before a value that does something, as keys do: `signed with 0x…`. */
const agent = /(?<![\p{L}])(?:with|from|using|by)[^\p{L}\p{N}]*$/iu;

/** Words after a value that did something, as transactions do: `why did 0x… fail`. */
const outcome = /^["'`]?\s+fail(?:ed)?(?![\p{L}]|\s+to)/u;

/** Names whose values are data of a chain if a sign binds them, as members of its answers. */
const publicNames =
  /(?<![\p{L}])(?:data|state|state ?diff|result|results|output|input|return(?:ed|s)?|return ?data|revert|r|s|nonce|parent|stack|memory|difficulty|miner ?data|extra ?data|index)$/iu;
/** Names that say nothing: what is said before them counts. */
const emptyNames =
  /(?<![\p{L}])(?:params?|args?|arguments|value|values|expected|actual|got|found|was|is|have|want|with|hex bytes|hex)$/iu;

/**
 * Whether a text says of 32 bytes what they are: a hash of a transaction or a block, a topic, a slot.
 *
 * @param from - Where the value before it ends: what is said of that says nothing of this one.
 * @param nameEnd - Where the name of the value ends.
 */
export function isSaidPublic(text: string, from: number, nameEnd: number, { start, end }: Span): boolean {
  const begin = Math.max(from, start - maxBefore, 0);
  if (printed.test(text.slice(Math.max(0, start - 300), start))) return true;
  const binding = text.slice(nameEnd, start);
  const isBound = /[:=：＝>/([→]/u.test(binding);
  if (isBound) {
    const label = clauseOf(text.slice(Math.max(begin, nameEnd - maxBefore), nameEnd));
    if (lastOf(publicWords, label) !== -1 || (publicNames.test(label) && !/[\da-f]{40}/i.test(binding))) return true;
    if (!emptyNames.test(label) && label !== "") return false;
  }
  const before = plain(sentenceOf(text.slice(begin, start)));
  if (agent.test(before)) return false;
  const lastPublic = lastOf(publicWords, before);
  if (lastPublic !== -1 && lastPublic > lastOf(walletWords, before)) return true;
  const after =
    /^[^\n]*?(?=(?:0x)?[\da-f]{40}|[.!?]\s|[,;:，、；：。！？]|\n|$)/i.exec(text.slice(end, end + maxAfter))?.[0] ?? "";
  return (outcome.test(after) || lastOf(publicWords, plain(after)) !== -1) && lastOf(walletWords, before) === -1;
}

/** The last words before a sign that binds: `hash of the block` before a colon. */
function clauseOf(text: string): string {
  const clause = /[^,;{}[\]\n"'`|]*$/.exec(text)?.[0] ?? "";
  return plain(clause).trim().split(/\s+/).slice(-4).join(" ");
}

function sentenceOf(text: string): string {
  return text.split(/[.!?]\s|\n\s*\n/).at(-1) ?? "";
}

/** Separates the words of names: `tx_hash`, `txHash`. */
export function plain(text: string): string {
  return text
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, "$1 $2")
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1 $2")
    .replace(/[_-]+/g, " ")
    .replace(wherePeopleLook, " ");
}

function lastOf(pattern: RegExp, text: string): number {
  return [...text.matchAll(pattern)].at(-1)?.index ?? -1;
}
