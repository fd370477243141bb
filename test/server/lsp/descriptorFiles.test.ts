import assert from "node:assert/strict";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import type { Hover, MessageConnection } from "vscode-languageserver/node";
import { files } from "../../../server/src/node/files.ts";
import type { DescriptorPathsResult } from "../../../server/src/protocol/registry.ts";
import { describedContracts, usdt } from "../../support/describedContracts.ts";
import { type Editor, startEditor } from "../../support/editor.ts";
import { temporaryFolder } from "../../support/temporaryFolder.ts";

interface Published {
  readonly uri: string;
  readonly diagnostics: readonly {
    readonly code: string;
    readonly range: { readonly start: { readonly line: number } };
  }[];
}

describe("files of descriptors, in an editor", () => {
  const folder = temporaryFolder();
  const uriOf = (name: string): string => pathToFileURL(path.join(folder, name)).href;
  const notebook = uriOf("a.rpc.json");
  const whole = JSON.stringify(describedContracts["usdt.json"], null, 1);
  const data = `0x095ea7b3${"7".repeat(40).padStart(64, "0")}${"5".padStart(64, "0")}`;
  const cell = { method: "eth_call", params: [{ to: usdt, data }, "latest"] };
  let open: MessageConnection | undefined;
  afterEach(() => {
    open?.dispose();
    for (const name of ["lib", "node_modules"]) rmSync(path.join(folder, name), { recursive: true, force: true });
  });

  async function started(header: object): Promise<{ readonly editor: Editor; readonly text: string }> {
    const capabilities = { workspace: { didChangeWatchedFiles: { dynamicRegistration: true } } };
    const answers = { "client/registerCapability": () => null };
    const editor = await startEditor({ files, capabilities, answers });
    open = editor.connection;
    const text = JSON.stringify({ chainId: "0x1", ...header, cells: [cell] });
    await editor.open(notebook, text);
    return { editor, text };
  }
  /** Writes a file, as git or a person does, and the editor says so. */
  async function written({ connection }: Editor, name: string, text: string): Promise<void> {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
    await connection.sendNotification("workspace/didChangeWatchedFiles", { changes: [{ uri: uriOf(name), type: 1 }] });
  }

  it("have their problems in the file, until it is corrected", async () => {
    mkdirSync(path.join(folder, "words"));
    writeFileSync(path.join(folder, "words/a.json"), whole.replace("approve(", "approve(("));
    const { editor } = await started({ descriptors: ["words"] });
    const ofFile = (count: number) =>
      editor.until<Published>(
        "textDocument/publishDiagnostics",
        ({ uri, diagnostics }) => uri === uriOf("words/a.json") && diagnostics.length === count,
      );
    const [problem] = (await ofFile(1)).diagnostics;
    assert.equal(problem?.code, "bad-descriptor");
    assert.equal(problem.range.start.line, whole.slice(0, whole.indexOf('"approve(')).split("\n").length - 1);
    await written(editor, "words/a.json", whole);
    await ofFile(0);
  });

  for (const place of ["lib", "node_modules"])
    it(`of a registry in ${place} are found by themselves, when it is there`, async () => {
      const { editor, text } = await started({});
      const position = { line: 0, character: text.indexOf("eth_call") + 2 };
      const shown = async (): Promise<string> =>
        JSON.stringify(await editor.ask<Hover | null>("hover", notebook, { position })).replaceAll("\\", "");
      assert.doesNotMatch(await shown(), /ERC-7730 registry/);
      const registry = `${place}/clear-signing-erc7730-registry`;
      await written(editor, `${registry}/registry/tether/calldata-usdt.json`, whole);
      await written(editor, `${registry}/README.json`, "{}");
      assert.match(await shown(), /Approve.*ERC-7730 registry, tether, not verified/);
      await written(editor, `${registry}/registry/tether/calldata-usdt.json`, whole.replace('"Approve"', '"Allow it"'));
      assert.match(await shown(), /Allow it/);
    });

  it("have their paths completed, without being open", async () => {
    const { editor } = await started({});
    const offset = whole.indexOf('"spender"') + 1;
    const found = await editor.connection.sendRequest<DescriptorPathsResult>("rpcNotebook/descriptorPaths", {
      text: whole,
      offset,
    });
    assert.deepEqual(
      found?.paths.slice(0, 2).map(({ path: one }) => one),
      ["spender", "value"],
    );
    assert.deepEqual(found.span, { start: offset, end: offset + "spender".length });
  });
});
