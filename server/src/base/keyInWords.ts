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
