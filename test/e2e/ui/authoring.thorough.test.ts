import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Host } from "../host/workbench.ts";
import { type Installation, install, openWorkbench } from "../installed.ts";

const notebook = `{
  "endpoint": "local",
  "variables": {
    "alice": "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
    "token": "0x5FbDB2315678afecb367f032d93F642f64180aa3"
  },
  "cells": [
    { "name": "balance", "method": "eth_getBalanc", "params": ["{{alice}}"] },
    { "name": "code", "method": "eth_getCode", "params": ["{{alice}}"] },
    {
      "name": "transfers",
      "method": "eth_getLogs",
      "params": [{ "address": "{{token}}", "topics": [] }]
    },
    {
      "name": "own",
      "method": "eth_call",
      "params": [
        {
          "to": "{{token}}",
          "data": "0x70a0823100000000000000000000000070997970c51812dc3a010c7d01b50e0d17dc79c8"
        },
        "0x10"
      ]
    },
    {}
  ]
}
`;

const cellsNotebook = `{
  "endpoint": "local",
  "variables": {
    "alice": "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
    "token": "0x5FbDB2315678afecb367f032d93F642f64180aa3"
  },
  "cells": [
    { "text": [""] },
    { "text": [""] },
    { "text": [""] },
    { "text": [""] }
  ]
}
`;

type Locator = ReturnType<Host["page"]["locator"]>;

describe("authoring", function () {
  this.timeout(300_000);
  let installation: Installation;
  let host: Host;

  before(async () => {
    installation = await install();
    writeFileSync(join(installation.workspace, "authoring.rpc.json"), notebook);
    writeFileSync(join(installation.workspace, "cells.rpc.json"), cellsNotebook);
    host = await openWorkbench(installation, { viewport: { width: 1400, height: 800 } });
    const { page } = host;
    await page.locator(".explorer-folders-view").getByText("authoring.rpc.json", { exact: true }).dblclick();
    await page.locator(".notebook-toolbar-container").getByText("Open as JSON").click();
    await page.locator(".codelens-decoration a", { hasText: "Run" }).first().waitFor();
  });
  after(async () => {
    await host?.close();
    await installation?.remove();
  });
  afterEach(async function () {
    if (this.currentTest?.state === "failed")
      await host.screenshot(`authoring-failure-${this.currentTest.title.split(" ")[0]}`);
  });

  /** Puts the cursor after the first occurrence of a word in a line. The lines below it do not move. */
  async function cursorBehind(word: string): Promise<void> {
    const { page } = host;
    const before = notebook.slice(0, notebook.indexOf(word) + word.length).split("\n");
    await page.keyboard.press("Control+g");
    const input = page.locator(".quick-input-widget input").first();
    await input.fill(`:${before.length}:${(before.at(-1) ?? "").length + 1}`);
    await input.press("Enter");
    await input.waitFor({ state: "hidden" });
  }
  /** Presses a key until it opens something: the editor is not at once ready for keys after a jump. */
  async function opens(key: string, what: Locator): Promise<void> {
    for (let tries = 5; ; tries--) {
      await host.page.keyboard.press(key);
      const isOpen = await what.waitFor({ timeout: 4000 }).then(
        () => true,
        () => false,
      );
      if (isOpen) return;
      assert.ok(tries > 0, `${key} opens something`);
    }
  }
  const line = (text: string) => host.page.locator(".view-line", { hasText: text }).first();

  it("underlines a mistake and fixes it with a key", async () => {
    const { page, screenshot } = host;
    await line("eth_getBalanc").click();
    await cursorBehind("eth_getBalanc");
    await page.locator(".squiggly-error").first().waitFor();
    await page.keyboard.press("Control+.");
    await page.locator(".action-widget", { hasText: "eth_getBalance" }).first().waitFor();
    await screenshot("authoring-fix");
    await page.keyboard.press("Enter");
    await line(`"eth_getBalance"`).waitFor();
  });

  it("shows the parameters while they are typed", async () => {
    const { page, screenshot } = host;
    await cursorBehind(`"eth_getCode", "params": ["`);
    await opens("Control+Shift+Space", page.locator(".parameter-hints-widget.visible", { hasText: "eth_getCode" }));
    await screenshot("authoring-signature");
    await page.keyboard.press("Escape");
  });

  it("completes topics by the name of the event", async () => {
    const { page, screenshot } = host;
    await cursorBehind(`"topics": [`);
    await opens("Control+Space", page.locator(".suggest-widget.visible .monaco-list-row").first());
    await page.keyboard.type("Transfer");
    await page.locator(".suggest-widget.visible .monaco-list-row", { hasText: "Transfer" }).first().waitFor();
    await screenshot("authoring-topics");
    await page.keyboard.press("Enter");
    await line("0xddf252ad").waitFor();
  });

  it("renames a variable everywhere", async () => {
    const { page, screenshot } = host;
    await cursorBehind(`"alice`);
    await page.keyboard.press("F2");
    const input = page.locator(".rename-box input, .rename-box textarea").first();
    await input.waitFor();
    await input.fill("carol");
    await screenshot("authoring-rename");
    await page.keyboard.press("Enter");
    await line("{{carol}}").waitFor();
    assert.equal(await page.locator(".view-line", { hasText: "{{alice}}" }).count(), 0);
    await screenshot("authoring-renamed");
  });

  describe("in the cells of a notebook", () => {
    const cell = (at: number) => host.page.locator(`.code-cell-row[data-index="${at}"] .cell-editor-part`);
    const row = (text: string) =>
      host.page.locator(".suggest-widget.visible .monaco-list-row", { hasText: text }).first();
    const textOf = async (at: number): Promise<string> =>
      (await cell(at).locator(".view-line").allTextContents()).join("\n").replaceAll("\u00a0", " ");
    /** Types into a cell, and accepts the first suggestion when it is the expected one. */
    async function accept(keys: string, label: string): Promise<void> {
      await host.page.keyboard.type(keys);
      await row(label).waitFor();
      await host.page.locator(".suggest-widget.visible .monaco-list-row.focused", { hasText: label }).waitFor();
      await host.page.keyboard.press("Enter");
    }
    async function until(holds: () => Promise<boolean>, what: string): Promise<void> {
      for (const end = Date.now() + 60_000; !(await holds()); await host.page.screenshot())
        assert.ok(Date.now() < end, what);
    }

    before(async () => {
      const { page } = host;
      await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
      await page.locator(".explorer-folders-view").getByText("cells.rpc.json", { exact: true }).dblclick();
      await cell(1).waitFor();
    });

    it("says in an empty cell what to type", async () => {
      const hints = () =>
        host.page.evaluate(() =>
          [...document.querySelectorAll(".cell-editor-part .view-line span")].filter((span) =>
            getComputedStyle(span, "::after").content.includes("paste a curl command"),
          ),
        );
      await until(async () => (await hints()).length >= 3, "hints in empty cells");
      await host.screenshot("authoring-empty-cells");
    });

    it("completes in two cells one after the other, stop by stop", async () => {
      const { page, screenshot } = host;
      await cell(1).click();
      await accept("bal", "eth_getBalance");
      await accept("tok", "{{token}}");
      await page.keyboard.press("Tab");
      await accept("late", "latest");
      await until(async () => /\["\{\{token\}\}"[^"]*, "latest"\]/.test(await textOf(1)), await textOf(1));
      await cell(1).getByText("Wire form").waitFor(); // it moves the cells below, and VS Code closes a list that moves
      await cell(2).click();
      await page.keyboard.type("tra");
      await row("transfer").waitFor();
      await screenshot("authoring-intents");
      await page.keyboard.press("Escape");
      await page.keyboard.press("Control+A");
      await accept("non", "eth_getTransactionCount");
      await accept("ali", "{{alice}}");
      await until(async () => (await textOf(2)).includes(`["{{alice}}"`), await textOf(2));
    });

    it("runs a cell with Shift+Enter while a list is open", async () => {
      const { page, screenshot } = host;
      await cell(2).click();
      await page.keyboard.press("Control+Home");
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("End");
      await opens("Control+Space", page.locator(".suggest-widget.visible"));
      const before = await textOf(2);
      await page.keyboard.press("Shift+Enter");
      const output = page.frameLocator("iframe.webview.ready").frameLocator("iframe#active-frame");
      await output
        .getByText(/eth_getTransactionCount|^\d+$/)
        .first()
        .waitFor();
      await screenshot("authoring-shift-enter");
      assert.equal(await textOf(2), before, "nothing was inserted");
    });

    it("converts a curl command that is pasted; Undo brings the text back", async () => {
      const { page, screenshot } = host;
      const curl = `curl https://rpc.example.org -d '{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":[]}'`;
      await page.evaluate((text) => navigator.clipboard.writeText(text), curl);
      await cell(3).click();
      await page.keyboard.press("Control+V");
      await until(async () => (await textOf(3)).startsWith("{"), await textOf(3));
      assert.match(await textOf(3), /"endpoint": "https:\/\/rpc\.example\.org"/);
      await page
        .locator(".statusbar", {
          hasText: "Converted a curl command. Endpoint: rpc.example.org. Undo restores the text.",
        })
        .waitFor();
      await screenshot("authoring-paste");
      await page.keyboard.press("Control+Z");
      await until(async () => (await textOf(3)).replaceAll("\n", "") === curl, await textOf(3));
    });

    it("begins a notebook with a template", async () => {
      const { page, screenshot } = host;
      await host.command("RPC Notebook: New RPC Notebook from Template");
      const choice = page.locator(".quick-input-list .monaco-list-row", { hasText: "Simulate two calls" });
      await choice.waitFor();
      await screenshot("authoring-templates");
      await choice.click();
      await page.locator(".view-line", { hasText: "eth_simulateV1" }).first().waitFor();
      await screenshot("authoring-template");
    });
  });
});
