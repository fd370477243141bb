import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { createService, type Service } from "../../../server/src/service/service.ts";
import type { Host } from "../../../server/src/workspace/host.ts";
import { person, testHost } from "../../support/host.ts";
import { hostileServer } from "../../support/hostileServer.ts";
import { temporaryFolder } from "../../support/temporaryFolder.ts";

const document = (method: string, param: object = { type: "integer" }): string =>
  JSON.stringify({
    openrpc: "1.3.2",
    methods: [{ name: method, params: [{ name: "p", required: true, schema: param }] }],
  });

describe("the methods of OpenRPC documents", () => {
  let folder: string;
  let uri: string;
  let warnings: string[];
  const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
  const open = async (header: object, over: Partial<Host> = {}): Promise<Service> => {
    warnings = [];
    const log = { info: () => {}, warn: (message: string) => void warnings.push(message), error: assert.fail };
    const service = createService(testHost({ log, roots: [pathToFileURL(folder).href], ...over }));
    const cells = [{ method: "acme_height", params: ["high"] }];
    service.openText(uri, JSON.stringify({ ...header, cells }));
    await service.settled(uri);
    return service;
  };
  const problems = (service: Service): readonly string[] =>
    service.diagnostics(uri).map(({ code, message }) => `${code}: ${message}`);
  const unknown =
    "unknown-method: Unknown method `acme_height`. Its parameters are not checked, and a run asks before sending it.";
  const wrong = "wrong-type: Expected a whole number, not a string.";

  beforeEach(() => {
    folder = temporaryFolder();
    uri = pathToFileURL(join(folder, "notes", "a.rpc.json")).href;
    mkdirSync(join(folder, "notes"));
    write("notes/open rpc.json", document("acme_height"));
    write("openrpc.json", document("acme_height"));
  });

  it("come from a file that the header names", async () => {
    assert.deepEqual(problems(await open({})), [unknown]);
    assert.deepEqual(problems(await open({ openrpc: "./open rpc.json" })), [wrong]);
    assert.deepEqual(problems(await open({ openrpc: ["../openrpc.json"] })), [wrong]);
    assert.deepEqual(warnings, []);
  });

  it("come from files that the settings name, from the workspace folder", async () => {
    const settings = { rpcNotebook: { openrpc: ["openrpc.json"] } };
    const service = await open({}, { settings });
    assert.deepEqual(problems(service), [wrong]);
    service.configure({});
    await service.settled(uri);
    assert.deepEqual(problems(service), [unknown]);
  });

  it("are not read in a workspace that is not trusted, until it is", async () => {
    const service = await open({ openrpc: "./open rpc.json" }, { trusted: false });
    assert.deepEqual(problems(service), [unknown]);
    service.trust();
    await service.settled(uri);
    assert.deepEqual(problems(service), [wrong]);
  });

  it("are read from relative paths only, and a bad document is a problem at its path and one warning in the log", async () => {
    write("notes/bad.json", "{");
    write("notes/odd.json", JSON.stringify({ methods: [{}, { name: "acme_height", params: 7 }, 7] }));
    const bad = ["https://acme.example/openrpc.json", "/etc/openrpc.json", "gone.json", "bad.json", "odd.json"];
    const service = await open({ openrpc: bad });
    const found = problems(service).slice(1);
    assert.deepEqual(
      found.map((one) => /^bad-openrpc: `(.*?)`/.exec(one)?.[1]),
      bad,
    );
    for (const [at, why] of [
      /relative path/,
      /relative path/,
      /no such file/,
      /not JSON/,
      /methods\[0\].*2 more/,
    ].entries())
      assert.match(found[at] ?? "", why);
    assert.equal(warnings.length, 7);
    service.configure({});
    await service.settled(uri);
    assert.equal(warnings.length, 7);
  });

  it("are not read from outside of the project", async () => {
    const reads: string[] = [];
    const files = { read: async (file: string) => void reads.push(file) };
    const roots = [pathToFileURL(join(folder, "notes")).href];
    const outside = ["../openrpc.json", "..\\openrpc.json", "x/../../openrpc.json", "%2e%2e/openrpc.json"];
    const settings = { rpcNotebook: { openrpc: ["../openrpc.json"] } };
    const service = await open({ openrpc: outside }, { roots, settings, files });
    const why = (path: string): string =>
      path.includes("\\")
        ? "it is outside the project; paths in notebooks have `/`, not `\\`, on Windows too"
        : "it is outside the project; only files in the project are read";
    assert.deepEqual(problems(service), [
      unknown,
      ...outside.slice(0, 3).map((path) => `bad-openrpc: \`${path}\`: ${why(path)}.`),
      "bad-openrpc: `%2e%2e/openrpc.json`: there is no such file, or it is larger than 10 MB or not UTF-8.",
    ]);
    const json = reads.filter((file) => file.endsWith("openrpc.json"));
    assert.deepEqual(json, [`${roots[0]}/%252e%252e/openrpc.json`], "a folder of the project with an odd name");
    assert.deepEqual(problems(await open({ openrpc: "../openrpc.json" })), [wrong], "inside of the workspace folder");
  });

  it("change with the file when it is read again, and with the header as it is typed", async () => {
    const service = await open({ openrpc: "./open rpc.json" });
    write("notes/open rpc.json", document("acme_depth"));
    service.configure({});
    await service.settled(uri);
    assert.match(problems(service).join(), /acme_height/);
    service.changeText(
      uri,
      `{ "openrpc": "../openrpc.json", "cells": [{ "method": "acme_height", "params": ["x"] }] }`,
    );
    await service.settled(uri);
    assert.deepEqual(problems(service), [wrong]);
    const offset = `{ "openrpc": "../openrpc.json", "cells": [{ "method": "acme`.length;
    assert.ok(service.completion(uri, offset).some(({ label }) => label === "acme_height"));
  });

  it("stay the same object until something changes, so that nothing is checked again", async () => {
    let changes = 0;
    const service = await open({ openrpc: "./open rpc.json" }, { changed: () => void changes++ });
    const before = changes;
    service.configure({});
    await service.settled(uri);
    assert.equal(changes - before, 1, "endpoints are reported again, documents are not");
  });

  it("come from an endpoint that has answered rpc.discover", async () => {
    const server = await hostileServer(({ body }, response) => {
      const { id } = JSON.parse(body);
      response.end(`{ "jsonrpc": "2.0", "id": ${JSON.stringify(id)}, "result": ${document("acme_height")} }`);
    });
    try {
      const consent = person({ allowHost: async () => true, allowWrites: async () => false });
      const service = await open({ endpoint: server.url }, { consent });
      assert.deepEqual(problems(service), [unknown]);
      const cells = `[{ "method": "acme_height", "params": ["high"] }, { "method": "rpc.discover" }]`;
      service.changeText(uri, `{ "endpoint": "${server.url}", "cells": ${cells} }`);
      const events = { started: () => {}, finished: () => {} };
      const { ok } = await service.run({ uri, cells: [{ index: 1 }] }, events, new AbortController().signal);
      assert.equal(ok, 1);
      assert.deepEqual(problems(service), [wrong]);
      service.changeText(uri, `{ "endpoint": "local", "cells": ${cells} }`);
      assert.deepEqual(problems(service), [unknown], "another endpoint has its own methods");
    } finally {
      await server.close();
    }
  });
});
