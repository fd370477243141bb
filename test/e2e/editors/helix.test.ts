import assert from "node:assert/strict";
import { documented } from "../../support/documented.ts";
import { openTerminal, type Terminal } from "./terminal.ts";
import { openWorkplace, type Workplace } from "./workplace.ts";

/** A notebook whose endpoint only the project's file knows. */
const asking = `{ "cells": [{ "endpoint": "theirs", "method": "eth_gasPrice" }] }\n`;

describe("Helix, with the configuration of docs/editors.md", function () {
  this.timeout(300_000);
  let workplace: Workplace;
  let terminal: Terminal;
  const { until, press, type, close, choose, search } = {
    until: (what: string, isRight: RegExp) => terminal.until(what, (screen) => isRight.test(screen)),
    press: (...keys: readonly string[]) => terminal.press(...keys),
    type: (text: string) => terminal.type(text),
    /** Closes a popup. Sent alone, because a terminal reads Escape with the next key as one key. */
    close: async (shown: RegExp) => {
      await terminal.press("Escape");
      await terminal.until(`end of ${shown}`, (screen) => !shown.test(screen));
    },
    search: async (text: string) => {
      await terminal.press("/");
      await terminal.type(text);
      await terminal.press("Enter");
    },
    /** Opens the code actions below the line of the cursor, and takes one. */
    choose: async (line: string, label: string) => {
      await terminal.press("Space", "a");
      const item = new RegExp(` ${label}( |$)`, "m");
      const screen = await terminal.until(`code action ${label}`, (text) => item.test(text));
      const rows = screen.split("\n");
      const first = rows.findIndex((row) => row.includes(line)) + 1;
      const moves = rows.findIndex((row, at) => at >= first && item.test(row)) - first;
      await terminal.press(...Array<string>(moves).fill("Down"), "Enter");
    },
  };

  before(async () => {
    workplace = await openWorkplace("a.rpc.json");
    const { folder, url, env } = workplace;
    const languages = documented("## Helix", "toml").replace('"http://127.0.0.1:8545"', JSON.stringify(url));
    workplace.write("../home/.config/helix/languages.toml", languages);
    workplace.write("rpc-endpoints.json", JSON.stringify({ theirs: url }));
    workplace.write("b.rpc.json", asking);
    terminal = await openTerminal("hx a.rpc.json", folder, env);
  });
  after(async () => {
    await terminal?.close();
    await workplace.remove();
  });

  it("shows what is wrong, and fixes it with a quick fix", async () => {
    await until("problem", /● 2/);
    await search('eth_getBalanc"');
    await until("message", /Did you mean `eth_getBalance`/);
    await press("Space", "a");
    await until("quick fix", /Write "eth_getBalance"/);
    await press("Enter");
    await until("fixed method", /"eth_getBalance", "params"/);
  });

  it("completes block tags", async () => {
    await search('"la');
    await press("a", "C-x");
    await until("completions", /latest - 100/);
    await press("Tab", "Enter");
    await close(/ INS /);
    await until("completed tag", /"params": \["\{\{alice}}", "latest"\] }/);
  });

  it("explains methods", async () => {
    await search('eth_getBalance"');
    await press("Space", "k");
    await until("explanation", /balance of an account/);
    await close(/balance of an account/);
  });

  it("renames a variable everywhere, and finds its declaration", async () => {
    await search(String.raw`\{alice`);
    await press("Space", "r");
    await until("prompt", /rename-to/);
    await press("C-u");
    await type("bob");
    await press("Enter");
    const screen = await until("new name", /"bob": "0x/);
    assert.equal(screen.match(/\{\{bob}}/g)?.length, 2);
    await search(String.raw`\{bob`);
    await press("g", "d");
    await until("declaration", / 2:\d+\s/);
  });

  it("lists the cells", async () => {
    await press("Space", "s");
    await until("symbols", /method +balance[\s\S]*method +nonce/);
    await close(/method +balance/);
  });

  it("runs a cell, and shows its result", async () => {
    await search('eth_getBalance"');
    await choose('"eth_getBalance"', "Run");
    await until("result", /1 ether/);
  });

  it("formats with two spaces, and saves the same", async () => {
    await type(":format");
    await press("Enter");
    await until("laid out text", /^ +\d+ +"params": /m);
    await type(":w");
    await press("Enter");
    await until("end of writing", /written/);
    assert.match(
      workplace.read("a.rpc.json"),
      /\n {6}"method": "eth_getBalance",\n {6}"params": \["\{\{bob}}", "pending"\]\n/,
    );
  });

  it("asks before requests go to a host that only the project's file names", async () => {
    await type(":open b.rpc.json");
    await press("Enter");
    await until("second notebook", /eth_gasPrice/);
    await search("eth_gasPrice");
    await choose('"eth_gasPrice"', "Run");
    await until("question", /Send requests to http:\/\/127\.0\.0\.1:\d+\?/);
    await press("Enter"); // Allow
    await until("result", /eth_gasPrice: /);
  });
});
