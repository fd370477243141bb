import assert from "node:assert/strict";
import { useFakeVscode, vscode } from "../support/vscode.ts";

describe("completion in JSON files", () => {
  before(useFakeVscode);

  it("asks the server about files that may be descriptors, and starts it for no others", async () => {
    interface Provider {
      provideCompletionItems(document: unknown, position: unknown): Promise<unknown>;
    }
    let provider: Provider | undefined;
    vscode.languages = {
      registerCompletionItemProvider: (_: unknown, given: Provider) => {
        provider = given;
      },
    };
    const sent: unknown[] = [];
    const server = { request: async (_: string, { text }: { readonly text: string }) => void sent.push(text) };
    const { registerDescriptorPaths } = await import("../../client/src/descriptors.ts");
    registerDescriptorPaths(server as never); // the only member that it uses
    const descriptor = '{ "display": { "formats": {} } }';
    for (const text of ['{ "name": "project" }', descriptor])
      await provider?.provideCompletionItems({ getText: () => text, offsetAt: () => 3 }, {});
    assert.deepEqual(sent, [descriptor]);
  });
});
