import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { files } from "../../../server/src/node/files.ts";
import type { SaveRecordingResult } from "../../../server/src/protocol/runs.ts";
import type { CellResult } from "../../../server/src/run/result/cellResult.ts";
import { createService } from "../../../server/src/service/service.ts";
import { startEditor } from "../../support/editor.ts";
import { testHost } from "../../support/host.ts";
import { type LogServer, logServer, transferTopic } from "../../support/logServer.ts";
import { parquetRows } from "../../support/parquet.ts";
import { temporaryFolder } from "../../support/temporaryFolder.ts";

describe("all logs of a cell in a file that a person chose", () => {
  let folder: string;
  let server: LogServer;
  const calm = new AbortController().signal;
  const at = (name: string): string => join(folder, name);
  const open = ({ method = "eth_getLogs", trusted = true } = {}) => {
    const service = createService(testHost({ trusted, roots: [pathToFileURL(at("p")).href] }));
    const uri = pathToFileURL(at("p/a.rpc.json")).href;
    const params = method === "eth_getLogs" ? [{ fromBlock: "0x1", topics: [transferTopic] }] : [];
    const cell = JSON.stringify({ method, params, endpoint: server.url, expect: { result: [] } });
    service.openNotebook(uri, [
      { uri: `${uri}#a`, kind: "code", text: `{ "method": "eth_chainId" }` },
      { uri: `${uri}#b`, kind: "code", text: cell },
    ]);
    return { service, cell: `${uri}#b` };
  };
  beforeEach(async () => {
    folder = temporaryFolder();
    server = await logServer();
  });
  const target = (name: string): string => pathToFileURL(at(name)).href;

  it("are saved with what the table does not have, and how far it is", async () => {
    const { service, cell } = open();
    const texts: string[] = [];
    const said = await service.saveRows({ uri: target("t.parquet"), rest: "", cell }, calm, (text) => texts.push(text));
    assert.match("note" in said ? said.note : said.fault, /^Saved 1,500 logs of blocks 1 to 1,000 .* in t\.parquet\.$/);
    assert.equal((await parquetRows(at("t.parquet"))).length, 1500);
    assert.match(texts.at(-1) ?? "", /^100%, 1,500 logs, [\d,]+ per second, /);
  });
  it("stay as far as they are if a person cancels, and the next time goes on there", async () => {
    const { service, cell } = open();
    const params = { uri: target("t.ndjson"), rest: "", cell };
    const [stop, manifest] = [new AbortController(), at("t.ndjson.manifest.json")];
    const isBegun = (): boolean => existsSync(manifest) && JSON.parse(readFileSync(manifest, "utf8")).pieces.length > 0;
    server.onLogs = async () => {
      if (isBegun()) stop.abort();
      await new Promise((done) => setTimeout(done, 60));
    };
    const said = await service.saveRows(params, stop.signal);
    assert.match("fault" in said ? said.fault : "", /t\.ndjson has [\d,]+ logs of blocks 1 to \d+ .* Run it again/);
    server.onLogs = () => {};
    const before = server.asked.length;
    assert.ok("note" in (await service.saveRows(params, calm)));
    assert.ok((server.asked[before]?.[0] ?? 0) > 1);
    assert.equal(readFileSync(at("t.ndjson"), "utf8").trimEnd().split("\n").length, 1500);
  });
  it("are all of them as CSV too, if the table has only a part", async () => {
    const { service, cell } = open();
    let rest = "";
    const finished = ({ output }: CellResult): void => {
      for (const section of output.reports.flatMap(({ sections }) => sections))
        if (section.kind === "table") rest = section.rest ?? rest;
    };
    const save = async (name: string): Promise<number> => {
      await service.saveRows({ uri: target(name), rest, cell }, calm);
      return readFileSync(at(name), "utf8").trimEnd().split("\n").length;
    };
    const run = () => service.run({ uri: cell.replace(/#.*/, "") }, { started: () => {}, finished }, calm);
    server.spoil = (logs) => (server.asked.length > 20 ? "nothing" : logs);
    await run();
    server.spoil = (logs) => logs;
    assert.equal(await save("part.csv"), 1501);
    assert.ok(existsSync(at("part.csv.manifest.json")));
    await run();
    assert.equal(await save("whole.csv"), 1501);
    assert.ok(!existsSync(at("whole.csv.manifest.json")));
  });
  for (const [name, initializationOptions] of [
    ["an editor that only speaks LSP", {}],
    ["VS Code, which reads files itself", { readsFiles: true }],
  ] as const)
    it(`are written for ${name}`, async () => {
      const uri = target("p/a.rpc.json");
      const cell = JSON.stringify({ method: "eth_getLogs", params: [{ fromBlock: "0x1", topics: [transferTopic] }] });
      const editor = await startEditor({ files, initializationOptions, folders: [target("p")] });
      mkdirSync(at("p"));
      await editor.openCells(uri, [
        [`${uri}#a`, JSON.stringify({ endpoint: server.url })],
        [`${uri}#b`, cell],
      ]);
      for (const file of ["t.parquet", "t.ndjson"]) {
        const params = { uri: target(`p/${file}`), rest: "", cell: `${uri}#b` };
        const said = await editor.connection.sendRequest<SaveRecordingResult>("rpcNotebook/saveRows", params);
        assert.match("note" in said ? said.note : said.fault, /^Saved 1,500 logs/);
      }
      assert.equal((await parquetRows(at("p/t.parquet"))).length, 1500);
    });
  it("are not those of some rows, of another request, or in a workspace that is not trusted", async () => {
    const fault = async (given: ReturnType<typeof open>, cell: string | undefined, why: RegExp): Promise<void> => {
      const uri = target("t.parquet");
      const said = await given.service.saveRows({ uri, rest: "", ...(cell !== undefined && { cell }) }, calm);
      assert.match("fault" in said ? said.fault : said.note, why);
      assert.equal(existsSync(at("t.parquet")), false);
    };
    await fault(open(), undefined, /Choose CSV or JSON for some of its rows/);
    const other = open({ method: "eth_chainId" });
    await fault(other, other.cell, /Only the logs of a single/);
    const untrusted = open({ trusted: false });
    await fault(untrusted, untrusted.cell, /trust/);
    assert.deepEqual(server.asked, []);
  });
});
