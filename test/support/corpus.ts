import { existsSync, readFileSync } from "node:fs";

/** Rows that the tests bring along, see `test/corpus/README.md`. */
const own = new URL("../corpus/", import.meta.url);
/** Cases of other projects in the same form, which may be beside the project. */
const beside = new URL("../../../shared/corpus/", import.meta.url);

export type CorpusName = "decode-vectors" | "execution-apis" | "provider-errors" | "real-requests";

/** Returns the rows of a corpus, a line of JSON each: those of this project, then those beside it that are not among them. */
export function corpusLines(name: CorpusName): readonly string[] {
  const lines = [own, beside].flatMap((folder) => {
    const file = new URL(`${name}.jsonl`, folder);
    return existsSync(file) ? readFileSync(file, "utf8").split("\n").filter(Boolean) : [];
  });
  const byKey = new Map(lines.toReversed().map((line) => [keyOf(line), line]));
  return [...byKey.values()].toReversed();
}

/** Exchanges are named by their file, other rows by their id. */
function keyOf(line: string): string {
  const { file, pair, id }: Readonly<Record<string, unknown>> = JSON.parse(line);
  return file === undefined ? String(id) : `${file} ${pair}`;
}
