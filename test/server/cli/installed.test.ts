import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { accessSync, constants, cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { createMessageConnection, StreamMessageReader, StreamMessageWriter } from "vscode-languageserver/node";
import { buildCommandLine, commandLine } from "../../support/commandLine.ts";
import { thorough } from "../../support/depth.ts";
import { answering, hostileServer } from "../../support/hostileServer.ts";
import { installCommand, linkCommand, shellWith } from "../../support/installedCommand.ts";
import { temporaryFolder } from "../../support/temporaryFolder.ts";

const { version } = JSON.parse(readFileSync(new URL("../../../package.json", import.meta.url), "utf8"));
const notebook = `{ "cells": [{ "method": "eth_getBalance", "params": ["0x70997970C51812dc3A010C7d01b50e0d17dc79C8"] }] }\n`;

describe("the installed command", function () {
  this.timeout(300_000);
  before(buildCommandLine);

  it("is an executable file", () => {
    assert.equal(readFileSync(commandLine, "utf8").split("\n")[0], "#!/usr/bin/env node");
    accessSync(commandLine, constants.X_OK);
  });

  it("says which file is missing if it is copied without the others", async () => {
    const dist = path.join(temporaryFolder(), "dist");
    mkdirSync(dist);
    writeFileSync(path.join(dist, "a.rpc.json"), notebook);
    const copied = path.join(dist, "cli.mjs");
    const run = (...args: readonly string[]) =>
      promisify(execFile)(process.execPath, [copied, ...args], { cwd: dist }).catch((error) => error);
    const built = path.dirname(commandLine);
    cpSync(commandLine, copied);
    assert.match(
      (await run("--help")).stderr,
      /^✗ rpc-notebook is not complete: .*server\/chunks\/[\w-]+\.mjs is missing\.\n/,
    );
    cpSync(path.join(built, "server"), path.join(dist, "server"), { recursive: true });
    assert.match(
      (await run("--version")).stderr,
      /^✗ rpc-notebook is not complete: \.\.\/package\.json is missing\.\n/,
    );
    cpSync(path.join(built, "../package.json"), path.join(dist, "../package.json"));
    const page = await run("export", "a.rpc.json", "--to", "html", "--endpoint", "http://127.0.0.1:1");
    assert.match(page.stderr, /✗ rpc-notebook is not complete: .*page\.js is missing\.\n/);
    assert.doesNotMatch(page.stderr, /bug/);
  });

  const packed = ["packed, and installed with `npm install --global`", installCommand] as const;
  const linked = ["linked with `npm link`", linkCommand] as const;
  for (const [how, install] of thorough ? [packed, linked] : [packed]) {
    describe(how, () => {
      const folder = temporaryFolder();
      let work: string;
      let env: Record<string, string>;
      const shell = (command: string) => promisify(execFile)("/bin/sh", ["-c", command], { cwd: work, env });

      before(() => {
        work = path.join(folder, "a project");
        mkdirSync(work);
        writeFileSync(path.join(work, "a.rpc.json"), notebook);
        const prefix = path.join(folder, "prefix");
        mkdirSync(prefix);
        env = { ...shellWith(install(prefix)), HOME: folder };
      });

      it("prints its version and its help", async () => {
        assert.equal((await shell("rpc-notebook --version")).stdout.trim(), version);
        assert.match((await shell("rpc-notebook --help")).stdout, /rpc-notebook run/);
      });

      it("runs a notebook, and decodes with the bundled table", async () => {
        const node = await hostileServer(answering(() => "0xde0b6b3a7640000"));
        const { stdout } = await shell(`rpc-notebook run a.rpc.json --endpoint ${node.url}`);
        await node.close();
        assert.match(stdout, /1 ether/);
        const decoded = await shell(`rpc-notebook decode 0xa9059cbb${"00".repeat(64)}`);
        assert.match(decoded.stdout, /transfer\(/);
      });

      it("starts the language server", async () => {
        const child = spawn("/bin/sh", ["-c", "exec rpc-notebook lsp --stdio"], { cwd: work, env });
        const connection = createMessageConnection(
          new StreamMessageReader(child.stdout),
          new StreamMessageWriter(child.stdin),
        );
        connection.listen();
        const answer = await connection.sendRequest<{ readonly capabilities: object }>("initialize", {
          processId: null,
          rootUri: null,
          capabilities: {},
        });
        assert.ok("hoverProvider" in answer.capabilities);
        await connection.sendRequest("shutdown");
        await connection.sendNotification("exit");
        assert.deepEqual(await once(child, "exit"), [0, null]);
        connection.dispose();
      });
    });
  }
});
