import assert from "node:assert/strict";
import { inWindow, until } from "../host/window.ts";

const variables = {
  alice: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
  token: "0x5FbDB2315678afecb367f032d93F642f64180aa3",
};
const cells = Array.from({ length: 4 }, () => ({ text: [""] }));

inWindow("empty cells", { files: { "cells.rpc.json": { endpoint: "local", variables, cells } } }, (vscode) => {
  const cell = (at: number) => vscode.page.locator(`.code-cell-row[data-index="${at}"] .cell-editor-part`);
  const list = ".suggest-widget.visible";
  const textOf = async (at: number): Promise<string> =>
    (await cell(at).locator(".view-line").allTextContents()).join("\n").replaceAll("\u00a0", " ");
  /** Types into a cell, and accepts the first suggestion when it is the expected one. */
  async function accept(keys: string, label: string): Promise<void> {
    await vscode.type(keys);
    await vscode.page.locator(`${list} .monaco-list-row.focused`, { hasText: label }).waitFor();
    await vscode.press("Enter");
  }

  it("say what to type", async () => {
    await vscode.open("cells.rpc.json");
    const hints = () =>
      vscode.page.evaluate(() =>
        [...document.querySelectorAll(".cell-editor-part .view-line span")].filter((span) => {
          const { content, fontStyle } = getComputedStyle(span, "::after");
          return content.includes("paste a curl command") && fontStyle === "italic"; // it is no text of the cell
        }),
      );
    await until(async () => (await hints()).length >= 3, "hints in empty cells");
    await vscode.screenshot("authoring-empty-cells");
  });

  it("are completed one after the other, stop by stop", async () => {
    await vscode.enter(cell(1));
    await accept("bal", "eth_getBalance");
    await accept("tok", "{{token}}");
    await vscode.press("Tab");
    await accept("late", "latest");
    await until(async () => /\["\{\{token\}\}"[^"]*, "latest"\]/.test(await textOf(1)), "the first cell is written");
    await cell(1).getByText("Wire form").waitFor(); // it moves the cells below, and VS Code closes a list that moves
    await vscode.enter(cell(2));
    await vscode.type("transf");
    await vscode.page.locator(`${list} .monaco-list-row`, { hasText: "transfer" }).first().waitFor();
    await vscode.screenshot("authoring-intents");
    await vscode.press("Escape", "Control+A");
    await accept("non", "eth_getTransactionCount");
    await accept("ali", "{{alice}}");
    await until(async () => (await textOf(2)).includes(`["{{alice}}"`), "the second cell is written");
    await cell(2).getByText("Wire form").waitFor();
  });

  it("take ordinary words with spaces, and the number that is typed", async () => {
    await vscode.enter(cell(3));
    for (const [typed, label, written] of [
      ["chain id", "eth_chainId", "eth_chainId"],
      ["balance of token", "balanceOf", "balanceOf(address)"],
      ["last 50", "Logs of the last 50 blocks", '"latest - 50"'],
    ] as const) {
      await vscode.page.keyboard.type(typed, { delay: 60 }); // as fast as people type
      await accept("", label);
      await until(async () => (await textOf(3)).includes(written), typed);
      await vscode.press("Control+A", "Delete");
    }
  });

  it("run with Shift+Enter while a list is open", async () => {
    await vscode.enter(cell(2));
    await vscode.press("Control+Home", "ArrowDown", "End");
    await vscode.opens("Control+Space", vscode.page.locator(list));
    const before = await textOf(2);
    await vscode.press("Shift+Enter");
    const result = vscode.output().getByText(/Nothing answers|^\d+$/);
    await result.first().waitFor();
    await vscode.screenshot("authoring-shift-enter");
    assert.equal(await textOf(2), before, "nothing was inserted");
  });

  it("convert a curl command that is pasted; Undo brings the text back", async () => {
    const curl = `curl https://rpc.example.org -d '{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":[]}'`;
    await vscode.page.evaluate((text) => navigator.clipboard.writeText(text), curl);
    await vscode.enter(cell(3));
    await vscode.press("Control+V");
    await until(async () => (await textOf(3)).startsWith("{"), "the command is converted");
    assert.match(await textOf(3), /"endpoint": "https:\/\/rpc\.example\.org"/);
    await vscode.page.locator(".statusbar", { hasText: "Converted a curl command." }).waitFor();
    await vscode.screenshot("authoring-paste");
    await vscode.press("Control+Z");
    await until(async () => (await textOf(3)).replaceAll("\n", "") === curl, "the text is back");
  });

  it("are not all that a new notebook can begin with: there are templates", async () => {
    await vscode.command("RPC Notebook: New RPC Notebook from Template");
    await vscode.row("Simulate two calls").waitFor();
    await vscode.screenshot("authoring-templates");
    await vscode.choose("Simulate two calls");
    await vscode.line("eth_simulateV1").waitFor();
    await vscode.screenshot("authoring-template");
  });
});
