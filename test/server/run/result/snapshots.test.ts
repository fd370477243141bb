import assert from "node:assert/strict";
import { existsSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { everythingTo } from "../../../../server/src/gate/verdict.ts";
import { environment } from "../../../../server/src/node/environment.ts";
import type { RunResult } from "../../../../server/src/protocol/runs.ts";
import { snapshotUri } from "../../../../server/src/run/judge/snapshotFile.ts";
import type { CellResult } from "../../../../server/src/run/result/cellResult.ts";
import { createService } from "../../../../server/src/service/service.ts";
import { testHost } from "../../../support/host.ts";
import { answering, type HostileServer, hostileServer } from "../../../support/hostileServer.ts";
import { pluck } from "../../../support/pluck.ts";
import { temporaryFolder } from "../../../support/temporaryFolder.ts";

const who = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const balance = (name: string, block: string, more = ""): string =>
  `{ "name": "${name}", "method": "eth_getBalance", "params": ["${who}", ${block}]${more} }`;

describe("snapshots", () => {
  const folder = temporaryFolder();
  let server: HostileServer;
  /** The answers of the endpoint, by method. */
  let results: Readonly<Record<string, unknown>>;
  before(async () => {
    server = await hostileServer(answering((method) => results[method]));
  });
  beforeEach(() => {
    results = { eth_getBalance: "0x10", eth_blockNumber: "0x64", eth_chainId: "0x1" };
    rmSync(snapshot(), { force: true });
  });

  const snapshot = (): string => join(folder, "a.rpc.snapshot.json");
  const written = () => JSON.parse(readFileSync(snapshot(), "utf8"));

  interface Ran {
    readonly result: RunResult;
    readonly cells: readonly CellResult[];
  }

  async function run(
    mode: "check" | "show" | "update",
    cells: readonly string[],
    { header = "", only }: { readonly header?: string; readonly only?: number } = {},
  ): Promise<Ran> {
    const service = createService(
      testHost({
        approvedHosts: [everythingTo(server.host)],
        settings: { rpcNotebook: { tokenLookup: false } },
        environment,
      }),
    );
    const uri = pathToFileURL(join(folder, "a.rpc.json")).href;
    service.openText(uri, `{ ${header} "cells": [${cells.join(", ")}] }`);
    const ended: CellResult[] = [];
    const result = await service.run(
      { uri, endpoint: server.url, snapshot: mode, ...(only !== undefined && { cells: [{ index: only }] }) },
      { started: () => {}, finished: (cell) => ended.push(cell) },
      new AbortController().signal,
    );
    return { result, cells: ended.sort((a, b) => a.index - b.index) };
  }
  const kinds = ({ cells }: Ran): readonly (string | undefined)[] => cells.map((cell) => cell.snapshot?.kind);

  it("are written beside the notebook by an update only", async () => {
    await run("show", [balance("a", `"0x5"`)]);
    await run("check", [balance("a", `"0x5"`)]);
    assert.equal(existsSync(snapshot()), false);
    const { result } = await run("update", [balance("a", `"0x5"`), `{ "method": "eth_chainId" }`]);
    assert.deepEqual(result.snapshot, { notes: ["a.rpc.snapshot.json: 2 cells recorded, 2 new or changed."] });
    const { a } = written().cells;
    assert.match(a.at, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    assert.match(a.answers[0].request, /^[0-9a-f]{16}$/);
    assert.deepEqual(
      { ...a, at: "", answers: [{ ...a.answers[0], request: "" }] },
      {
        endpoint: server.host,
        at: "",
        answers: [{ method: "eth_getBalance", request: "", block: "0x5", result: "0x10" }],
      },
    );
    assert.equal(Object.keys(written().cells).length, 2, "a cell without a name goes by its hash");
  });

  it("stay the same bytes if nothing has changed", async () => {
    const cells = [balance("a", `"0x5"`), balance("b", `"latest"`)];
    await run("update", cells);
    const before = readFileSync(snapshot(), "utf8");
    await run("update", cells);
    assert.equal(readFileSync(snapshot(), "utf8"), before);
    assert.ok(before.endsWith("}\n"));
    results = { ...results, eth_getBalance: "0x11" };
    await run("update", cells, { only: 1 });
    assert.deepEqual(written().cells.a, JSON.parse(before).cells.a, "a cell that did not run keeps what it has");
    assert.equal(written().cells.b.answers[0].result, "0x11");
  });

  it("are compared with cells that are pinned to a block, or ask for it", async () => {
    const hash = `0x${"ab".repeat(32)}`;
    const cells = [
      balance("number", `"0x5"`),
      balance("decimal", "5"),
      balance("hash", `{ "blockHash": "${hash}" }`),
      balance("variable", `"{{at}}"`),
      `{ "name": "range", "method": "eth_getLogs", "params": [{ "fromBlock": "earliest", "toBlock": "0x5" }] }`,
      `{ "name": "byHash", "method": "eth_getBlockByHash", "params": ["${hash}", false] }`,
      balance("marked", `"latest"`, `, "snapshot": true`),
      `{ "snapshot": true, "batch": [{ "method": "eth_chainId" }] }`,
      balance("tag", `"pending"`),
      balance("tagged", `{ "blockNumber": "{{head.result}}" }`),
      balance("counted", `"latest - 5"`),
      `{ "name": "open", "method": "eth_getLogs", "params": [{ "fromBlock": "0x1" }] }`,
      balance("left", `"0x5"`, `, "snapshot": false`),
      `{ "name": "head", "method": "eth_blockNumber" }`,
    ];
    results = { ...results, eth_getLogs: [], eth_getBlockByHash: null };
    const header = `"variables": { "at": "0x7" },`;
    await run("update", cells, { header });
    const checked = await run("check", cells, { header });
    const compared = checked.cells.filter(({ snapshot }) => snapshot?.kind === "same").map(({ key }) => key);
    assert.deepEqual(compared.slice(0, 7), ["number", "decimal", "hash", "variable", "range", "byHash", "marked"]);
    assert.equal(compared.length, 8);
    assert.deepEqual(checked.result.snapshot?.notes, ["8 cells compared with a.rpc.snapshot.json."]);
    assert.equal(written().cells.left, undefined);
    assert.ok(written().cells.tag, "what is not compared is recorded too");
  });

  it("keep what a person has added to them, and compare without it", async () => {
    const cells = [balance("a", `"0x5"`), balance("b", `"0x6"`)];
    await run("update", cells);
    const noted = written();
    noted.why = "A person's note.";
    noted.cells.a.note = "of a cell";
    for (const { answers } of Object.values<{ answers: object[] }>(noted.cells))
      Object.assign(answers[0] ?? {}, { note: "of an answer" });
    writeFileSync(snapshot(), JSON.stringify(noted));
    assert.deepEqual(kinds(await run("check", cells)), ["same", "same"]);
    results = { ...results, eth_getBalance: "0x11" };
    await run("update", cells, { only: 0 });
    const { why, cells: now } = written();
    assert.equal(why, "A person's note.");
    assert.deepEqual(
      [now.a.note, now.a.answers[0].note, now.b.answers[0].note],
      ["of a cell", "of an answer", "of an answer"],
    );
    assert.equal(now.a.answers[0].result, "0x11");
  });

  it("show where an answer differs, with quantities in both forms", async () => {
    const block = (gas: string, ...hashes: readonly string[]) => ({ gasUsed: gas, transactions: hashes });
    const cell = `{ "name": "block", "method": "eth_getBlockByNumber", "params": ["0x5", false] }`;
    results = { eth_getBlockByNumber: block("0x5208", "0xaa", "0xbb", "0xcc") };
    await run("update", [cell]);
    results = { eth_getBlockByNumber: block("0x5209", "0xaa", "0xcc") };
    const ran = await run("check", [cell]);
    assert.deepEqual([ran.result.ok, ran.result.failed, kinds(ran)], [0, 1, ["differs"]]);
    const text = ran.cells[0]?.output.text ?? "";
    assert.match(text, /^✗ block: eth_getBlockByNumber/);
    assert.match(
      text,
      /\n {2}It differs from its snapshot of \d{4}-\d\d-\d\d [\d:]+ UTC\.\n {2}→ If the new answer is right, update/,
    );
    assert.match(text, /\n {2}result\.gasUsed +"0x5208" \(21000\) → "0x5209" \(21001\)\n/);
    assert.match(text, /\n {2}result\.transactions\[1\] +"0xbb" \(187\) → nothing\n/);
  });

  it("report what is stale: changed requests and removed cells", async () => {
    await run("update", [balance("a", `"0x5"`), balance("b", `"0x5"`, `, "snapshot": true`), balance("c", `"0x5"`)]);
    const now = [balance("a", `"0x6"`), balance("b", `"0x6"`, `, "snapshot": true`)];
    const ran = await run("check", now);
    assert.deepEqual(kinds(ran), ["stale", "stale"]);
    assert.deepEqual(pluck(ran.cells, "ok"), [true, false]);
    assert.deepEqual(ran.result.snapshot?.notes, [
      "`a` and `b`: the request differs from the one in a.rpc.snapshot.json.",
      "`c`: recorded in a.rpc.snapshot.json, and no longer in the notebook.",
    ]);
    const { result } = await run("update", now);
    assert.deepEqual(result.snapshot?.notes, [
      "a.rpc.snapshot.json: 2 cells recorded, 2 new or changed and 1 removed.",
    ]);
    assert.deepEqual(Object.keys(written().cells), ["a", "b"]);
    await run("update", now.slice(0, 1));
    assert.deepEqual(Object.keys(written().cells), ["a"]);
  });

  it("fail cells that ask to be compared and are not recorded", async () => {
    await run("update", [balance("a", `"0x5"`)]);
    const cells = [balance("a", `"0x5"`), balance("b", `"latest"`, `, "snapshot": true`)];
    assert.deepEqual([(await run("show", cells)).result.failed, (await run("check", cells)).result.failed], [0, 1]);
  });

  it("contain expected failures, and keep the record of a cell that fails", async () => {
    const refused = `{ "name": "no", "method": "eth_getCode", "params": ["${who}", "0x5"], "expect": { "error.code": -32000 } }`;
    await run("update", [balance("a", `"0x5"`), refused]);
    assert.deepEqual(written().cells.no.answers[0].error, { code: -32000, message: "no luck" });
    results = {};
    const { result } = await run("update", [balance("a", `"0x5"`), refused]);
    assert.equal(result.snapshot?.notes[1], "`a`: not recorded; what was recorded before is kept.");
    assert.equal(written().cells.a.answers[0].result, "0x10");
  });

  it("keep every name, `__proto__` too, and every digit of integers", async () => {
    const cells = [balance("__proto__", `"0x5"`)];
    await run("update", cells);
    assert.deepEqual(kinds(await run("check", cells)), ["same"]);
    assert.match(readFileSync(snapshot(), "utf8"), /"__proto__": \{/);
  });

  it("contain no secret", async () => {
    process.env.RPC_SNAPSHOT_TOKEN = "hunter2hunter2";
    results = { eth_getBalance: "0x1", echo: "you said hunter2hunter2" };
    const cells = [`{ "name": "s", "method": "echo", "params": ["{{$env.RPC_SNAPSHOT_TOKEN}}"] }`];
    try {
      await run("update", cells);
      assert.match(server.seen.at(-1)?.body ?? "", /hunter2/);
      assert.match(written().cells.s.answers[0].result, /^you said (?!hunter2)\S/);
      assert.deepEqual(kinds(await run("check", [cells[0]?.replace("{", `{ "snapshot": true,`) ?? ""])), ["same"]);
    } finally {
      delete process.env.RPC_SNAPSHOT_TOKEN;
    }
  });

  it("that could not be read again are not written, and the records stay", async () => {
    await run("update", [balance("a", `"0x5"`)]);
    const before = readFileSync(snapshot(), "utf8");
    results = { ...results, big: "0".repeat(68_000_000) };
    const { result } = await run("update", [balance("a", `"0x6"`), `{ "method": "big", "snapshot": true }`]);
    assert.match(result.snapshot?.fault ?? "", /^a\.rpc\.snapshot\.json was not written: it would be larger than/);
    assert.equal(readFileSync(snapshot(), "utf8"), before);
  });

  it("that exist and cannot be read stay as they are", async () => {
    writeFileSync(snapshot(), "");
    truncateSync(snapshot(), 64 * 1024 * 1024 + 1);
    const { result } = await run("update", [balance("a", `"0x5"`)]);
    assert.deepEqual(result.snapshot, {
      notes: [],
      fault:
        "a.rpc.snapshot.json exists, but cannot be read. It was not changed. Check its encoding, its permissions and its size.",
    });
    assert.equal(statSync(snapshot()).size, 64 * 1024 * 1024 + 1);
  });

  it("leave out an answer that nests too deeply to be read again", async () => {
    const deep = JSON.parse("[".repeat(509) + "]".repeat(509));
    results = { ...results, deep };
    const cells = [balance("a", `"0x5"`), `{ "name": "d", "method": "deep", "snapshot": true }`];
    const { result } = await run("update", cells);
    assert.equal(result.snapshot?.notes[1], "`d`: not recorded; what was recorded before is kept.");
    assert.deepEqual(kinds(await run("check", cells)), ["same", "missing"]);
  });

  it("are separate for each notebook, however similar their names", () => {
    const names = ["a.rpc.json", "a.json", "a.RPC.JSON", "a.rpc.json.json", "a.jsonc"];
    const uris = names.map((name) => snapshotUri(`file:///w/${name}`));
    assert.equal(uris[0], "file:///w/a.rpc.snapshot.json");
    assert.equal(new Set(uris).size, names.length, uris.join());
    assert.ok(uris.every((uri) => uri.endsWith(".rpc.snapshot.json")));
  });

  it("keep the records that another run has written meanwhile", async () => {
    const cells = [balance("a", `"0x5"`), `{ "name": "b", "method": "eth_chainId" }`];
    let goOn = (): void => {};
    const held = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const slow = await hostileServer(async ({ body }, response) => {
      await held;
      const { id } = JSON.parse(body);
      response.end(JSON.stringify({ jsonrpc: "2.0", id, result: "0x77" }));
    });
    const service = createService(testHost());
    const uri = pathToFileURL(join(folder, "a.rpc.json")).href;
    service.openText(uri, `{ "cells": [${cells.join(", ")}] }`);
    const first = service.run(
      { uri, endpoint: slow.url, snapshot: "update", cells: [{ index: 0 }] },
      { started: () => {}, finished: () => {} },
      new AbortController().signal,
    );
    while (slow.seen.length === 0) await new Promise(setImmediate);
    // of a notebook that has a cell more by now
    await run("update", [...cells, balance("c", `"0x9"`)], { only: 1 });
    await run("update", [...cells, balance("c", `"0x9"`)], { only: 2 });
    goOn();
    assert.equal((await first).snapshot?.fault, undefined);
    await slow.close();
    assert.deepEqual(
      Object.entries(written().cells).map(([key, one]) => [
        key,
        (one as { answers: { result: string }[] }).answers[0]?.result,
      ]),
      [
        ["a", "0x77"],
        ["b", "0x1"],
        ["c", "0x10"],
      ],
    );
  });

  for (const broken of ["", "[]", "{", `{ "rpcNotebookSnapshot": 2, "cells": {} }`, `<<<<<<< HEAD\n{}`]) {
    it(`that cannot be read stay as they are: ${JSON.stringify(broken)}`, async () => {
      writeFileSync(snapshot(), broken);
      const { result } = await run("update", [balance("a", `"0x5"`)]);
      assert.deepEqual(result.snapshot, {
        notes: [],
        fault: "a.rpc.snapshot.json cannot be read as a snapshot. Fix it, or delete it and make a new one.",
      });
      assert.equal(readFileSync(snapshot(), "utf8"), broken);
    });
  }
});
