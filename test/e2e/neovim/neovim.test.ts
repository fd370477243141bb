import assert from "node:assert/strict";
import { execFile, execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { documented } from "../../support/documented.ts";
import { linkCommand } from "../../support/installedCommand.ts";

const here = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** What drive.lua writes down. */
interface Written {
  readonly failed?: string;
  readonly diagnostics: readonly { readonly code: string; readonly message: string; readonly text: string }[];
  readonly actions: readonly string[];
  readonly completions: readonly string[];
  readonly completed: string;
  readonly hover: string;
  readonly signature: string;
  readonly references: number;
  readonly declaration: string;
  readonly symbols: readonly string[];
  readonly lenses: readonly string[];
  readonly result: string;
  readonly formatted: readonly string[];
  readonly messages: string;
}

const notebook = `{
  "endpoint": "test", "variables": { "alice": "0x70997970C51812dc3A010C7d01b50e0d17dc79C8" },
  "cells": [
    { "id": "é😀", "name": "balance", "method": "eth_getBalanc", "params": ["{{alice}}", "pending"] },
    { "id": "é😀", "name": "nonce", "method": "eth_getTransactionCount",   "params": ["{{alice}}", "la"] }
  ]
}
`;

describe("Neovim, with the configuration of docs/editors.md", () => {
  let folder: string;
  let node: Server;
  let written: Written;
  let saved: string;

  before(async () => {
    folder = mkdtempSync(path.join(tmpdir(), "rpc-notebook-neovim-"));
    const at = (name: string) => path.join(folder, name);
    node = createServer(async (request, response) => {
      let body = "";
      for await (const chunk of request) body += chunk;
      const { id } = JSON.parse(body) as { id: unknown }; // one request is sent alone
      response.end(JSON.stringify({ jsonrpc: "2.0", id, result: "0xde0b6b3a7640000" }));
    });
    await new Promise<void>((resolve) => node.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(node.address() as AddressInfo).port}`; // it listens on TCP
    writeFileSync(at("a.rpc.json"), notebook);
    writeFileSync(at("init.lua"), configuration().replace('"http://127.0.0.1:8545"', JSON.stringify(url)));
    mkdirSync(at("prefix"));
    const bin = linkCommand(at("prefix"));
    const args = ["--headless", "-u", at("init.lua"), at("a.rpc.json"), "-c", `luafile ${here("drive.lua")}`];
    const { stderr } = await promisify(execFile)("nvim", args, {
      cwd: folder,
      timeout: 90_000,
      env: {
        ...process.env,
        PATH: `${bin}${path.delimiter}${process.env.PATH}`,
        RPC_TEST_OUT: at("out.json"),
        HOME: folder,
        ...Object.fromEntries(["CONFIG", "DATA", "STATE", "CACHE"].map((each) => [`XDG_${each}_HOME`, at("xdg")])),
      },
    });
    written = JSON.parse(readFileSync(at("out.json"), "utf8"));
    saved = readFileSync(at("a.rpc.json"), "utf8");
    assert.equal(written.failed, undefined, `${written.failed}\n${stderr}`);
  }).timeout(120_000);
  after(() => {
    node.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it("underlines what is wrong, to the character", () => {
    const [first, ...more] = written.diagnostics;
    assert.deepEqual([first?.code, first?.text], ["unknown-method", '"eth_getBalanc"']);
    assert.match(first?.message ?? "", /Did you mean `eth_getBalance`\?/);
    assert.deepEqual(
      more.map(({ text }) => text),
      ['"la"'],
    );
  });

  it("fixes it with a quick fix", () => assert.match(written.actions[0] ?? "", /eth_getBalance/));

  it("completes block tags", () => {
    assert.ok(written.completions.includes("latest"));
    assert.match(written.completed, /"params": \["\{\{alice}}", "latest"\] }/);
  });

  it("explains methods, and what comes where", () => {
    assert.match(written.hover, /balance of an account/);
    assert.match(written.signature, /^eth_getBalance\(address, block/);
  });

  it("renames a variable everywhere, and finds its declaration", () => {
    assert.equal(written.references, 3);
    assert.match(written.declaration, /"bob": "0x7099/);
  });

  it("lists the cells", () => {
    assert.ok(["balance", "nonce"].every((name) => written.symbols.some((symbol) => symbol.includes(name))));
  });

  it("runs a cell, and shows what came", () => {
    assert.ok(written.lenses.includes("Run"));
    assert.match(written.result, /1 ether/);
  });

  it("formats, and saves the same", () => {
    assert.equal(saved, `${written.formatted.join("\n")}\n`);
    assert.match(saved, /\n {6}"method": "eth_getBalance",\n {6}"params": \["\{\{bob}}", "pending"\]\n/);
    assert.match(saved, /\n {6}"method": "eth_getTransactionCount",\n {6}"params": \["\{\{bob}}", "latest"\]\n/);
  });

  it("calls nothing in the configuration deprecated", () => assert.doesNotMatch(written.messages, /deprecated/i));
});

/** The configuration that the docs give for the Neovim that is on the `PATH`. */
function configuration(): string {
  const version = /^NVIM v0\.(\d+)/.exec(execFileSync("nvim", ["--version"], { encoding: "utf8" }))?.[1];
  assert.ok(version, "nvim tells its version");
  return documented(Number(version) < 11 ? "### Neovim 0.7 to 0.10" : "### Neovim 0.11 and newer", "lua");
}
