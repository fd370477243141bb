import { readFileSync } from "node:fs";
import path from "node:path";
import { getLanguageService, type JSONDocument, type JSONSchema } from "vscode-json-languageservice";
import type { SemanticTokens, SemanticTokensDelta } from "vscode-languageserver";
import { TextDocument } from "vscode-languageserver-textdocument";
import { type Editor, openEditor } from "./editor.ts";
import { benchNotebook, placesIn } from "./notebook.ts";
import { quantile, type Row, round } from "./row.ts";

const warmUps = 30;
const rounds = 60;

type Ask = (editor: Editor) => Promise<unknown>;

/** The requests of an editor after a keystroke, each with its limit for the 95th percentile in milliseconds. */
const asked: readonly { readonly name: string; readonly budget?: number; readonly ask: Ask }[] = [
  { name: "completion", budget: 10, ask: at("textDocument/completion", "address") },
  { name: "hover", budget: 10, ask: at("textDocument/hover", "address") },
  { name: "diagnostics", budget: 20, ask: pull },
  { name: "semantic tokens", ask: tokens },
  { name: "inlay hints", ask: visible("textDocument/inlayHint") },
  { name: "code lenses", ask: whole("textDocument/codeLens") },
  { name: "symbols", ask: whole("textDocument/documentSymbol") },
  { name: "folding", ask: whole("textDocument/foldingRange") },
  { name: "formatting", ask: whole("textDocument/formatting", { options: { tabSize: 2, insertSpaces: true } }) },
  { name: "signature help", ask: at("textDocument/signatureHelp", "address") },
  { name: "highlights", ask: at("textDocument/documentHighlight", "name") },
  { name: "references", ask: at("textDocument/references", "name", { context: { includeDeclaration: true } }) },
  { name: "rename", ask: at("textDocument/rename", "name", { newName: "renamed" }) },
];

const typing = ["completion", "hover", "diagnostics", "semantic tokens", "inlay hints", "code lenses"];

/** A fresh edit in the middle of a notebook of 5,000 cells and 1 MB before each question, over the wire. */
export async function edit(): Promise<readonly Row[]> {
  const notebook = benchNotebook();
  const rows: Row[] = [];
  for (const view of ["cells", "text"] as const) {
    const json = jsonService(notebook.text);
    const editor = await openEditor(notebook, view);
    try {
      const times = await answerTimes(editor, json.ask);
      for (const { name, budget } of asked) {
        rows.push(row(`${view}: edit, then ${name}`, times.get(name) ?? [], budget, json.times.get(name)));
      }
      rows.push(row(`${view}: edit, then the first ${typing.length} at once`, times.get("typing") ?? []));
      rows.push(row(`${view}: hover 200 ms after an edit`, await quietTimes(editor)));
    } finally {
      await editor.close();
    }
  }
  return rows;
}

function row(name: string, times: readonly number[], budget?: number, json?: readonly number[]): Row {
  const [middle, slow] = [quantile(times, 0.5), quantile(times, 0.95)];
  const beside = json && `vscode-json-languageservice in process ${round(quantile(json, 0.5))} ms`;
  const ratio = json && `${round(quantile(json, 0.5) / middle)} × faster`;
  return {
    area: "edit",
    name: `${name}, p95`,
    value: round(slow),
    unit: "ms",
    ...(budget !== undefined && { budget }),
    baseline: [`median ${round(middle)} ms`, beside, ratio].filter((part) => part !== undefined).join(", "),
  };
}

/**
 * Each question in turn, so that a drift of the machine hits all alike; `typing` is what an editor asks at once.
 *
 * @param askOther - Measures the server that ours is compared with, now and then.
 */
async function answerTimes(
  editor: Editor,
  askOther: (isWarm: boolean) => Promise<void>,
): Promise<ReadonlyMap<string, readonly number[]>> {
  const together: Ask = (editor) =>
    Promise.all(asked.flatMap(({ name, ask }) => (typing.includes(name) ? [ask(editor)] : [])));
  const times = new Map<string, number[]>();
  for (let at = -warmUps; at < rounds; at++) {
    if (at % 20 === 0) await askOther(at >= 0);
    globalThis.gc?.(); // the garbage of this process is not the server's,
    await asked[1]?.ask(editor); // nor what it has to compile again
    for (const { name, ask } of [...asked, { name: "typing", ask: together }]) {
      const begun = performance.now();
      editor.type();
      await ask(editor);
      if (at >= 0) times.set(name, [...(times.get(name) ?? []), performance.now() - begun]);
    }
  }
  return times;
}

/** A hover that arrives after the server has begun to check the other cells for an edit. */
async function quietTimes(editor: Editor): Promise<readonly number[]> {
  const hover = at("textDocument/hover", "address");
  const times: number[] = [];
  for (let at = 0; at < 20; at++) {
    editor.type();
    await new Promise((resolve) => setTimeout(resolve, 200));
    const begun = performance.now();
    await hover(editor);
    times.push(performance.now() - begun);
  }
  return times;
}

function at(method: string, place: "address" | "name", more: object = {}): Ask {
  return (editor) => {
    const textDocument = { uri: editor.uri };
    return editor.connection.sendRequest(method, { textDocument, position: editor[place], ...more });
  };
}

function whole(method: string, more: object = {}): Ask {
  return ({ connection, uri }) => connection.sendRequest(method, { textDocument: { uri }, ...more });
}

/** A request for as many lines as a window shows. */
function visible(method: string): Ask {
  return ({ connection, uri, address: { line } }) => {
    const range = { start: { line: Math.max(0, line - 30), character: 0 }, end: { line: line + 30, character: 0 } };
    return connection.sendRequest(method, { textDocument: { uri }, range });
  };
}

const lastReports = new WeakMap<Editor, string>();

async function pull(editor: Editor): Promise<unknown> {
  const previousResultId = lastReports.get(editor);
  const report: { readonly resultId?: string } = await editor.connection.sendRequest("textDocument/diagnostic", {
    textDocument: { uri: editor.uri },
    identifier: "rpc-notebook",
    ...(previousResultId !== undefined && { previousResultId }),
  });
  if (report.resultId !== undefined) lastReports.set(editor, report.resultId);
  return report;
}

const lastTokens = new WeakMap<Editor, string>();

/** Asks for the difference to the tokens before, if the server sends it. */
async function tokens(editor: Editor): Promise<unknown> {
  const previousResultId = lastTokens.get(editor);
  const method = `textDocument/semanticTokens/full${previousResultId === undefined ? "" : "/delta"}`;
  const found: SemanticTokens | SemanticTokensDelta | null = await editor.connection.sendRequest(method, {
    textDocument: { uri: editor.uri },
    ...(previousResultId !== undefined && { previousResultId }),
  });
  if (found?.resultId !== undefined) lastTokens.set(editor, found.resultId);
  return found;
}

/** The JSON language service of VS Code in this process, on the same text, the same edits and our JSON Schema. */
function jsonService(text: string): {
  readonly times: ReadonlyMap<string, readonly number[]>;
  ask(isWarm: boolean): Promise<void>;
} {
  const service = getLanguageService({});
  const { definitions }: JSONSchema = JSON.parse(readFileSync(path.resolve("rpc-notebook.schema.json"), "utf8"));
  // Its choice between the forms of a file is left out: below an `if` the service overflows its stack at this size.
  const schema: JSONSchema = { ...(definitions && { definitions }), $ref: "#/definitions/notebook" };
  service.configure({ schemas: [{ uri: "bench://schema", fileMatch: ["*.rpc.json"], schema }] });
  const { address } = placesIn(text);
  const looks: Readonly<Record<string, (document: TextDocument, json: JSONDocument) => PromiseLike<unknown>>> = {
    completion: (document, json) => service.doComplete(document, document.positionAt(address), json),
    hover: (document, json) => service.doHover(document, document.positionAt(address), json),
    diagnostics: (document, json) => service.doValidation(document, json),
  };
  const times = new Map<string, number[]>();
  let document = TextDocument.create("file:///bench/bench.rpc.json", "json", 1, text);
  const ask = async (isWarm: boolean): Promise<void> => {
    for (const [name, look] of Object.entries(looks)) {
      const range = { start: document.positionAt(address), end: document.positionAt(address + 1) };
      const begun = performance.now();
      document = TextDocument.update(document, [{ range, text: String(document.version % 10) }], document.version + 1);
      await look(document, service.parseJSONDocument(document));
      if (isWarm) times.set(name, [...(times.get(name) ?? []), performance.now() - begun]);
    }
  };
  return { times, ask };
}
