const letters: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t" };

/**
 * Reads a table of cases, each as its lines: a case begins with a line that is no further in than the first one. Escapes
 * such as `\n` and the values are put in afterwards, so a text of several lines is one line here. `\ ` is a space that
 * stays at an end, and a line that begins with `-- ` is a comment.
 *
 * @example
 * rows`
 *   a text
 *     what it means
 * `; //=> [["a text", "what it means"]]
 */
export function rows({ raw }: TemplateStringsArray, ...values: readonly string[]): readonly (readonly string[])[] {
  const template = raw.reduce((text, part, at) => `${text}\0${at - 1}\0${part}`);
  const cook = (line: string): string =>
    line
      .trimStart()
      .replace(/(?<!\\)\s+$/, "")
      .replace(/\\(?:u([\da-f]{4})|([^u]))/gi, (_, code, letter) =>
        code ? String.fromCharCode(Number.parseInt(code, 16)) : (letters[letter] ?? letter),
      )
      .replace(/\0(\d+)\0/g, (_, at) => values[at] ?? "");
  const lines = template.split("\n").filter((line) => line.trim() !== "" && !line.trim().startsWith("-- "));
  const indent = (line = ""): number => line.length - line.trimStart().length;
  const cases: string[][] = [];
  for (const line of lines)
    if (indent(line) > indent(lines[0])) cases.at(-1)?.push(cook(line));
    else cases.push([cook(line)]);
  return cases;
}

/** A pattern of a whole text, in which `…` is any text. */
export const pattern = (text: string): RegExp =>
  new RegExp(
    `^${text
      .split("…")
      .map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"))
      .join(".*")}$`,
    "s",
  );
