import assert from "node:assert/strict";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expandPatterns } from "../../../server/src/cli/globs.ts";
import { runCommand } from "../../support/commandInProcess.ts";
import { rows } from "../../support/rows.ts";
import { temporaryFolder } from "../../support/temporaryFolder.ts";

const files = [
  "b.rpc.json", "a.rpc.json", "notes.json", "a[1].rpc.json", "nb/c.rpc.json", "nb/D.rpc.json", "nb/deep/er/e.rpc.json",
  "nb/.hidden/f.rpc.json", "nb/node_modules/p/g.rpc.json", ".h.rpc.json", "other/c.rpc.json", "gr\u00fc\u00df/\u6f22.rpc.json",
]; // biome-ignore format: a table

describe("a pattern that no shell has expanded", () => {
  const folder = temporaryFolder();
  let home: string;
  before(() => {
    home = process.cwd();
    for (const file of files) {
      mkdirSync(join(folder, dirname(file)), { recursive: true });
      writeFileSync(join(folder, file), '{ "cells": [] }');
    }
    symlinkSync(join(folder, "nb"), join(folder, "link"));
    symlinkSync(join(folder, "nb/c.rpc.json"), join(folder, "other/l.rpc.json"));
    process.chdir(folder);
  });
  after(() => process.chdir(home));

  for (const [pattern, wanted] of rows`
    linux nb/*.rpc.json
      nb/D.rpc.json nb/c.rpc.json
    linux ./nb/?.rpc.json
      ./nb/D.rpc.json ./nb/c.rpc.json
    linux nb/../*.rpc.json
      nb/../a.rpc.json nb/../a[1].rpc.json nb/../b.rpc.json
    linux nb/**/*.rpc.json
      nb/D.rpc.json nb/c.rpc.json nb/deep/er/e.rpc.json
    linux {nb,other}/[a-z].rpc.json
      nb/c.rpc.json other/c.rpc.json other/l.rpc.json
    linux {nb/c,b}.rpc.json
      b.rpc.json nb/c.rpc.json
    linux nb/node_modules/*/*.json
      nb/node_modules/p/g.rpc.json
    linux nb/.hidden/*
      nb/.hidden/f.rpc.json
    linux a[1].rpc.json
      a[1].rpc.json
    linux gr*/*.json
      gr\u00fc\u00df/\u6f22.rpc.json
    linux link/*.rpc.json
      link/D.rpc.json link/c.rpc.json
    linux NB/*.rpc.json
    linux nb\\*.rpc.json
    linux nb/d.rpc.jso?
    linux *.txt
    win32 nb\\*.rpc.json
      nb/D.rpc.json nb/c.rpc.json
    win32 .\\nb\\**\\*.RPC.json
      ./nb/D.rpc.json ./nb/c.rpc.json ./nb/deep/er/e.rpc.json
    win32 nb\\d.rpc.jso?
      nb/D.rpc.json
    darwin nb/d.rpc.jso?
      nb/D.rpc.json
  `)
    it(`${pattern} is ${wanted ?? "no file"}`, async () => {
      const [system, name = ""] = (pattern ?? "").split(" ");
      const found = expandPatterns([name], system as NodeJS.Platform); // the table has only such
      if (wanted === undefined || wanted === "") await assert.rejects(found, { name: "UsageError" });
      else assert.deepEqual(await found, wanted.split(" "));
    });

  it("may be an absolute path", async () => {
    assert.deepEqual(await expandPatterns([`${folder}/nb/c*`]), [`${folder}/nb/c.rpc.json`]);
    const windows = `${folder}/nb/c*`.replaceAll("/", "\\");
    assert.deepEqual(await expandPatterns([windows], "win32"), [`${folder}/nb/c.rpc.json`]);
  });

  it("means no file that Windows has another use for", async () => {
    const { platform } = process;
    Object.defineProperty(process, "platform", { value: "win32" });
    try {
      for (const name of ["aux.rpc.json", "a.rpc.json:x", "a.rpc.json.", "COM1.json", "nb/nul"]) {
        const { code, err } = await runCommand(["check", name], folder);
        assert.deepEqual([code, /Windows has another use for this name/.test(err)], [2, true], name);
      }
      assert.equal((await runCommand(["check", "nb/../a.rpc.json"], folder)).code, 0);
    } finally {
      Object.defineProperty(process, "platform", { value: platform });
    }
  });

  it("means the same to a command as the names", async () => {
    const named = await runCommand(["check", "nb/D.rpc.json", "nb/c.rpc.json"], folder);
    assert.deepEqual(await runCommand(["check", "nb/*.rpc.json"], folder), named);
    const { err: formatted } = await runCommand(["fmt", "--check", "*/?.rpc.json"], folder);
    assert.match(formatted, /^4 notebooks/m); // one of the five is a link to another
    const { code, err } = await runCommand(["run", "nb/*.txt"], folder);
    assert.deepEqual([code, /No file matches nb\/\*\.txt/.test(err)], [2, true]);
  });
});
