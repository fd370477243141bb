import assert from "node:assert/strict";
import { together } from "../../../../server/src/editor/cellQueries.ts";
import type { CellOutput } from "../../../../server/src/report/report.ts";
import { createService, type Service } from "../../../../server/src/service/service.ts";
import { testHost } from "../../../support/host.ts";
import { answering, type HostileServer, hostileServer } from "../../../support/hostileServer.ts";

const uri = "file:///nowhere/a.rpc.json";
const refer = (name: string, to: string): string =>
  `{ "name": "${name}", "method": "eth_getBlockTransactionCountByNumber", "params": ["{{${to}}}"] }`;
const notebook = ({ block = "0x1", method = "eth_blockNumber", more = "" }): string => `{
  "variables": { "block": "${block}", "other": 1 },
  "cells": [
    { "name": "head", "method": "${method}"${more} },
    ${refer("near", "head.result")},
    ${refer("far", "near.result")},
    ${refer("set", "block")},
    { "name": "alone", "method": "eth_gasPrice" }
  ]
}`;

describe("the result of a cell is stale", () => {
  let server: HostileServer;
  let service: Service;
  before(async () => {
    server = await hostileServer(answering(() => "0x1"));
  });
  beforeEach(async () => {
    service = createService(testHost());
    service.openText(uri, notebook({}));
    service.pickEndpoint(uri, server.url);
    const result = await service.run({ uri }, { started: () => {}, finished: () => {} }, new AbortController().signal);
    assert.equal(result.ok, 5);
    assert.deepEqual(stale(), []);
  });

  /** The names of the cells whose lens says that their result is stale. */
  function stale(): readonly string[] {
    const names = service.cellNames(uri);
    return together(service.codeLenses(uri))
      .filter(({ action, title }) => action === "show-result" && title.startsWith("stale: ✓"))
      .map(({ index }) => names[index] ?? "");
  }

  it("when its request changes, or that of a cell that it refers to", () => {
    service.changeText(uri, notebook({ method: "eth_chainId" }));
    assert.deepEqual(stale(), ["head", "near", "far"]);
    service.changeText(uri, notebook({}));
    assert.deepEqual(stale(), []);
  });

  it("when a variable changes that it refers to", () => {
    service.changeText(uri, notebook({ block: "0x2" }));
    assert.deepEqual(stale(), ["set"]);
  });

  it("when its expectations change", () => {
    service.changeText(uri, notebook({ more: `, "expect": { "result": 2 }` }));
    assert.deepEqual(stale(), ["head", "near", "far"]);
  });

  it("when it would go elsewhere", () => {
    service.pickEndpoint(uri, "http://127.0.0.1:1/");
    assert.deepEqual(stale(), ["head", "near", "far", "set", "alone"]);
  });

  it("but not when its layout changes, or other cells", () => {
    service.changeText(
      uri,
      notebook({})
        .replace('"other": 1', '"other": 2')
        .replace(/ "method"/g, '\n  "method"'),
    );
    assert.deepEqual(stale(), []);
  });

  it("until it runs again", async () => {
    service.changeText(uri, notebook({ block: "0x2" }));
    const run = { uri, cells: [{ index: 3 }] };
    await service.run(run, { started: () => {}, finished: () => {} }, new AbortController().signal);
    assert.deepEqual(stale(), []);
  });

  it("when a cell that it refers to runs again", async () => {
    const run = (index: number) =>
      service.run({ uri, cells: [{ index }] }, { started: () => {}, finished: () => {} }, new AbortController().signal);
    await run(0);
    assert.deepEqual(stale(), ["near", "far"]);
    await run(1);
    assert.deepEqual(stale(), ["far"]);
    await run(2);
    assert.deepEqual(stale(), []);
    await run(4);
    assert.deepEqual(stale(), []);
  });

  it("in a notebook when its cell is edited, and when there was no run of it in this session", async () => {
    const cell = (method: string) => ({ uri: "cell:1", kind: "code" as const, text: `{ "method": "${method}" }` });
    service.openNotebook("file:///nowhere/b.rpc.json", [cell("eth_gasPrice")]);
    assert.match(
      service.staleness({ uri: "cell:1" })?.why ?? "",
      /another request, or from before the language server/,
    );
    service.pickEndpoint("cell:1", server.url);
    const run = { uri: "file:///nowhere/b.rpc.json" };
    await service.run(run, { started: () => {}, finished: () => {} }, new AbortController().signal);
    assert.equal(service.staleness({ uri: "cell:1" }), undefined);
    service.changeNotebook("file:///nowhere/b.rpc.json", [cell("eth_chainId")]);
    assert.match(service.staleness({ uri: "cell:1" })?.why ?? "", /^This result is stale/);
    service.changeNotebook("file:///nowhere/b.rpc.json", [cell("eth_gasPrice")]);
    assert.equal(service.staleness({ uri: "cell:1" }), undefined);
  });

  it("unless it is from an earlier session and comes from the same request, endpoint and references", async () => {
    const file = "file:///nowhere/c.rpc.json";
    const cell = (at: number, text: string) => ({ uri: `cell:${at}`, kind: "code" as const, text });
    const [head, near] = [`{ "name": "head", "method": "eth_blockNumber" }`, refer("near", "head.result")];
    const origins: string[] = [];
    const run = (given: Service, index?: number) =>
      given.run(
        { uri: file, ...(index !== undefined && { cells: [{ index }] }) },
        { started: () => {}, finished: ({ origin }) => origins.push(origin) },
        new AbortController().signal,
      );
    const openIn = (given: Service, ...texts: readonly string[]): void => {
      given.openNotebook(
        file,
        texts.map((text, at) => cell(at, text)),
      );
      given.pickEndpoint(file, server.url);
    };
    openIn(service, head, near);
    await run(service);
    const later = createService(testHost());
    const why = (at: number): string | undefined =>
      later.staleness({ uri: `cell:${at}`, origin: origins[at] ?? "" })?.why;
    openIn(later, head, near);
    assert.deepEqual([why(0), why(1)], [undefined, undefined]);
    later.changeNotebook(file, [cell(0, head.replace("eth_blockNumber", "eth_chainId")), cell(1, near)]);
    assert.match(`${why(0)} ${why(1)}`, /another request.* another request/);
    openIn(later, head, near);
    later.pickEndpoint(file, "http://127.0.0.1:1/");
    assert.match(`${why(0)}`, /another request/);
    later.pickEndpoint(file, server.url);
    await run(later, 0);
    assert.match(`${why(1)}`, /a cell that it refers to has run again/);
  });

  it("as its hover says", () => {
    const text = notebook({ block: "0x2" });
    service.changeText(uri, text);
    const at = text.indexOf("eth_getBlockTransactionCountByNumber", text.indexOf('"set"')) + 3;
    assert.match(service.hover(uri, at)?.markdown ?? "", /It is stale/);
  });
});

describe("a number is compared with that of the last run", () => {
  const text = JSON.stringify({ endpoint: "node", cells: [{ method: "eth_blockNumber" }] });
  const ignored = (): void => {};
  const settingsFor = ({ url }: HostileServer) => ({ rpcNotebook: { endpoints: { node: url } } });
  const headlineAfter = async (service: Service): Promise<readonly string[]> => {
    const parts: string[] = [];
    const finished = ({ output }: { readonly output: CellOutput }): void => {
      for (const { headline = [] } of output.reports) parts.push(...headline.map((part) => part.text));
    };
    await service.run({ uri }, { started: ignored, finished }, new AbortController().signal);
    return parts;
  };

  it("only if the same host answered", async () => {
    let block = 1;
    const servers = await Promise.all([0, 100].map((ahead) => hostileServer(answering(() => `0x${ahead + block}`))));
    const [first, other] = servers;
    assert.ok(first && other, "both run");
    const service = createService(testHost({ settings: settingsFor(first) }));
    service.openText(uri, text);
    assert.deepEqual(await headlineAfter(service), []);
    block++;
    assert.deepEqual(await headlineAfter(service), ["2", "+1"]);
    service.configure(settingsFor(other));
    assert.deepEqual(await headlineAfter(service), []);
    await Promise.all(servers.map((server) => server.close()));
  });
});
