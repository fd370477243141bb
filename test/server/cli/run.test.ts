import assert from "node:assert/strict";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { closeAfterTest } from "../../../scripts/lib/processEnd.mjs";
import type { CommandLineHost } from "../../../server/src/cli/commandLineHost.ts";
import { type Command, readArguments } from "../../../server/src/cli/main.ts";
import { run } from "../../../server/src/cli/run.ts";
import { terminal } from "../../../server/src/cli/terminal.ts";
import { cliHost } from "../../../server/src/node/cliHost.ts";
import { readRecordingFile } from "../../../server/src/node/readRecording.ts";
import { answering, type HostileServer, hostileServer } from "../../support/hostileServer.ts";
import { temporaryFolder } from "../../support/temporaryFolder.ts";
import { parseXml } from "../../support/xml.ts";

const who = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";

describe("rpc-notebook run", () => {
  const folder = temporaryFolder();
  let server: HostileServer;
  /** Results of the endpoint, by method. */
  let results: Readonly<Record<string, unknown>>;
  /** The variable `CI` of the environment. */
  let ci: string | undefined;
  /** Called with each method when it arrives. */
  let arrived: (method: string) => void = () => {};
  before(async () => {
    server = await hostileServer(
      answering((method) => {
        arrived(method);
        return results[method];
      }),
    );
  });
  beforeEach(() => {
    arrived = () => {};
    ci = undefined;
    results = { eth_chainId: "0x1", eth_blockNumber: "0x64", eth_getBalance: "0x10" };
  });

  const write = (name: string, ...cells: readonly string[]): string => {
    const file = join(folder, name);
    writeFileSync(file, `{\n  "cells": [\n    ${cells.join(",\n    ")}\n  ]\n}\n`);
    return file;
  };

  interface Ran {
    readonly code: number;
    readonly out: string;
    readonly err: string;
  }

  async function type(words: readonly string[], signal = new AbortController().signal, heard = (_: string) => {}) {
    const command: Command = readArguments(["run", ...words, "--endpoint", server.url]);
    assert.ok(command.name === "run");
    let [out, err] = ["", ""];
    const screen = terminal(
      {
        write(text) {
          out += text;
        },
      },
      {
        write(text) {
          err += text;
          heard(text);
        },
      },
      {},
    );
    const used = { terminal: screen, signal, version: "0.0.0", recording: readRecordingFile };
    const line = used as unknown as CommandLineHost; // no more of it is used
    const environment = { variable: (name: string) => (name === "CI" ? ci : process.env[name]), names: () => [] };
    const code = await run(command, { ...(await cliHost(command, screen)), environment }, line, undefined);
    const plain = (text: string): string => text.replaceAll(`${folder}/`, "");
    const ran: Ran = { code, out: plain(out), err: plain(err) };
    return ran;
  }

  const allowing = (...methods: readonly string[]) => methods.flatMap((method) => ["--allow-method", method]);
  it("lists all options that allow more cells in one line", async () => {
    const cells = ["eth_chainId", "zks_a", "zks_b", "zks_b", "eth_sendRawTransaction", "eth_getBalanc"];
    const file = write("refused.rpc.json", ...cells.map((method) => `{ "method": "${method}" }`));
    const { code, out } = await type([file]);
    assert.match(out, /^To allow all cells, add: --allow-method zks_a --allow-method zks_b --allow-writes$/m);
    assert.equal(code, 1);
    const one = write("one.rpc.json", `{ "method": "zks_a" }`, `{ "method": "zks_a" }`);
    assert.doesNotMatch((await type([one])).out, /To allow/, "beside its cell is enough");
  });

  it("hints at the port of --allow-host on this machine", async () => {
    const file = write("port.rpc.json", `{ "method": "eth_chainId" }`);
    const { err } = await type([
      file,
      ...["127.0.0.1", "localhost:1", "a.example"].flatMap((host) => ["--allow-host", host]),
    ]);
    assert.equal(
      err,
      "--allow-host 127.0.0.1 has no port, so it means port 80 or 443. For a node, write one: 127.0.0.1:8545.\n",
    );
  });

  it("says how many cells a comparison leaves out", async () => {
    const balance = `{ "method": "eth_getBalance", "params": ["${who}", "latest"] }`;
    const file = write(
      "some.rpc.json",
      balance,
      `{ "markdown": "a" }`,
      `{ "method": "eth_sendTransaction" }`,
      `{ "batch": [] }`,
    );
    const { code, err } = await type([file, "--compare", "latest,safe"]);
    assert.match(err, /some\.rpc\.json: 2 cells left out\. Only single requests that read can be compared\./);
    assert.equal(code, 0);
  });

  it("prints the comparisons so far as JSON when it is cancelled", async () => {
    const balance = `{ "method": "eth_getBalance", "params": ["${who}", "latest"] }`;
    const file = write("compared.rpc.json", balance, balance, balance);
    const stop = new AbortController();
    let asked = 0;
    arrived = (method) => {
      if (method === "eth_getBalance" && ++asked > 2) stop.abort();
    };
    const { code, out } = await type([file, "--compare", "latest,safe", "--report", "json"], stop.signal);
    assert.equal(code, 1);
    assert.equal((JSON.parse(out) as readonly unknown[]).length, 1);
  });

  describe("with --report junit", () => {
    it("has a case for each cell, with the expected and the actual value", async () => {
      const file = write(
        "junit.rpc.json",
        `{ "markdown": "# One" }`,
        `{ "name": "fine", "method": "eth_chainId", "expect": { "result": 1 } }`,
        `{ "name": "block", "method": "eth_getBlockByNumber", "params": ["0x5", false],\n      "expect": {\n        "result": { "gasUsed": "0x10", "uncles": [] }\n      } }`,
        `{ "name": "unsent", "method": "eth_getCode", "params": ["{{blok.result}}", "latest"] }`,
      );
      results = { ...results, eth_getBlockByNumber: { gasUsed: "0x11", uncles: [] } };
      const { code, out, err } = await type([file, "--report", "junit"]);
      const suites = parseXml(out.trimEnd());
      const [suite] = suites.children;
      assert.deepEqual(
        [suites.attributes.tests, suites.attributes.failures, suites.attributes.errors, suite?.attributes.name],
        ["3", "1", "1", "junit.rpc.json"],
      );
      const [fine, block, unsent] = suite?.children ?? [];
      assert.deepEqual(
        fine?.children.map(({ name }) => name),
        ["system-out"],
      );
      assert.deepEqual(
        [block?.attributes.name, block?.attributes.line, block?.children[0]?.name],
        ["block: eth_getBlockByNumber", "5", "failure"],
      );
      assert.equal(
        block?.children[0]?.text,
        [
          `Expected result to be {"gasUsed":"0x10","uncles":[]}. It is {"gasUsed":"0x11","uncles":[]}.`,
          `  expected: {"gasUsed":"0x10","uncles":[]}`,
          `  actual:   {"gasUsed":"0x11","uncles":[]}`,
          `  result.gasUsed: "0x10" (16) → "0x11" (17)`,
          "at junit.rpc.json:7:9",
        ].join("\n"),
      );
      assert.equal(unsent?.children[0]?.name, "error");
      assert.match(err, /^Failed:\n {2}junit\.rpc\.json:7:9 {2}block: .*\n {2}junit\.rpc\.json:9:\d+ {2}unsent: /);
      assert.equal(code, 1);
    });

    it("is well-formed for any name and any answer", async () => {
      const name = `a<b>&\\"'\\u0000\\u001b[31m\\ud800\\uffff]]>`;
      const file = write(
        "odd.rpc.json",
        `{ "name": "${name}", "method": "eth_call", "expect": { "result": "${name}" } }`,
      );
      results = { eth_call: JSON.parse(`"x${name}\\u0007"`) };
      const { out } = await type([file, "--report", "junit"]);
      const [suite] = parseXml(out.trimEnd()).children;
      assert.match(suite?.children[0]?.attributes.name ?? "", /^a<b>&"'/);
    });
  });

  it("lists failures with their places", async () => {
    const file = write(
      "sum.rpc.json",
      `{ "method": "eth_chainId" }`,
      `{ "markdown": "Text" }`,
      `{ "method": "eth_chainId", "expect": { "result": 2 } }`,
    );
    const { out } = await type([file]);
    const last = out.split("\n").slice(-4);
    assert.deepEqual(last.slice(0, 2), [
      "Failed:",
      `  sum.rpc.json:5:44  cell 2: eth_chainId: expected result to be 2. It is "0x1".`,
    ]);
    assert.match(last[2] ?? "", /^1 of 2 cells ok, 1 failed, [\d.]+ m?s$/);
  });

  it("shows where lists and objects differ", async () => {
    const file = write("diff.rpc.json", `{ "method": "eth_accounts", "expect": { "result": ["0xa", "0xb"] } }`);
    results = { eth_accounts: ["0xa", "0x1f"] };
    assert.match((await type([file])).out, /\n {2}result\[1\] {2}"0xb" \(11\) → "0x1f" \(31\)\n/);
  });

  it("says where long texts differ", async () => {
    const bloom = `0x${"00".repeat(255)}`;
    results = { eth_getCode: `${bloom}02` };
    const file = write("long.rpc.json", `{ "method": "eth_getCode", "expect": { "result": "${bloom}01" } }`);
    const line = 'from byte 255 on …"00000000001" → …"00000000002"';
    assert.match((await type([file])).out, new RegExp(`\\n {2}result {2}${line}\\n`));
    const [{ cells }] = JSON.parse((await type([file, "--report", "json"])).out);
    assert.deepEqual(cells[0].misses[0].differences, [{ path: "result", difference: line }]);
    assert.deepEqual(
      [cells[0].misses[0].operator, cells[0].misses[0].wanted, cells[0].misses[0].actual],
      ["==", `${bloom}01`, `${bloom}02`],
    );
  });

  it("runs several notebooks at once, and prints them in order", async () => {
    const files = ["p1.rpc.json", "p2.rpc.json", "p3.rpc.json"].map((name, at) =>
      write(name, `{ "name": "n${at + 1}", "method": "m${at + 1}" }`),
    );
    const seen: string[] = [];
    arrived = (method) => seen.push(method);
    results = { m1: "one", m2: "two", m3: "three" };
    const { out, code } = await type([...files, "--jobs", "2", ...allowing("m1", "m2", "m3")]);
    assert.deepEqual(out.match(/^(?:p\d|✓ n\d)/gm), ["p1", "✓ n1", "p2", "✓ n2", "p3", "✓ n3"]);
    assert.match(out, /\n3 cells ok in 3 notebooks, /);
    assert.deepEqual([code, seen.length], [0, 3]);
  });

  it("numbers cells without counting Markdown", async () => {
    const file = write(
      "number.rpc.json",
      `{ "markdown": "a" }`,
      `{ "method": "eth_chainId" }`,
      `{ "method": "eth_blockNumber" }`,
    );
    assert.match((await type([file, "-c", "2"])).out, /^✓ cell 2: eth_blockNumber: 100\n/);
    assert.equal((await type([file, "-c", "3"])).code, 2);
  });

  it("refuses an unknown variable, and suggests a known one", async () => {
    const file = write("vars.rpc.json", `{ "method": "eth_getBalance", "params": ["{{account}}", "latest"] }`);
    const { code, err } = await type([file, "--var", `acount=${who}`]);
    assert.deepEqual([code, err], [2, "✗ --var acount: unknown variable `acount`.\n  Did you mean `account`?\n"]);
    assert.equal((await type([file, "--var", `account=${who}`])).code, 0);
  });

  it("does not take a cell for a variable", async () => {
    const file = write(
      "cells.rpc.json",
      `{ "name": "head", "method": "eth_blockNumber" }`,
      `{ "method": "eth_getBalance", "params": ["${who}", "{{head.result}}"] }`,
    );
    const { code, err } = await type([file, "--var", "zzz=1"]);
    assert.equal(code, 2);
    assert.match(err, /unknown variable `zzz`\.\n {2}The notebook has no variables: /);
    assert.equal((await type([file, "--var", "head=1"])).code, 2);
  });

  it("suggests a name for a mistyped placeholder", async () => {
    const file = write(
      "slip.rpc.json",
      `{ "name": "head", "method": "eth_blockNumber" }`,
      `{ "method": "eth_getBalance", "params": ["${who}", "{{heat.result}}"] }`,
    );
    assert.match((await type([file])).out, /\n {2}→ Did you mean `head`\?\n/);
  });

  it("writes and checks snapshots", async () => {
    const file = write("snap.rpc.json", `{ "name": "b", "method": "eth_getBalance", "params": ["${who}", "0x5"] }`);
    const beside = join(folder, "snap.rpc.snapshot.json");
    const none = await type([file, "--snapshot", "check"]);
    assert.deepEqual(none, {
      code: 2,
      out: "",
      err: "✗ snap.rpc.json has no snapshot yet: there is no snap.rpc.snapshot.json.\n  Make one with --snapshot update.\n",
    });
    const made = await type([file, "--snapshot", "update"]);
    assert.match(made.out, /\nsnap\.rpc\.snapshot\.json: 1 cell recorded, 1 new or changed\.\n1 cell ok, /);
    assert.equal((await type([file, "--snapshot", "check"])).code, 0);
    results = { eth_getBalance: "0x12" };
    const text = readFileSync(beside, "utf8");
    const differs = await type([file, "--snapshot", "check"]);
    assert.match(differs.out, /\n {2}result {2}"0x10" \(16\) → "0x12" \(18\)\n/);
    assert.deepEqual([differs.code, readFileSync(beside, "utf8")], [1, text]);
    const xml = parseXml((await type([file, "--snapshot", "check", "--report", "junit"])).out.trimEnd());
    assert.equal(xml.children[0]?.children[0]?.children[0]?.attributes.type, "snapshot");
    assert.equal((await type([file])).code, 0, "without --snapshot, nothing is compared");
    ci = "true";
    assert.deepEqual([(await type([file])).code, readFileSync(beside, "utf8")], [1, text], "but in CI");
    ci = "false";
    assert.equal((await type([file])).code, 0);
    writeFileSync(beside, "{");
    assert.equal((await type([file, "--snapshot", "update"])).code, 2);
  });

  it("in CI, fails cells that ask for a snapshot and have none, and no others, and writes nothing", async () => {
    ci = "1";
    const cell = `{ "method": "eth_getBalance", "params": ["${who}", "0x5"]`;
    const file = write("first.rpc.json", `${cell}, "snapshot": true }`);
    assert.match((await type([file])).out, /no snapshot yet/);
    assert.deepEqual([(await type([file])).code, existsSync(join(folder, "first.rpc.snapshot.json"))], [1, false]);
    assert.equal((await type([write("none.rpc.json", `${cell} }`)])).code, 0);
    assert.equal((await type([file, "--compare", "latest,safe"])).code, 0);
  });

  it("with --watch, runs only notebooks that were saved with another content, until it is cancelled", async () => {
    const [one, two] = [write("w1.rpc.json", `{ "method": "one" }`), write("w2.rpc.json", `{ "method": "two" }`)];
    results = { one: 1, two: 2, three: 3 };
    const seen: string[] = [];
    arrived = (method) => seen.push(method);
    const told = new EventTarget();
    const controller = new AbortController();
    closeAfterTest(async () => controller.abort()); // also after a failure: a watched folder keeps the process
    const heard = (text: string): void => {
      if (text.includes("Waiting for a change")) told.dispatchEvent(new Event("waits"));
    };
    const waits = () => once(told, "waits");
    let waiting = waits();
    const ended = type([one, two, "--watch", ...allowing("one", "two", "three")], controller.signal, heard);
    await waiting;
    assert.deepEqual(seen.splice(0).sort(), ["one", "two"]);
    waiting = waits();
    write("w1.rpc.json", `{ "method": "three" }`);
    await waiting;
    assert.deepEqual(seen.splice(0), ["three"]);
    waiting = waits();
    writeFileSync(one, ""); // as while it is replaced
    write("w2.rpc.json", `{ "method": "one" }`);
    await waiting;
    assert.deepEqual(seen.splice(0), ["one"]);
    waiting = waits();
    writeFileSync(one, "broken");
    await waiting;
    controller.abort();
    const { code, err } = await ended;
    assert.match(err, /w1\.rpc\.json changed\.\n/);
    assert.doesNotMatch(err, /2 notebooks changed/);
    assert.match(err, /✗ w1\.rpc\.json:1:1: a notebook is/);
    assert.equal(code, 0);
    assert.equal((await type([join(folder, "none/none.rpc.json"), "--watch"])).code, 2);
  });
});
