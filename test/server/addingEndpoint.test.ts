import assert from "node:assert/strict";
import type { AddEndpointResult } from "../../server/src/protocol.ts";
import { createService } from "../../server/src/service.ts";
import { testHost } from "../support/host.ts";

const uri = "file:///w/a/b.rpc.json";
const address = "https://rpc.example";

function add(
  texts: Readonly<Record<string, string | Uint8Array>>,
  { isPrivate = false, uri: document = uri, roots = ["file:///w"] } = {},
): Promise<AddEndpointResult> {
  const read = async (file: string) => {
    const text = texts[file];
    return typeof text === "string" ? new TextEncoder().encode(text) : text;
  };
  const service = createService(testHost({ files: { read }, roots }));
  return service.addEndpoint({ uri: document, name: "main", address, isPrivate });
}

describe("an endpoint that gets a name", () => {
  it("goes into the file at the root of the workspace folder", async () => {
    const text = '{\n  "main": "https://rpc.example"\n}\n';
    assert.deepEqual(await add({}), { files: [{ uri: "file:///w/rpc-endpoints.json", before: null, text }] });
    const before = '{ "local": "http://127.0.0.1:8545" }';
    assert.deepEqual(await add({ "file:///w/rpc-endpoints.json": before }), {
      files: [
        {
          uri: "file:///w/rpc-endpoints.json",
          before,
          text: '{ "local": "http://127.0.0.1:8545", "main": "https://rpc.example" }',
        },
      ],
    });
  });

  it("stays out of git with its key, and git is told first", async () => {
    const told = await add({ "file:///w/.gitignore": "dist\n" }, { isPrivate: true });
    assert.deepEqual("files" in told && told.files.map(({ uri, before }) => [uri, before]), [
      ["file:///w/.gitignore", "dist\n"],
      ["file:///w/rpc-endpoints.private.json", null],
    ]);
    const ignored = { "file:///w/.gitignore": "rpc-endpoints.private.json\n" };
    const known = await add(ignored, { isPrivate: true });
    assert.equal("files" in known && known.files.length, 1);
  });

  it("stands beside a notebook outside of any folder, and in the settings where there is no place at all", async () => {
    const beside = await add({}, { roots: [] });
    assert.equal("files" in beside && beside.files[0]?.uri, "file:///w/a/rpc-endpoints.json");
    assert.deepEqual(await add({}, { uri: "untitled:Untitled-1", roots: [] }), { inSettings: true });
    const first = await add({}, { uri: "untitled:Untitled-1", roots: ["file:///one", "file:///two"] });
    assert.equal("files" in first && first.files[0]?.uri, "file:///one/rpc-endpoints.json");
  });

  it("is left to the person where something would be lost", async () => {
    for (const text of ["[]", "{", '{ "main": "http://other" }', "{} // mine"]) {
      const found = await add({ "file:///w/rpc-endpoints.json": text });
      assert.match("refused" in found ? found.refused : "", /^rpc-endpoints\.json could not be extended: /);
    }
  });

  it("is not written with its key where git cannot be told", async () => {
    const found = await add({ "file:///w/.gitignore": Uint8Array.of(0xff, 0xfe, 0x64, 0) }, { isPrivate: true });
    assert.match("refused" in found ? found.refused : "", /^\.gitignore is not UTF-8, so nothing was written/);
  });
});
