import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { files } from "../../../server/src/node/files.ts";
import type { AddEndpointResult } from "../../../server/src/protocol/endpoints.ts";
import { createService } from "../../../server/src/service/service.ts";
import { testHost } from "../../support/host.ts";
import { temporaryFolder } from "../../support/temporaryFolder.ts";

const address = "https://rpc.example";

describe("an endpoint that is added to a project", () => {
  let folder: string;
  beforeEach(() => {
    folder = temporaryFolder();
    mkdirSync(join(folder, "a"));
  });
  const uriOf = (name: string): string => pathToFileURL(join(folder, name)).href;
  const read = (name: string): string => readFileSync(join(folder, name), "utf8");

  interface Adding {
    readonly name?: string;
    readonly isPrivate?: boolean;
    readonly uri?: string;
    readonly roots?: readonly string[];
  }

  function add(
    texts: Readonly<Record<string, string | Uint8Array>>,
    { name = "main", isPrivate = false, uri = uriOf("a/b.rpc.json"), roots = [uriOf("")] }: Adding = {},
  ): Promise<AddEndpointResult> {
    for (const [file, text] of Object.entries(texts)) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), text);
    }
    return createService(testHost({ files, roots })).addEndpoint({ uri, name, address, isPrivate });
  }

  it("goes into the file at the root of the workspace folder", async () => {
    assert.deepEqual(await add({}), { added: true });
    assert.equal(read("rpc-endpoints.json"), '{\n  "main": "https://rpc.example"\n}\n');
    await add({ "rpc-endpoints.json": '{ "local": "http://127.0.0.1:8545" }' });
    assert.equal(read("rpc-endpoints.json"), '{ "local": "http://127.0.0.1:8545", "main": "https://rpc.example" }');
  });

  it("is ignored by git if it has a key", async () => {
    await add({ ".gitignore": "dist\n" }, { isPrivate: true });
    assert.equal(read(".gitignore"), "dist\nrpc-endpoints.private.json\n");
    assert.equal(read("rpc-endpoints.private.json"), '{\n  "main": "https://rpc.example"\n}\n');
    await add({}, { isPrivate: true, name: "other" });
    assert.equal(read(".gitignore"), "dist\nrpc-endpoints.private.json\n", "named once");
    assert.ok(!existsSync(join(folder, "rpc-endpoints.json")));
  });

  it("is written beside a notebook outside of the workspace, and goes to the settings if that has no folder", async () => {
    await add({}, { roots: [] });
    assert.deepEqual(readdirSync(join(folder, "a")), ["rpc-endpoints.json"]);
    assert.deepEqual(await add({}, { uri: "untitled:Untitled-1", roots: [] }), { inSettings: true });
    mkdirSync(join(folder, "one"));
    await add({}, { uri: "untitled:Untitled-1", roots: [uriOf("one"), uriOf("a")] });
    assert.deepEqual(readdirSync(join(folder, "one")), ["rpc-endpoints.json"]);
  });

  it("is not written if something would be lost", async () => {
    for (const text of ["[]", "{", '{ "main": "http://other" }', "{} // mine"]) {
      const found = await add({ "rpc-endpoints.json": text });
      assert.match("refused" in found ? found.refused : "", /^Nothing was added to rpc-endpoints\.json: /);
      assert.equal(read("rpc-endpoints.json"), text);
    }
  });

  it("is not written with its key if `.gitignore` cannot be changed", async () => {
    const found = await add({ ".gitignore": Uint8Array.of(0xff, 0xfe, 0x64, 0) }, { isPrivate: true });
    assert.deepEqual(found, {
      refused:
        ".gitignore: the file is written in UTF-16. It was not changed. Check its encoding, its permissions and its size.",
      uri: uriOf(".gitignore"),
    });
    assert.deepEqual(readdirSync(folder).sort(), [".gitignore", "a"]);
  });

  it("is kept with others that are added at the same time", async () => {
    const names = Array.from({ length: 20 }, (_, at) => `net${at}`);
    const added = await Promise.all(names.map((name) => add({}, { name })));
    assert.ok(added.every((one) => "added" in one));
    assert.deepEqual(Object.keys(JSON.parse(read("rpc-endpoints.json"))).sort(), names.sort());
  });
});
