import assert from "node:assert/strict";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Span } from "../../../server/src/base/span.ts";
import { together } from "../../../server/src/editor/cellQueries.ts";
import type { Completion } from "../../../server/src/features/completion.ts";
import { createService, type Service } from "../../../server/src/service/service.ts";
import { type CountingProxy, countingProxy } from "../../support/countingProxy.ts";
import { person, testHost } from "../../support/host.ts";
import { type HostileServer, hostileServer } from "../../support/hostileServer.ts";
import { pluck } from "../../support/pluck.ts";
import { temporaryFolder } from "../../support/temporaryFolder.ts";

const header = `{ "variables": { "alice": "0x70997970C51812dc3A010C7d01b50e0d17dc79C8" } }`;
const cells = [
  `{ "name": "balance", "method": "eth_getBalance", "params": ["{{alice}}", "latest"] }`,
  `{ "name": "broken", "method": "eth_getBalanc", "params": ["{{bob}}"] }`,
];
const text = `${header.replace(/ }$/, "")}, "cells": [\n${cells.join(",\n")}\n] }`;
const file = "file:///w/a.rpc.json";
const notebook = "file:///w/b.rpc.json";
const cellUri = (at: number): string => `vscode-notebook-cell:/w/b.rpc.json#${at}`;

function openBoth(): Service {
  const service = createService(testHost());
  service.openText(file, text);
  service.openNotebook(notebook, [
    { uri: cellUri(0), kind: "code", text: header, header: true },
    ...cells.map((each, at) => ({ uri: cellUri(at + 1), kind: "code" as const, text: each })),
  ]);
  return service;
}

const run = (service: Service, params: Parameters<Service["run"]>[0]) =>
  service.run(params, { started: () => {}, finished: () => {} }, new AbortController().signal);
const under = (whole: string, { start, end }: Span): string => whole.slice(start, end);

/** A suggestion with its documentation as text. */
function written({ documentation, ...rest }: Completion): object {
  return { ...rest, documentation: documentation?.() };
}

describe("the service", () => {
  describe("returns the same for a text and for a notebook of cells", () => {
    it("as problems, each at the same text", () => {
      const service = openBoth();
      const inText = service.diagnostics(file).map(({ code, span }) => [code, under(text, span)]);
      const inCells = [header, ...cells].flatMap((each, at) =>
        service.diagnostics(cellUri(at)).map(({ code, span }) => [code, under(each, span)]),
      );
      assert.deepEqual(inText, [
        ["unknown-method", `"eth_getBalanc"`],
        ["unresolved-placeholder", "{{bob}}"],
      ]);
      assert.deepEqual(inCells, inText);
    });

    it("as hover and completion, at every offset of every cell", () => {
      const service = openBoth();
      for (const [at, cell] of cells.entries()) {
        const start = text.indexOf(cell);
        for (let offset = 0; offset <= cell.length; offset++) {
          const back = <T extends { readonly span: Span }>(found: T): T => ({
            ...found,
            span: { start: found.span.start - start, end: found.span.end - start },
          });
          const hover = service.hover(file, start + offset);
          assert.deepEqual(hover && back(hover), service.hover(cellUri(at + 1), offset));
          const own = service.completion(cellUri(at + 1), offset);
          const found = service.completion(file, start + offset).map((one) => ({
            ...back(one),
            ...(one.also && { also: one.also.map(back) }),
          }));
          assert.deepEqual(found.map(written), own.map(written));
        }
      }
    });

    it("as hover in the header, with spans of the file", () => {
      const service = openBoth();
      for (let offset = 0; offset < header.length - 2; offset++) {
        const inFile = service.hover(file, offset);
        assert.deepEqual(inFile, service.hover(cellUri(0), offset));
      }
    });

    it("as code lenses", () => {
      const service = openBoth();
      const lenses = (uri: string) =>
        together(service.codeLenses(uri)).map(({ title, action, index }) => [title, action, index]);
      const actions = lenses(file).map(([, action, index]) => `${action} ${index}`);
      assert.equal(actions.join(), "run 0,wire-form 0,copy-as 0,run 1,run-above 1,wire-form 1,copy-as 1");
      assert.deepEqual([...lenses(cellUri(1)), ...lenses(cellUri(2))], lenses(file));
      assert.deepEqual(lenses(cellUri(0)), []);
    });
  });

  it("finds cells by name, key and number", () => {
    const service = openBoth();
    for (const uri of [file, notebook, cellUri(2)]) {
      const found = ["balance", "broken", "1", "2", "3", "0", "alice"].map((key) => service.cellIndex(uri, key));
      assert.deepEqual(found, [0, 1, 0, 1, undefined, undefined, undefined]);
    }
    assert.deepEqual(service.cellNames(file), ["balance", "broken"]);
    assert.deepEqual(service.siblings(cellUri(1)), [0, 1, 2].map(cellUri));
    assert.deepEqual(service.siblings(file), [file]);
  });

  it("follows edits, and forgets closed documents", () => {
    const service = openBoth();
    service.changeText(file, text.replace('eth_getBalanc"', 'eth_getBalance"').replace("{{bob}}", "{{alice}}"));
    assert.deepEqual(pluck(service.diagnostics(file), "code"), ["missing-block"]);
    service.changeNotebook(notebook, [{ uri: cellUri(9), kind: "code", text: cells[0] ?? "" }]);
    assert.deepEqual(pluck(service.diagnostics(cellUri(9)), "code"), ["unresolved-placeholder"]);
    assert.deepEqual(service.diagnostics(cellUri(2)), []);
    service.close(notebook);
    service.close(file);
    assert.deepEqual(
      [service.diagnostics(cellUri(9)), service.diagnostics(file), service.hover(file, 3)],
      [[], [], undefined],
    );
  });

  it("returns nothing for documents that are not open", async () => {
    const service = createService(testHost());
    assert.deepEqual(service.completion("file:///x", 0), []);
    assert.equal(service.cellIndex("file:///x", "1"), undefined);
    assert.deepEqual(await run(service, { uri: "file:///x" }), { ok: 0, failed: 0, cancelled: false });
  });

  it("shows the last result of a cell above it, until its request changes", async () => {
    const node = await hostileServer(({ body }, response) =>
      response.end(JSON.stringify({ jsonrpc: "2.0", id: JSON.parse(body).id, result: "0xde0b6b3a7640000" })),
    );
    try {
      const service = openBoth();
      const titles = (): readonly string[] =>
        together(service.codeLenses(file))
          .filter(({ action }) => action === "run" || action === "show-result")
          .map(({ title }) => title);
      await run(service, { uri: file, endpoint: node.url, cells: [{ index: 0 }] });
      assert.deepEqual(titles(), ["Run", "✓ 1 ether", "Run"]);
      service.changeText(file, text.replace(`"cells": [`, `"cells": [ { "markdown": "new" },`));
      assert.deepEqual(titles(), ["Run", "✓ 1 ether", "Run"]);
      service.changeText(file, text.replace(`"balance"`, `"other"`));
      assert.deepEqual(titles(), ["Run", "Run"]);
    } finally {
      await node.close();
    }
  });
});

describe("the endpoint of a document", () => {
  const folder = temporaryFolder();
  let servers: { readonly one: HostileServer; readonly two: CountingProxy };
  const uriOf = (name: string): string => pathToFileURL(join(folder, name)).href;
  before(async () => {
    const one = await hostileServer(({ body }, response) =>
      response.end(JSON.stringify({ jsonrpc: "2.0", id: JSON.parse(body).id, result: "0x1" })),
    );
    servers = { one, two: await countingProxy(one.url) };
    mkdirSync(join(folder, "deep/er"), { recursive: true });
    writeFileSync(
      join(folder, "rpc-endpoints.json"),
      JSON.stringify({ one: one.url, both: one.url, top: `${one.url}node` }),
    );
    writeFileSync(
      join(folder, "deep/rpc-endpoints.json"),
      JSON.stringify({ two: servers.two.url, both: servers.two.url }),
    );
  });
  after(() => Promise.all([servers.one.close(), servers.two.close()]));

  const open = (notebookHeader: string, over: Parameters<typeof testHost>[0] = {}) => {
    const reads: string[] = [];
    const host = testHost({ roots: [pathToFileURL(folder).href], ...over });
    const service = createService({
      ...host,
      files: {
        read: (at) => {
          reads.push(at);
          return host.files.read(at);
        },
      },
    });
    const uri = uriOf("deep/er/a.rpc.json");
    service.openText(uri, `{${notebookHeader}"cells":[{"method":"eth_chainId"}]}`);
    return { service, uri, reads };
  };
  const current = async ({ service, uri }: ReturnType<typeof open>): Promise<string> => {
    const { current: found } = await service.endpoints(uri);
    return found ? `${found.name}; ${found.why} ${found.source}` : "none";
  };

  it("comes from the picker, else the header, else the setting", async () => {
    const settings = { rpcNotebook: { endpoint: "set", endpoints: { set: "http://127.0.0.1:9" } } };
    assert.equal(await current(open("")), "none");
    assert.equal(
      await current(open("", { settings })),
      "set; Chosen by your setting rpcNotebook.endpoint. The endpoint is in your setting rpcNotebook.endpoints.",
    );
    const opened = open(`"endpoint":"both",`, { settings });
    assert.equal(await current(opened), "both; Chosen by the header. The endpoint is in ../rpc-endpoints.json.");
    opened.service.pickEndpoint(opened.uri, "one");
    assert.equal(await current(opened), "one; You chose it. The endpoint is in ../../rpc-endpoints.json.");
    opened.service.pickEndpoint(opened.uri, null);
    assert.equal(await current(opened), "both; Chosen by the header. The endpoint is in ../rpc-endpoints.json.");
    opened.service.configure({});
    assert.equal(await current(opened), "both; Chosen by the header. The endpoint is in ../rpc-endpoints.json.");
  });

  it("of other files is picked for all of them, and a new notebook takes the last one", async () => {
    const { service, uri } = open("");
    const [contract, other] = ["deep/A.sol", "deep/B.sol"].map(uriOf);
    assert.equal((await service.endpoints(uri)).usual, undefined, "there are several");
    service.pickEndpoint("rpc-notebook:files", "two");
    assert.deepEqual(
      await Promise.all([contract, other].map(async (file) => (await service.endpoints(file ?? "")).current?.name)),
      ["two", "two"],
    );
    const { usual, current: chosen } = await service.endpoints(uri);
    assert.deepEqual([usual, chosen], ["two", undefined]);
  });

  it("is listed with the reason if it cannot be used, and found by its address", async () => {
    const own = join(folder, "deep/er/rpc-endpoints.json");
    writeFileSync(own, JSON.stringify({ keyed: "https://a.example/{{$secret.KEY}}", wrong: "nonsense" }));
    const { service, uri } = open("");
    const listed = (await service.endpoints(uri)).endpoints.filter(({ broken }) => broken !== undefined);
    rmSync(own);
    assert.deepEqual(
      listed.map(({ name, host, broken, secret, place }) => [name, host, broken, secret, place?.place.line]),
      [
        ["keyed", "", "It cannot be used: `$secret.KEY` is not set.", "KEY", 1],
        ["wrong", "", "It cannot be used: expected an address beginning with http:// or https://.", undefined, 1],
      ],
    );
    const checked = await service.checkAddress({ text: servers.two.url, uri });
    assert.equal("known" in checked && checked.known, "two");
    assert.ok(!("known" in (await service.checkAddress({ text: "https://a.example", uri }))));
  });

  it("is read again from its file at the next run", async () => {
    const opened = open(`"endpoint":"later",`, { approvedHosts: [servers.two.url.slice(7)] });
    await opened.service.settled(opened.uri);
    assert.deepEqual(pluck(opened.service.diagnostics(opened.uri), "code"), ["unknown-endpoint"]);
    writeFileSync(join(folder, "deep/er/rpc-endpoints.json"), JSON.stringify({ later: servers.two.url }));
    const result = await run(opened.service, { uri: opened.uri });
    assert.equal(result.ok, 1);
    assert.deepEqual(opened.service.diagnostics(opened.uri), []);
    rmSync(join(folder, "deep/er/rpc-endpoints.json"));
  });

  it("is approved once for each host", async () => {
    const asked: string[] = [];
    const consent = person({ allowHost: async ({ site, source }) => asked.push(`${site} ${source}`) > 0 });
    const { service, uri } = open(`"endpoint":"top",`, { consent });
    for (let times = 0; times < 3; times++) {
      const { ok } = await run(service, { uri });
      assert.equal(ok, 1);
    }
    assert.deepEqual(asked, [`http://${servers.one.host} The endpoint "top" is in ../../rpc-endpoints.json.`]);
  });

  it("is not read from files, and gets no request, in a workspace that is not trusted", async () => {
    const before = servers.one.seen.length;
    const opened = open(`"endpoint":"one",`, { trusted: false });
    assert.equal(await current(opened), "none");
    await run(opened.service, { uri: opened.uri });
    assert.deepEqual([opened.reads, servers.one.seen.length - before], [[], 0]);
    opened.service.trust();
    await opened.service.settled(opened.uri);
    assert.ok(opened.reads.length > 0);
    assert.equal(await current(opened), "one; Chosen by the header. The endpoint is in ../../rpc-endpoints.json.");
  });

  it("gets no request when a document is opened and inspected", async () => {
    const before = servers.one.seen.length;
    const { service, uri } = open(`"endpoint":"one","chainId":"0x1",`, { approvedHosts: [servers.one.host] });
    await service.settled(uri);
    const length = `{"endpoint":"one","chainId":"0x1","cells":[{"method":"eth_chainId"}]}`.length;
    for (let at = 0; at < length; at++) service.hover(uri, at) ?? service.completion(uri, at);
    service.diagnostics(uri);
    service.codeLenses(uri);
    await service.endpoints(uri);
    assert.equal(servers.one.seen.length, before);
  });

  it("is a problem with its place, in its file and where it is used", async () => {
    writeFileSync(join(folder, "deep/er/rpc-endpoints.json"), `{\n  "bad": 5\n}`);
    const { service, uri } = open(`"endpoint":"bad",`);
    await service.endpoints(uri);
    assert.deepEqual(
      service.fileDiagnostics().map(({ start, code, message }) => [start, code, message]),
      [[{ line: 2, column: 10 }, "bad-endpoint", "An endpoint is a URL, or an object with `url` or `replay`."]],
    );
    const [used] = service.diagnostics(uri);
    assert.deepEqual([used?.code, used?.severity], ["unusable-endpoint", "warning"]);
    assert.match(service.hover(uri, 15)?.markdown ?? "", /cannot be used here: an endpoint is a URL/);
    rmSync(join(folder, "deep/er/rpc-endpoints.json"));
  });
});
