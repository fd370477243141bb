import { existsSync, readdirSync, readFileSync } from "node:fs";

/** Rows that the tests bring along, see `test/corpus/README.md`. */
const own = new URL("../corpus/", import.meta.url);
/** Cases of other projects in the same form, which may be beside the project. */
const beside = new URL("../../../shared/corpus/", import.meta.url);

/** The last word in the name of a file. */
export type CorpusName = "apis" | "errors" | "requests" | "vectors";

/** Returns the rows of a corpus, a line of JSON each: those of this project, then those beside it that are not among them. */
export function corpusLines(name: CorpusName): readonly string[] {
  const lines = [own, beside].flatMap((folder) => {
    const names = existsSync(folder) ? readdirSync(folder) : [];
    const files = names.filter((file) => new RegExp(`(?:^|-)${name}\\.jsonl$`).test(file));
    return files.flatMap((file) => readFileSync(new URL(file, folder), "utf8").split("\n").filter(Boolean));
  });
  const byKey = new Map(lines.toReversed().map((line) => [keyOf(line), line]));
  return [...byKey.values()].toReversed();
}

/** Exchanges are named by their file, other rows by their id. */
function keyOf(line: string): string {
  const { file, pair, id }: Readonly<Record<string, unknown>> = JSON.parse(line);
  return file === undefined ? String(id) : `${file} ${pair}`;
}
