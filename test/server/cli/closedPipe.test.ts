import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { buildCommandLine, commandLine } from "../../support/commandLine.ts";
import { temporaryFolder } from "../../support/temporaryFolder.ts";

describe("a command whose reader goes away", function () {
  this.timeout(300_000);

  it("does not succeed", () => {
    buildCommandLine();
    const folder = temporaryFolder();
    const cells = Array.from({ length: 3000 }, () => ({ method: "eth_chainID" }));
    writeFileSync(join(folder, "bad.rpc.json"), JSON.stringify({ cells }));
    const command = `set -o pipefail; ${process.execPath} ${commandLine} check bad.rpc.json | head -1`;
    const { status, stdout } = spawnSync("bash", ["-c", command], { cwd: folder, encoding: "utf8" });
    assert.match(stdout, /unknown/i);
    assert.equal(status, 141);
  });

  it("ends without a word, by the codes of each system", () => {
    buildCommandLine();
    const folder = temporaryFolder();
    writeFileSync(join(folder, "a.rpc.json"), '{ "cells": [] }');
    for (const [code, wanted] of [
      ["EPIPE", 141],
      ["EOF", 141], // Windows
      ["EIO", 1],
    ] as const) {
      const fault = `Object.assign(new Error("${code}: write"), { code: "${code}", syscall: "write" })`;
      const preload = `data:text/javascript,process.stdout._write = (chunk, encoding, done) => done(${fault})`;
      const args = ["--import", preload, commandLine, "check", "a.rpc.json"];
      const { status, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: "utf8" });
      assert.deepEqual([status, stderr === ""], [wanted, wanted === 141], `${code}: ${stderr}`);
    }
  });
});
