/**
 * Reads CSV: lines of fields, in quotes if they contain a comma, a quote or a line end. Empty lines are left out.
 *
 * @returns `undefined` if a quote is not closed.
 * @see https://www.rfc-editor.org/rfc/rfc4180
 * @example readCsv('a,b\n1,"2,3"'); //=> [["a", "b"], ["1", "2,3"]]
 */
export function readCsv(text: string): readonly (readonly string[])[] | undefined {
  const lines: string[][] = [];
  let line: string[] = [];
  const field = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/y;
  field.lastIndex = text.startsWith("\ufeff") ? 1 : 0;
  while (field.lastIndex < text.length || line.length > 0) {
    const [, quoted, plain = "", end] = field.exec(text) ?? [];
    if (end === undefined) return undefined;
    line.push(quoted?.replaceAll('""', '"') ?? plain.trim());
    if (end === ",") continue;
    if (line.length > 1 || line[0] !== "") lines.push(line);
    line = [];
  }
  return lines;
}
