import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { inWindow } from "../host/window.ts";

const endpoints = "rpc-endpoints.private.json";
const options: Parameters<typeof inWindow>[1] = {
  viewport: { width: 1280, height: 900 },
  prepare: ({ pathOf }) => rmSync(pathOf(endpoints)),
};

inWindow("the first minutes, without a node", options, (vscode) => {
  const step = (title: string) => vscode.page.locator(".getting-started-step", { hasText: title }).first();
  const button = (title: string) => step(title).locator(".monaco-button");
  async function openWalkthrough() {
    await vscode.command("Welcome: Open Walkthrough");
    await vscode.choose("Get Started with RPC Notebook");
  }

  it("has a walkthrough of four steps with pictures in the colours of the theme", async () => {
    await openWalkthrough();
    for (const [title, name] of [
      ["See a decoded answer", "decoded"],
      ["Write your own request", "write"],
      ["Hover an address", "hover"],
      ["Save and run in CI", "ci"],
    ] as const) {
      await step(title).click();
      await button(title).waitFor();
      await vscode.output().locator("svg").waitFor();
      await vscode.screenshot(`walkthrough-${name}`);
    }
  });

  it("offers a local chain, an address and the demo for a new notebook", async () => {
    await step("Write your own request").click();
    await button("Write your own request").click();
    for (const offer of ["Local chain", "Main network", "Test network"]) await vscode.row(offer).waitFor();
    await vscode.screenshot("new-notebook");
    await vscode.choose("Built-in demo");
    await vscode.status("local · recorded").waitFor();
  });

  it("shows the name of an address of the demo in another file, and counts that as a step", async () => {
    await openWalkthrough();
    await step("Hover an address").click();
    await button("Hover an address").click();
    const address = vscode.line("address constant").locator("span").last();
    await vscode.hover(address, "alice");
    await vscode.screenshot("walkthrough-hovered");
    await vscode.press("Escape");
    await openWalkthrough();
    await step("Hover an address").locator(".codicon-getting-started-step-checked").waitFor();
    await step("Write your own request").locator(".codicon-getting-started-step-checked").waitFor();
    await vscode.screenshot("walkthrough-steps");
    await vscode.closeAll();
    while ((await vscode.page.locator(".tab").count()) > 0) {
      await vscode.page.locator(".monaco-dialog-box .monaco-button", { hasText: "Don't Save" }).click();
    }
  });

  it("shows decoded answers after one command, without a question", async () => {
    await vscode.page.setViewportSize({ width: 1280, height: 2400 }); // outputs below the fold are not drawn
    await vscode.command("RPC Notebook: Open the Quickstart");
    const output = vscode.output();
    await output
      .getByText(/^≈?[\d,.]+ ether$/)
      .first()
      .waitFor();
    await output.getByRole("article", { name: /delegated account, runs the code of Payments/ }).waitFor();
    await vscode.status("local · recorded").waitFor();
    assert.equal(await vscode.page.locator(".monaco-dialog-box").count(), 0);
    await vscode.screenshot("quickstart-recorded");
  });

  it("packs a notebook with its answers into a file, after it said what is inside", async () => {
    vscode.write(endpoints, { local: vscode.installation.chain.url });
    await vscode.open("quickstart.rpc.json");
    await vscode.command("RPC Notebook: Create Bug Report");
    await vscode.decide("There are no answers for a bug report yet", "Run All Cells");
    const dialog = vscode.question("The bug report contains");
    await dialog.getByText(/requests with answers from local/).waitFor();
    await vscode.screenshot("bug-report-contents");
    await dialog.getByText("Save…", { exact: true }).click();
    await vscode.page.locator(".quick-input-widget input").first().waitFor();
    await vscode.screenshot("bug-report-save");
    await vscode.press("Enter");
    await vscode.page.locator(".notification-list-item", { hasText: "Saved quickstart.report.rpc.json" }).waitFor();
    await vscode.open("quickstart.report.rpc.json");
    await vscode.status("local · recorded").waitFor();
    await vscode.runAll();
    await vscode
      .output()
      .getByText(/^local \(recorded /)
      .first()
      .waitFor();
    await vscode.screenshot("bug-report-run");
  });
});
