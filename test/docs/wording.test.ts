import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { pluck } from "../support/pluck.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Phrases that are not plain English, each with what to write instead. */
const phrases: readonly (readonly [RegExp, string])[] = [
  [/(?<!\bthere )\b(?:is|are) no (?!longer\b|more\b)[a-z`]/, "is not a"],
  [/\bmend(?:s|ed|ing)?\b/, "fix"],
  [/\b(?:is|are|was|were|one) due\b|\bdue here\b/, "expected"],
  [/\b(?:nobody|somebody)\b/, "name the actor"],
  [/\bstands? (?:in|for|beside|behind|under|at|there)\b/, "is, appears or means"],
  [/\byour leave\b|\bwithout leave\b/, "your confirmation"],
  [/\b(?:held|holds?) [^.|]{0,40}\bagainst\b/, "checks against, compares with"],
  [/\blies? (?:behind|before)\b/, "is after, is before"],
  [/\bno [a-z]+ is called\b|\bis called so\b/, "unknown"],
];

interface Finding {
  readonly line: number;
  readonly phrase: string;
  readonly sentence: string;
  readonly instead: string;
}

/** Finds the phrases in a text, also if a line break is in the middle of one. */
function findings(text: string): readonly Finding[] {
  return phrases.flatMap(([phrase, instead]) =>
    [...text.matchAll(new RegExp(phrase.source.replaceAll(" ", "\\s+"), "gi"))].map(({ 0: phrase, index }) => ({
      line: text.slice(0, index).split("\n").length,
      phrase: oneLine(phrase),
      sentence: sentenceAt(text, index),
      instead,
    })),
  );
}

/** Returns the sentence, table cell, paragraph or line of source around an offset, on one line. */
function sentenceAt(text: string, offset: number): string {
  const ends = /[.!?]\s|\n\s*\n|\||[`"][;,]?\n/g;
  let start = 0;
  for (const { 0: end, index } of text.matchAll(ends)) {
    if (index >= offset) return oneLine(text.slice(start, index + 1));
    start = index + end.length;
  }
  return oneLine(text.slice(start));
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}

/** Blanks the comments of a source file, so that messages and other texts are left. */
function withoutComments(source: string): string {
  return source.replace(/^\s*(?:\/\/|\/?\*).*$|(?<=\s)\/\/.*$/gm, "");
}

/** The files of a folder whose names end so; `""` is the root. */
function filesIn(folder: string, end: string): readonly string[] {
  const names = readdirSync(`${root}/${folder}`).filter((name) => name.endsWith(end));
  return names.sort().map((name) => `${folder}${folder && "/"}${name}`);
}

/** Reads a document as it is, and a source file without its comments. */
function textOf(file: string): string {
  const text = readFileSync(`${root}/${file}`, "utf8");
  return file.endsWith(".ts") ? withoutComments(text) : text;
}

/** Fails with all findings at once. */
function expectPlain(files: readonly string[]): void {
  const lines = files.flatMap((file) =>
    findings(textOf(file)).map(
      ({ line, phrase, sentence, instead }) => `${file}:${line}: “${phrase}” (${instead}): ${sentence.slice(0, 200)}`,
    ),
  );
  assert.equal(lines.length, 0, `\n${lines.join("\n")}`);
}

describe("plain English", () => {
  it("is the language of the documents", () => {
    const folders = ["", "docs", "docs/decisions"];
    const documents = [...folders.flatMap((folder) => filesIn(folder, ".md")), "package.nls.json"];
    assert.ok(documents.includes("README.md") && documents.includes("docs/problems.md"), "the documents were found");
    expectPlain(documents);
  });

  it("is the language of every text in the source, and of the pages of methods", () => {
    const server = readdirSync(`${root}/server/src`).map((name) => `server/src/${name}`);
    const sources = [...server, "client/src", "client/src/renderer"].flatMap((folder) => filesIn(folder, ".ts"));
    expectPlain([...sources, ...filesIn("docs/methods", ".md")]);
  });

  describe("the check", () => {
    for (const [text, instead] of [
      ["All is well. `~` is no operator of `expect`.", "is not a"],
      ["Mend that cell first.", "fix"],
      ["An address is\ndue here.", "expected"],
      ["It troubles nobody.", "name the actor"],
      ["The list stands\nunder `decoded`.", "is, appears or means"],
      ["It needs your leave.", "your confirmation"],
      ["A run holds the chain id against the header.", "checks against, compares with"],
      ["`fromBlock` lies behind `toBlock`.", "is after, is before"],
      ["No method is called `eth_x`.", "unknown"],
    ] as const)
      it(`finds “${oneLine(text)}”`, () => {
        const [found, ...more] = findings(`# Title\n\n${text} The end.`);
        assert.deepEqual([found?.line, found?.instead, more], [3, instead, []]);
        assert.ok(found && oneLine(text).endsWith(found.sentence), found?.sentence);
      });

    it("accepts plain sentences", () => {
      const text = "There is no cell. It is no longer sent, due to a limit. It understands in part. Amend it.";
      assert.deepEqual(findings(text), []);
    });

    it("reads the strings of a source file, and not its comments", () => {
      const source =
        'const a = 1; // it is no number\n/**\n * It is no text.\n */\nsay("That is no address: https://x.y");\n';
      assert.deepEqual(pluck(findings(withoutComments(source)), "line"), [5]);
    });
  });
});
