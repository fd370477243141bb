/** An entry of a `.env` file. */
export interface DotenvEntry {
  readonly value: string;
  /** The offset of its name, in UTF-16 code units. */
  readonly offset: number;
}

const entry =
  /^[ \t]*(?:export[ \t]+)?([\p{L}_][\p{L}\p{N}_.-]*)[ \t]*=[ \t]*(?:"((?:\\[\s\S]|[^"\\])*)"|'([^']*)'|`([^`]*)`|([^\r\n]*))/gmu;
const escapes: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t" };

/**
 * Reads a `.env` file: one `NAME=value` on each line, with or without `export`, `#` comments. Quoted values may span lines;
 * `\n`, `\r`, `\t` are escapes in double quotes only. Nothing is expanded. The last of equal names counts.
 *
 * @example readDotenv("A=1 # one").get("A")?.value; //=> "1"
 */
export function readDotenv(text: string): ReadonlyMap<string, DotenvEntry> {
  const entries = new Map<string, DotenvEntry>();
  for (const match of text.replace(/^\ufeff/, " ").matchAll(entry)) {
    const [all, name = "", double, single, back, bare = ""] = match;
    const unescaped = double?.replace(/\\([\s\S])/g, (_, letter: string) => escapes[letter] ?? letter);
    const value = unescaped ?? single ?? back ?? bare.replace(/(?:^|[ \t])#.*$/, "").trim();
    entries.set(name, { value, offset: match.index + all.indexOf(name) });
  }
  return entries;
}
