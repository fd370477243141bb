import { plain } from "./publicWords.ts";
import type { Span } from "./span.ts";

/** Between the words of a name, as in `clave_privada`, `clavePrivada` and `clave privada`. */
const gap = String.raw`[\s_·・‌-]*`;

/** What a private key is called in the languages that most wallets are translated to, as a pattern without case. */
export const keyInWords: string = [
  ["(?:private|secret|signing)", "key"],
  ["secret", "exponent"],
  [String.raw`(?:privat|geheim)\p{L}*`, "schl(?:ü|ue)ssel"],
  ["(?:clave|llave|clau|chave|chiave)", String.raw`priva[dt]\p{L}*`],
  ["cl(?:é|e|ef)", "priv[ée]e"],
  ["klucz", "prywatn"],
  ["privé", "sleutel"],
  ["privat", "(?:nyckel|nøgle|nøkkel|kulcs)"],
  [String.raw`privatn\p{L}*`, "(?:ključ|kľúč|kly?uch|kljuc)"],
  [String.raw`(?:soukrom|súkromn)\p{L}*`, "(?:klíč|kľúč)"],
  [String.raw`chei\p{L}*`, "privat"],
  [String.raw`yksityi\p{L}*`, "avain"],
  ["(?:özel|gizli)", "anahtar"],
  ["kh[oó]a", "(?:riêng|bí mật)"],
  ["kunci", "(?:privat|pribadi|rahasia)"],
  [String.raw`ιδιωτικ\p{L}*`, "κλειδ"],
  [String.raw`(?:приватн|приватен|закрит|закрыт|секретн|частен|частн)\p{L}*`, "кл[юу]ч"],
  ["מפתח", "(?:ה)?פרטי"],
  ["(?:ال)?مفتاح", "(?:ال)?خاص"],
  ["کلید", "خصوصی"],
  ["निजी", "(?:कुंजी|की)"],
  ["ব্যক্তিগত", "(?:কী|চাবি)"],
  ["(?:คีย์|กุญแจ)", "ส่วนตัว"],
  ["私", "[钥鑰]"],
  ["(?:秘密|プライベート)", "(?:鍵|キー)"],
  ["(?:개인|비밀|프라이빗)", "키"],
]
  .map((words) => words.join(gap))
  .concat("(?<![a-z])priv_?key", "приватник", "(?<![a-z])siyao(?![a-z])")
  .join("|");

/** Characters before a value in which it is said what it is for, and around it in which a private key is spoken of. */
const [maxBefore, maxAround] = [120, 400];

/** Characters of a table that are looked at, before a value and after it. */
const maxTable = 1000;

/** What signing and keys are called. Beside a value, they count more than the transaction that is signed. */
const signing = [
  String.raw`(?<!\p{L})sign(?:s|ed|ers?|ing|é\p{L}*|ier\p{L}*)?(?![\p{L}]|['’]s|\s(?:(?:this|the|raw|tx|transaction)\s){0,2}(?:message|hash|digest))`,
  String.raw`(?<!\p{L})(?:firm(?!ware)|assin|подпис|підпис|imza|podpis|podeps|onderteken)\p{L}*|(?<!\p{L})ký(?!\p{L})|서명|署名|签名|簽名`,
  String.raw`sealer|(?<!\p{L})private hash|restor\p{L}* (?:my|the) wallet`,
  String.raw`(?<!(?:public|storage|slot|state|api|index|map|mapping|pool|role|idempotency|trie|cache) )(?<!\p{L})(?:sec|priv)?keys?(?!\p{L}|\s?\d|\s(?:holders?|hash|ids?|of|not)(?!\p{L}))`,
  String.raw`(?<!\p{L})(?:cl(?:é|e|ef)s?|chaves?|chiav[ei]|claves?|llaves?|kh[óo][aá]|키)(?!\p{L})|(?<!\p{L})(?:кл[юу]ч|anahtar|klucz|sleutel|nyckel|nøgle|klíč|kľúč|ključ|kulcs|avain|kunci)|tanda\s?tangan|κλειδ|مفتاح|מפתח|कुंजी|schl(?:ü|ue)ssel|鍵|[私密][钥鑰]`,
].join("|");
const signingBefore = new RegExp(`${signing}|${keyInWords}`, "iu");
/** Not what says that the hash itself is signed. */
const signingAfter = new RegExp(
  String.raw`^["'\x60)]?\s?(?:で|을|를|으?로|to\s)?\s?(?!signed|signée?s?(?!\p{L})|firmad|assinad|подписан|підписан)(?:${signing})(?!\s?[:=])|^["'\x60]?\sto log ?in(?!\p{L})`,
  "iu",
);

/** Names that say all. */
const isNamedHash = /(?:(?:tx|txn|transaction|block)\s?hash|(?<!private )(?<!\p{L})hash\s?[:=：])["'`(\s:=：]*$/iu;

/** What a private key is called, with slips of the keyboard. */
const phrase = String.raw`(?:${keyInWords}|(?<![a-z])pr?i?v[a-z]{1,5}[\s_-]?keys?|(?<![a-z])pk)(?![a-z])`;
/** Speaks of a private key, but not of a variable or a masked value. */
const spokenOfAfter = new RegExp(String.raw`(?<![-$\w{.])${phrase}(?!\p{L}*["'\x60\s:=]{0,4}[*•…$<{%])`, "iu");
/** A heading or a comment of a line of its own. */
const spokenOfBefore = new RegExp(
  String.raw`(?:^|\n)[ \t]*(?:(?:#|//|--)[^\n]*${phrase}[^\n]*|${phrase}(?![^\n]*(?:\*{3}|[•…$<{%]))[^\p{L}\p{N}\n]*)\n(?!\s*[*•…$<{%])`,
  "iu",
);

/** Whether a word beside 32 bytes says that they sign, whatever else it says of them. */
export function isSaidToSign(text: string, from: number, { start, end }: Span): boolean {
  const before = text.slice(Math.max(from, start - maxBefore, 0), start);
  const line = /[^\n]*(?:\n\s*)?$/.exec(before)?.[0] ?? "";
  const clause = line.split(/[,;，；、]|[.!?。]\s|https?:\/\/|‹[^›]*›|0x[\da-f]{40}|\]\s/i).at(-1) ?? "";
  if (isNamedHash.test(plain(clause))) return false;
  return signingBefore.test(plain(clause)) || signingAfter.test(plain(text.slice(end, end + 40)));
}

/** Whether a text says around 32 bytes that they were a private key: a comment before them, an apology after them. */
export function isSpokenOfAround(text: string, { start, end }: Span): boolean {
  return (
    spokenOfBefore.test(text.slice(Math.max(0, start - maxAround), start)) ||
    spokenOfAfter.test(text.slice(end, end + maxAround))
  );
}

/** The name of the column of a table in which a value is. */
export function columnOf(text: string, { start, end }: Span): string | undefined {
  const above = text.slice(Math.max(0, start - maxTable), start).split("\n");
  const left = above.pop() ?? "";
  const right = /^[^\n]*/.exec(text.slice(end, end + maxTable))?.[0] ?? "";
  const separator = /[,;\t|]/.exec(left + right)?.[0];
  if (separator === undefined) return undefined;
  const cells = (left + right).split(separator).length;
  const rows = above.map((line) => line.split(separator)).filter((line) => line.length === cells);
  const name = rows.find((line) => !line.some((cell) => /\d{4}/.test(cell)))?.[left.split(separator).length - 1];
  return name === undefined ? undefined : plain(name.replace(/["'`*]/g, "")).trim();
}
