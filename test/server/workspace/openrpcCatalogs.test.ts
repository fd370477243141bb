import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { createService, type Service } from "../../../server/src/service/service.ts";
import type { Host } from "../../../server/src/workspace/host.ts";
import { person, testHost } from "../../support/host.ts";
import { hostileServer } from "../../support/hostileServer.ts";

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
    const service = createService(testHost({ log, ...over }));
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
    folder = mkdtempSync(join(tmpdir(), "openrpc-"));
    uri = pathToFileURL(join(folder, "notes", "a.rpc.json")).href;
    mkdirSync(join(folder, "notes"));
    write("notes/open rpc.json", document("acme_height"));
    write("openrpc.json", document("acme_height"));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it("come from a file that the header names", async () => {
    assert.deepEqual(problems(await open({})), [unknown]);
    assert.deepEqual(problems(await open({ openrpc: "./open rpc.json" })), [wrong]);
    assert.deepEqual(problems(await open({ openrpc: ["../openrpc.json"] })), [wrong]);
    assert.deepEqual(warnings, []);
  });

  it("come from files that the settings name, from the workspace folder", async () => {
    const roots = [pathToFileURL(folder).href];
    const settings = { rpcNotebook: { openrpc: ["openrpc.json"] } };
    const service = await open({}, { roots, settings });
    assert.deepEqual(problems(service), [wrong]);
    service.configure({});
    await service.settled(uri);
    assert.deepEqual(problems(service), [unknown]);
  });

  it("are not looked for where the workspace is not trusted, until it is", async () => {
    const service = await open({ openrpc: "./open rpc.json" }, { trusted: false });
    assert.deepEqual(problems(service), [unknown]);
    service.trust();
    await service.settled(uri);
    assert.deepEqual(problems(service), [wrong]);
  });

  it("are never read from elsewhere, and a bad document is told over its path and once in the log", async () => {
    write("notes/bad.json", "{");
    write("notes/odd.json", JSON.stringify({ methods: [{}, { name: "acme_height", params: 7 }, 7] }));
    const bad = ["https://acme.example/openrpc.json", "/etc/openrpc.json", "gone.json", "bad.json", "odd.json"];
    const service = await open({ openrpc: bad });
    const elsewhere = "a path from the folder of the notebook or the workspace is due, to a file of it";
    assert.deepEqual(problems(service), [
      unknown,
      `bad-openrpc: \`${bad[0]}\`: ${elsewhere}.`,
      `bad-openrpc: \`${bad[1]}\`: ${elsewhere}.`,
      "bad-openrpc: `gone.json`: there is no such file, or it is larger than 10 MB or not UTF-8.",
      "bad-openrpc: `bad.json`: it is not JSON.",
      "bad-openrpc: `odd.json`: methods[0]: a method is an object with a `name` of letters, digits, `_` and `.` (and 2 more problems).",
    ]);
    assert.equal(warnings.length, 7);
    service.configure({});
    await service.settled(uri);
    assert.equal(warnings.length, 7);
  });

  it("follow the file when it is read again, and the header as it is typed", async () => {
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

  it("stay the same object while nothing changes, so that nothing is checked again", async () => {
    let changes = 0;
    const service = await open({ openrpc: "./open rpc.json" }, { changed: () => void changes++ });
    const before = changes;
    service.configure({});
    await service.settled(uri);
    assert.equal(changes - before, 1, "endpoints are told again, documents are not");
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
