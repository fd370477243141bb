import assert from "node:assert/strict";
import { together } from "../../server/src/editor/cellQueries.ts";
import type { Service } from "../../server/src/service/service.ts";
import { seed, some, thorough } from "../support/depth.ts";
import { hostileEndpoint } from "../support/hostileEndpoint.ts";
import {
  allHostile,
  canary,
  type HostileText,
  hostileTexts,
  leavesOf,
  unseen,
  withText,
} from "../support/hostileText.ts";
import {
  alice,
  freeTexts,
  notebookUri,
  type OpenWorkspace,
  openWorkspace,
  type Workspace,
} from "../support/hostileWorkspace.ts";
import { markdownFaults } from "../support/renderedMarkdown.ts";

/** The texts that an editor shows for a document: Markdown, and one-line plain text. */
interface Shown {
  readonly where: string;
  readonly markdown?: string | undefined;
  readonly text?: string | undefined;
}

/** Collects the texts of features at some offsets of the notebook. */
function* shownAt(service: Service, offsets: Iterable<number>, completes = false): Generator<Shown> {
  for (const offset of offsets) {
    yield { where: "hover", markdown: service.hover(notebookUri, offset)?.markdown };
    const help = service.signatureHelp(notebookUri, offset);
    yield { where: "signature", markdown: help?.documentation, text: help?.label };
    for (const { documentation } of help?.params ?? []) yield { where: "parameter", markdown: documentation };
    for (const item of completes ? service.completion(notebookUri, offset) : []) {
      const { label, detail = "", documentation } = item;
      yield { where: "completion", markdown: documentation?.(), text: `${label} ${detail}` };
    }
  }
}

/** Collects the texts of all features. */
function* shownOfAll(service: Service, length: number): Generator<Shown> {
  const all = { start: 0, end: length };
  for (const { label } of service.inlayHints(notebookUri, all)) yield { where: "hint", text: label };
  for (const { title } of together(service.codeLenses(notebookUri))) yield { where: "lens", text: title };
  for (const { title } of service.codeActions(notebookUri, all)) yield { where: "action", text: title };
  for (const { message } of service.diagnostics(notebookUri)) yield { where: "problem", text: message };
  for (const { message } of service.fileDiagnostics()) yield { where: "problem of a file", text: message };
  for (const { tooltip } of service.links(notebookUri)) yield { where: "link", text: tooltip, markdown: tooltip }; // as VS Code reads it, with commands
  const symbols = [...together(service.symbols(notebookUri))];
  for (let next = symbols.pop(); next; next = symbols.pop()) {
    symbols.push(...next.children);
    yield { where: "symbol", text: `${next.name} ${next.detail}` };
  }
}

/** Collects the faults in the shown texts. Each text is checked once. */
class Judge {
  readonly #seen = new Set<string>();
  readonly #faults = new Map<string, string>();

  look(shown: Iterable<Shown>, hostile: HostileText, source: string): void {
    for (const { where, markdown: given = "", text = "" } of shown) {
      if (unseen.test(text) || /[\r\n]/.test(text)) this.#faults.set(`${where}: a character that is not seen`, text);
      const key = given.includes(canary) ? `${hostile.marks}\n${given}` : given;
      if (given === "" || this.#seen.has(key)) continue;
      this.#seen.add(key);
      for (const fault of markdownFaults(given, hostile)) this.#faults.set(`${where}: ${fault} (${source})`, given);
    }
  }

  /** @param least - Minimum number of checked texts: with fewer, something is no longer shown. */
  expectNone(least: number): void {
    const told = [...this.#faults].map(([fault, text]) => `${fault}\n    ${JSON.stringify(text.slice(0, 300))}`);
    assert.equal(told.length, 0, `${told.length} faults\n${told.slice(0, 30).join("\n")}`);
    assert.ok(this.#seen.size >= least, `${this.#seen.size} texts`);
  }
}

/** Returns an offset in each string of the notebook, and at each opening bracket. */
function wordsOf(text: string): readonly number[] {
  return [...text.matchAll(/"(?:[^"\\]|\\.)*"|[{[]/g)].map(
    ({ 0: word, index }) => index + Math.min(2, word.length - 1),
  );
}

/** File names cannot contain a slash. */
function inFile({ text, marks }: HostileText, part: string): HostileText {
  return part === "paths" && marks ? { text, marks: marks.replaceAll("/", "_") } : { text, ...(marks && { marks }) };
}

const never = new AbortController().signal;

async function runAll({ service }: OpenWorkspace): Promise<void> {
  await service.run({ uri: notebookUri }, { started: () => {}, finished: () => {} }, never);
}

describe("text from outside in Markdown", function () {
  this.timeout(300_000);
  let plain: Workspace;
  let text = "";
  before(async () => {
    ({ plain } = await hostileEndpoint(() => text));
  });

  for (const part of ["openrpc", "notebook", "endpoints", "artifact", "paths", "names"] as const) {
    it(`stays text in every field of: ${part}`, async () => {
      const judge = new Judge();
      for (const [at, leaf] of some([...leavesOf(plain[part]).entries()], 3)) {
        const one = inFile(hostileTexts[(at % 12) + 1] ?? allHostile, part);
        const hostile = (at + seed) % 2 === 0 ? allHostile : one; // the other one with another seed
        const workspace = { ...plain, [part]: withText(plain[part], leaf, hostile.text) };
        const opened = await openWorkspace(workspace);
        const source = `${leaf.path.join(".")}${leaf.isKey ? " (key)" : ""}`;
        judge.look(shownAt(opened.service, wordsOf(opened.text)), hostile, source);
        judge.look(shownOfAll(opened.service, opened.text.length), hostile, source);
      }
      judge.expectNone(50);
    });
  }

  it("stays text in every field at once, at every offset", async () => {
    const judge = new Judge();
    for (const [at, hostile] of [[0, allHostile] as const, ...some([...hostileTexts.entries()], 2)]) {
      const parts = Object.entries(plain).map(([name, part]) => [name, freeTexts(part, hostile.text)]);
      const opened = await openWorkspace(Object.fromEntries(parts));
      const offsets = [...Array(opened.text.length).keys()].filter((offset) => thorough || offset % 5 === 0);
      if (hostile === allHostile) judge.look(shownAt(opened.service, offsets), hostile, "all");
      judge.look(shownAt(opened.service, wordsOf(opened.text), at % 3 === 0), hostile, "all");
    }
    judge.expectNone(500);
  });

  it("stays text in answers of an endpoint", async () => {
    const judge = new Judge();
    for (const [at, hostile] of some([...hostileTexts.entries()], 2, 24)) {
      text = hostile.text;
      const opened = await openWorkspace(plain);
      await runAll(opened);
      const words = wordsOf(opened.text);
      judge.look(shownAt(opened.service, words, at % 3 === 0), hostile, "answers");
      judge.look(shownOfAll(opened.service, opened.text.length), hostile, "answers");
      for (const offset of words) {
        const live = await opened.service.liveHover(notebookUri, offset, never);
        judge.look([{ where: "live hover", markdown: live }], hostile, "answers");
      }
      const beside = { uri: "file:///w/a.sol", text: alice, offset: 5 };
      const foreign = await opened.service.addressHover(beside, never);
      judge.look([{ where: "address hover", markdown: foreign?.markdown }], hostile, "answers");
    }
    judge.expectNone(thorough ? 300 : 100);
  });
});
