import assert from "node:assert/strict";
import { thorough } from "../../support/depth.ts";
import { until, type Vscode } from "../host/window.ts";
import { keptResults } from "../installed.ts";

const long = {
  endpoint: "local",
  chainId: 31337,
  variables: { alice: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8", block: "latest" },
  labels: { "0x70997970C51812dc3A010C7d01b50e0d17dc79C8": "alice" },
  cells: [
    { name: "balance", method: "eth_getBalance", params: ["{{alice}}", "{{block}}"] },
    { name: "chain", method: "eth_chainId", params: [] },
    ...Array.from({ length: 40 }, () => ({ markdown: "Text\n\nmore text\n\nand more" })),
    { name: "far", method: "eth_getBalance", params: ["{{nobody}}", "latest"] },
  ],
};
const failing = {
  endpoint: "local",
  cells: [
    { method: "eth_chainId", params: [] },
    { name: "wrong", method: "eth_chainId", params: [], expect: { result: "0x1" } },
  ],
};
const wrong = { endpoint: "local", cells: [{ method: "eth_chainId", params: [], expect: { result: "0x2" } }] };
const keyed = { endpoint: "keyed", cells: [{ method: "eth_chainId", params: [] }] };
const misspelled = { endpoint: "mian", cells: [{ method: "eth_chainId", params: [] }] };
const amount = /^≈?[\d,.]+ ether$/;
export const filesOfNotebook = {
  "long.rpc.json": long,
  "failing.rpc.json": failing,
  "keys.rpc.json": failing,
  "wrong.rpc.json": wrong,
  "mian.rpc.json": misspelled,
  "keyed.rpc.json": keyed,
};

export function notebook(vscode: Vscode): void {
  it("runs all cells at a port of this machine without a question, and shows decoded results with menus", async () => {
    await vscode.open("quickstart.rpc.json");
    await vscode.runAll();
    const output = vscode.output();
    await output.getByText(amount).first().waitFor();
    const delegated = output.getByRole("article", { name: /delegated account, runs the code of Payments/ });
    await delegated.waitFor();
    await vscode.screenshot("quickstart-run-all");
    await delegated.getByRole("button", { name: /^Payments/ }).press("Enter");
    await output.getByRole("menuitem", { name: "Watch" }).waitFor();
    await vscode.screenshot("result-menu");
    await output.getByRole("menuitem", { name: "Requests About This" }).press("Enter");
    await vscode.line("0x9fE46736679d2D9a65F0992F2272dE9f3c7fa6e0").waitFor();
  });

  it("opens as JSON in the same tab, with its results, and runs a cell by its lens", async () => {
    await vscode.command("RPC Notebook: Open as JSON");
    await vscode.page.locator(".codelens-decoration", { hasText: "ether" }).first().waitFor();
    assert.equal(await vscode.page.locator(".tabs-container .tab").count(), 1);
    await vscode.lens("Run").click();
    await vscode.line("balance: eth_getBalance").waitFor();
    await vscode.screenshot("text-view-result");
  });

  it("goes back to the notebook, which still runs", async () => {
    await vscode.line("cells").click(); // the result beside it has no notebook
    await vscode.command("RPC Notebook: Open as Notebook");
    await vscode.run('"balance"');
    const order = vscode.cell('"balance"').locator(".execution-count-label", { hasText: /\[\d+\]/ });
    await order.first().waitFor();
    await vscode.closeAll();
  });

  it("shows its header as one line of settings", async () => {
    const header = vscode.page.locator(".code-cell-row").first();
    await vscode.open("long.rpc.json");
    await vscode.page.getByText("Notebook settings · local · chain 31337 · 2 variables · 1 label").waitFor();
    await header.locator(".inline-folded").waitFor();
    assert.equal(await header.locator(".view-line").count(), 1);
    await vscode.screenshot("notebook-header");
  });

  // The suite in the extension host and tests without a window show the same in a quick run, as far as they can.
  if (!thorough) return;

  it("lists the problem of a cell that is far below, and opens it", async () => {
    await vscode.command("Problems: Focus on Problems View");
    const problem = vscode.page.locator(".markers-panel .monaco-list-row", { hasText: "nobody" }).first();
    await problem.waitFor();
    assert.equal(await vscode.line('"far"').count(), 0);
    await problem.dblclick();
    await vscode.line('"far"').waitFor();
    await vscode.screenshot("notebook-problems");
    await vscode.command("View: Hide Panel");
  });

  it("shows its results again after the window was reloaded", async () => {
    await vscode.command("Notebook: Focus First Cell");
    await vscode.runAll();
    await vscode.output().getByText("31337, local chain (anvil, Hardhat)").first().waitFor();
    await until(() => keptResults(vscode.installation).includes("long.rpc.json"), "results are kept");
    await vscode.reload();
    await vscode.open("long.rpc.json"); // VS Code does not always know yet which tabs were open last
    await vscode.page
      .locator(".cell-statusbar-container", { hasText: /from \d/ })
      .first()
      .waitFor();
    await vscode.command("Notebook: Focus First Cell"); // VS Code opens it at its begin, or where it was left
    await vscode.output().getByText("31337, local chain (anvil, Hardhat)").first().waitFor();
    await vscode.screenshot("notebook-kept");
  });

  it("keeps its results and its endpoint when it is saved for the first time", async () => {
    await vscode.command("RPC Notebook: New RPC Notebook");
    const balance = vscode.output().getByText(amount).first();
    await vscode.tab("Untitled-1.rpc.json").waitFor();
    await vscode.status("local").waitFor();
    await vscode.runAll();
    await balance.waitFor();
    await vscode.command("File: Save");
    const input = vscode.page.locator(".quick-input-widget input").first();
    await until(async () => (await input.inputValue()).endsWith("Untitled-1.rpc.json"), "a name is proposed");
    await input.press("Enter");
    await vscode.page.locator(".tab.active:not(.dirty)", { hasText: "Untitled-1.rpc.json" }).waitFor();
    await balance.waitFor();
    await vscode.status("local").waitFor();
    await vscode.screenshot("notebook-saved-as");
  });

  it("is a list of tests in the Test Explorer, which shows the failures of a run of cells and of tests", async () => {
    // The icon says the state: VS Code does not always write the label of a row again.
    const ended = (file: string, icon: "unset" | "passed" | "failed") =>
      vscode.page
        .locator(".test-explorer .monaco-list-row", { hasText: file })
        .locator(`.codicon-testing-${icon}-icon`)
        .waitFor();
    await vscode.command("Testing: Focus on Test Explorer View");
    await vscode.command("Test: Clear All Results"); // others may have run them
    for (const file of ["ci/health.rpc.json", "failing.rpc.json", "wrong.rpc.json"]) await ended(file, "unset");
    await vscode.open("failing.rpc.json");
    await vscode.runAll();
    await ended("failing.rpc.json", "failed");
    await ended("wrong.rpc.json", "unset");
    await vscode.command("Test: Run All Tests");
    await ended("ci/health.rpc.json", "passed");
    await ended("wrong.rpc.json", "failed");
    await vscode.command("Test Results: Focus on Test Results View"); // VS Code does not always show a failure by itself
    await vscode.page
      .getByText(/Expected result to be "0x2"\. It is "0x7a69"/)
      .first()
      .waitFor();
    await ended("quickstart.rpc.json", "passed"); // the last one: what runs would go on in the next test
    await vscode.screenshot("test-explorer");
  });

  it("runs a cell by Ctrl+Enter, and stays; by Shift+Enter, and moves on; by Alt+Enter, and inserts", async () => {
    await vscode.closeAll();
    await vscode.open("keys.rpc.json");
    const cells = vscode.page.locator(".code-cell-row:visible");
    const [first, second] = [cells.filter({ hasText: "eth_chainId" }).first(), cells.filter({ hasText: "wrong" })];
    const ran = first.locator(".cell-execution-order, .execution-count-label", { hasText: /\[\d+\]/ }).first();
    const inEditor = (cell: typeof first) => cell.locator(".cell-editor-part .monaco-editor.focused").waitFor();
    await vscode.kernelChosen();
    await vscode.enter(first);
    const text = await first.locator(".view-lines").textContent();
    await vscode.press("Control+Enter");
    await ran.waitFor();
    await vscode.output().getByText("31337, local chain").first().waitFor(); // the first output changes the focus for a moment
    await inEditor(first);
    assert.equal(await first.locator(".view-lines").textContent(), text);
    await vscode.screenshot("ctrl-enter");
    const count = await cells.count();
    await vscode.press("Shift+Enter");
    await vscode.page.locator(".cell.focused, .focused.code-cell-row", { hasText: "wrong" }).first().waitFor();
    await second.locator(".view-line").first().click();
    await vscode.press("Alt+Enter");
    await until(async () => (await cells.count()) === count + 1, "a cell is inserted");
    await vscode.screenshot("alt-enter");
    await vscode.command("File: Revert File");
  });

  it("does not run at another endpoint than the one that it names, unless a person chooses that for once", async () => {
    await vscode.open("mian.rpc.json");
    await vscode.status("mian").waitFor();
    const chain = vscode.output().getByText("31337, local chain");
    await vscode.runAll();
    const picker = vscode.page.locator(".quick-input-widget:visible", { hasText: "Unknown endpoint mian" });
    await picker.waitFor();
    await vscode.screenshot("unknown-endpoint");
    await vscode.press("Escape");
    await vscode
      .output()
      .getByText(/Not sent: unknown endpoint/i)
      .first()
      .waitFor();
    assert.equal(await chain.count(), 0);
    await vscode.screenshot("unknown-endpoint-not-sent");
    await vscode.runAll();
    await picker.waitFor();
    await vscode.choose("local");
    await chain.first().waitFor();
    await vscode.runAll();
    await picker.waitFor();
    await vscode.press("Escape");
  });

  it("waits for the secret of its endpoint, and then goes to that one", async () => {
    vscode.write("rpc-endpoints.json", { keyed: "http://127.0.0.1:1/{{$secret.NODE_KEY}}" });
    await vscode.open("keyed.rpc.json");
    await vscode.status("keyed").waitFor();
    await vscode.runAll();
    await vscode.page.locator(".quick-input-widget:visible", { hasText: "cannot be used" }).waitFor();
    await vscode.screenshot("endpoint-without-secret");
    await vscode.choose("keyed");
    await vscode.answer("Value of the secret NODE_KEY", "k3y-of-the-node");
    await vscode
      .output()
      .getByText(/127\.0\.0\.1:1\b/)
      .first()
      .waitFor();
    assert.equal(await vscode.output().getByText("31337, local chain").count(), 0);
    await vscode.screenshot("endpoint-with-secret");
  });
}
