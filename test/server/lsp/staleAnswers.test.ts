import assert from "node:assert/strict";
import { type CompletionList, LSPErrorCodes, type MessageConnection, ResponseError } from "vscode-languageserver/node";
import { markdown } from "../../../server/src/base/markdown.ts";
import { createService, type Service } from "../../../server/src/service/service.ts";
import { type Editor, startEditor } from "../../support/editor.ts";
import { requestsAt } from "./requests.ts";

const uri = "file:///w/a.rpc.json";
const text = `{ "method": "eth_chainId", "params": [] }`;
const textDocument = { uri };
const position = { line: 0, character: 14 };
const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 20 } };

/** Something that a request waits for until it is opened. */
function latch() {
  let open = (): void => {};
  let reached = (): void => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const waiting = new Promise<void>((resolve) => {
    reached = resolve;
  });
  const wait = (): Promise<void> => {
    reached();
    return opened;
  };
  return { open: () => open(), waiting, wait };
}

describe("a request that waits while the text changes", () => {
  const editors: MessageConnection[] = [];
  afterEach(() => {
    for (const connection of editors.splice(0)) connection.dispose();
  });

  async function start(change: (service: Service) => Partial<Service>): Promise<Editor> {
    const editor = await startEditor({
      create: (host) => {
        const service = createService(host);
        return { ...service, ...change(service) };
      },
    });
    editors.push(editor.connection);
    await editor.open(uri, text);
    return editor;
  }
  /** Edits a text, and waits until the server has read the edit. */
  const edit = async (editor: Editor, file: string, at = range.start, inserted = "\n\n"): Promise<void> => {
    await editor.change(file, { range: { start: at, end: at }, text: inserted });
    await editor.connection.sendRequest("rpcNotebook/tests", { uri: "x:none" });
  };
  const isModified = (error: unknown): boolean =>
    error instanceof ResponseError && error.code === LSPErrorCodes.ContentModified;

  const slowHover = async () => {
    const chain = latch();
    const editor = await start(() => ({
      liveHover: async () => {
        await chain.wait();
        return markdown`from the chain`;
      },
    }));
    const answer = editor.connection.sendRequest("textDocument/hover", { textDocument, position });
    await chain.waiting;
    return { editor, chain, answer };
  };

  it("gets its completions if only more of the word was typed, for the text before that", async () => {
    const files = latch();
    const editor = await start(() => ({ opening: () => files.wait().then(() => true) }));
    const answer = editor.connection.sendRequest<CompletionList>("textDocument/completion", { textDocument, position });
    await files.waiting;
    await edit(editor, uri, position, "th");
    files.open();
    const { items, isIncomplete } = await answer;
    const found = items.find(({ label }) => label === "eth_getBalance");
    assert.ok(found?.textEdit && "range" in found.textEdit, "it has a range of its own");
    assert.deepEqual([found.textEdit.range.start.character, found.textEdit.range.end.character], [13, 24]);
    assert.equal(isIncomplete, true);
  });

  it("gets its completions if more words were typed", async () => {
    const files = latch();
    const editor = await start(() => ({ opening: () => files.wait().then(() => true) }));
    const file = "file:///w/b.rpc.json";
    const position = { line: 0, character: 1 };
    await editor.open(file, "c");
    const answer = editor.ask<CompletionList>("completion", file, { position });
    await files.waiting;
    await edit(editor, file, position, "hain id");
    files.open();
    assert.equal((await answer).items[0]?.label, "eth_chainId");
  });

  it("gets no hover with the range of the old text", async () => {
    const { editor, chain, answer } = await slowHover();
    const refused = assert.rejects(answer, isModified);
    await edit(editor, uri);
    chain.open();
    await refused;
  });

  it("gets no hover of a text that was closed and opened again", async () => {
    const { editor, chain, answer } = await slowHover();
    const refused = assert.rejects(answer, isModified);
    await editor.connection.sendNotification("textDocument/didClose", { textDocument });
    await editor.open(uri, text);
    await editor.connection.sendRequest("rpcNotebook/tests", { uri: "x:none" });
    chain.open();
    await refused;
  });

  it("gets its hover if only another text changes", async () => {
    const { editor, chain, answer } = await slowHover();
    await editor.open("file:///w/b.rpc.json", text);
    await edit(editor, "file:///w/b.rpc.json");
    chain.open();
    const { contents } = (await answer) as { readonly contents: { readonly value: string } };
    assert.match(contents.value, /^from the chain\n\n---\n\n/);
  });

  for (const [method, params] of Object.entries(requestsAt(position, range)))
    it(`gets "content modified" from ${method}`, async () => {
      const table = latch();
      const editor = await start((service) => ({
        prepare: async (...about) => {
          await service.prepare(...about);
          await table.wait(); // as for the table of signatures, which a first answer needs
        },
      }));
      const refused = assert.rejects(editor.connection.sendRequest(method, { textDocument, ...params }), isModified);
      await table.waiting;
      await edit(editor, uri);
      table.open();
      await refused;
    });
});
