import assert from "node:assert/strict";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import type { Host } from "../host/workbench.ts";
import { type Installation, install, openWorkbench } from "../installed.ts";

const key = "aB3dE5gH7jK9mN1pQ3sT5vW7";
const secret = "s3cr3t-Value-77";
const address = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";

const other = "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC";

const notebook = `[
  { "name": "chain", "method": "eth_chainId" },
  { "name": "told", "method": "eth_call", "params": [{ "to": "${address}", "data": "{{$secret.API_KEY}}" }, "latest"] },
  { "name": "receipts", "method": "eth_getBlockReceipts", "params": ["latest"] }
]
`;

interface Asked {
  readonly id: number;
  readonly method: string;
  readonly params: readonly unknown[];
}

/** An endpoint that repeats secrets of the request, and refuses the receipts of a block. */
function answerTo({ id, method, params }: Asked): object {
  if (method === "eth_call") {
    const message = `cannot call ${JSON.stringify(params[0])}`;
    return { jsonrpc: "2.0", id, error: { code: -32000, message } };
  }
  const results: Readonly<Record<string, unknown>> = {
    eth_chainId: "0x7a69",
    eth_getBlockByNumber: { number: "0x1", hash: `0x${"1".repeat(64)}`, timestamp: "0x1", transactions: [] },
  };
  return { jsonrpc: "2.0", id, result: results[method] ?? null };
}

describe("endpoints, secrets and copied requests", function () {
  this.timeout(300_000);
  let installation: Installation;
  let host: Host;
  let endpoint: Server;
  let url: string;
  const paths = new Set<string>();
  const bodies: string[] = [];

  before(async () => {
    endpoint = createServer(async (request, response) => {
      let body = "";
      for await (const chunk of request) body += chunk;
      paths.add(request.url ?? "");
      bodies.push(body);
      const asked = JSON.parse(body) as Asked | Asked[];
      if (body.includes("eth_getBlockReceipts")) response.writeHead(403);
      response.end(
        body.includes("eth_getBlockReceipts")
          ? "forbidden"
          : JSON.stringify(Array.isArray(asked) ? asked.map(answerTo) : answerTo(asked)),
      );
    });
    await new Promise<void>((resolve) => endpoint.listen(0, "127.0.0.1", resolve));
    url = `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}`; // it listens on TCP
    installation = await install();
    rmSync(inWorkspace("rpc-endpoints.private.json"));
    writeFileSync(inWorkspace("environments.rpc.json"), notebook);
    writeFileSync(inWorkspace("A.sol"), `contract A {\n  address a = ${address};\n  address b = ${other};\n}\n`);
    host = await openWorkbench(installation, { viewport: { width: 1400, height: 1400 } });
  });
  after(async () => {
    await host?.close();
    endpoint?.closeAllConnections();
    endpoint?.close();
    await installation?.remove();
  });
  afterEach(async function () {
    if (this.currentTest?.state === "failed")
      await host.screenshot(`environments-failure-${this.currentTest.title.split(" ")[0]}`);
  });

  const inWorkspace = (name: string): string => path.join(installation.workspace, name);
  const shown = () => host.page.frameLocator("iframe.webview.ready").frameLocator("iframe#active-frame");
  const cell = (text: string) => host.page.locator(".code-cell-row", { hasText: text }).first();
  const row = (text: string) => host.page.locator(".quick-input-list .monaco-list-row", { hasText: text }).first();

  /** Writes into the box that asks, once it asks for this. */
  async function answer(title: string, text: string): Promise<void> {
    const { page } = host;
    await page.locator(".quick-input-widget", { hasText: title }).waitFor();
    await page.locator(".quick-input-widget input").first().fill(text);
    await page.keyboard.press("Enter");
  }
  async function runCell(text: string): Promise<void> {
    await cell(text).locator(".view-line").first().click();
    await host.command("Notebook: Execute Cell");
  }

  const open = (name: string): Promise<void> =>
    host.page.locator(".explorer-folders-view").getByText(name, { exact: true }).dblclick();
  const tab = (name: string) => host.page.locator(".tab", { hasText: name }).first();
  const status = (text: string) => host.page.locator(".statusbar-item", { hasText: text }).first();

  it("offers an endpoint in a contract: in the status bar, the palette, one hover, and for a watch", async () => {
    const { page } = host;
    const hover = page.locator(".monaco-hover", { hasText: "Choose an endpoint" }).first();
    const text = (of: string) => page.locator(".view-line span", { hasText: of }).last();
    await open("A.sol");
    await status("Choose endpoint").waitFor();
    await text(address).hover();
    await hover.waitFor();
    await host.screenshot("hover-offer");
    await hover.getByText("Choose an endpoint").click();
    await page.locator(".quick-input-widget", { hasText: "Endpoint for files that are not notebooks" }).waitFor();
    await page.keyboard.press("Escape");
    await host.command("RPC Notebook: Watch Address");
    await answer("Watch Address", address);
    const message = page.locator(".notification-toast", { hasText: "Choose an endpoint to watch this." });
    await message.getByText("Choose Endpoint", { exact: true }).waitFor();
    await message.hover();
    await host.screenshot("watch-offer");
    await message.getByText("Choose Endpoint", { exact: true }).click();
    await page.locator(".quick-input-widget", { hasText: "Endpoint for files that are not notebooks" }).waitFor();
    await page.keyboard.press("Escape");
    await host.command("RPC Notebook: Choose Endpoint");
    await page.locator(".quick-input-widget", { hasText: "Endpoint for files that are not notebooks" }).waitFor();
    await page.keyboard.press("Escape");
    await open("environments.rpc.json");
  });

  it("asks where requests should go, and keeps an address with a key out of git", async () => {
    await runCell("eth_chainId");
    await row("Main network").click();
    const box = host.page.locator(".quick-input-widget input").first();
    await host.page.locator(".quick-input-widget", { hasText: "The address of a JSON-RPC endpoint" }).waitFor();
    await box.fill("127.0.0.1");
    await host.page.getByText("Type a whole address").first().waitFor();
    await box.fill(`${url}/v2/${key}`);
    await host.page.getByText("Type a whole address").first().waitFor({ state: "hidden" });
    await host.page.keyboard.press("Enter");
    await row("Keep it private").click();
    await shown().getByText("31337").first().waitFor();
    assert.ok(paths.has(`/v2/${key}`));
    const written = JSON.parse(readFileSync(inWorkspace("rpc-endpoints.private.json"), "utf8"));
    assert.deepEqual(written, { main: `${url}/v2/${key}` });
    assert.ok(readFileSync(inWorkspace(".gitignore"), "utf8").split("\n").includes("rpc-endpoints.private.json"));
    assert.ok(!existsSync(inWorkspace("rpc-endpoints.json")));
    await host.page.locator(".statusbar-item", { hasText: "main" }).first().waitFor();
  });

  it("lists endpoints that cannot be used with the fix, and knows those that are there", async () => {
    const { page } = host;
    const endpoints = { keyed: `${url}/{{$secret.NODE_KEY}}`, wrong: "nonsense" };
    writeFileSync(inWorkspace("rpc-endpoints.json"), JSON.stringify(endpoints));
    await status("main").click();
    await row("$secret.NODE_KEY").waitFor();
    await host.screenshot("picker-broken");
    await row("wrong").click();
    await page.locator(".tab.active", { hasText: "rpc-endpoints.json" }).waitFor();
    await tab("environments.rpc.json").click(); // the explorer's rows move when a file is new
    await status("main").click();
    await row("Add an endpoint").click();
    await row("Main network").waitFor();
    await host.screenshot("picker-add");
    await row("Another endpoint").click();
    await page.locator(".quick-input-widget input").first().fill("main");
    await page.getByText("The name main is taken by another endpoint").first().waitFor();
    await answer("Name of the endpoint", "second");
    await answer("second", `${url}/v2/${key}`);
    await page.locator(".notification-toast", { hasText: "main already has this address" }).waitFor();
    await status("main").click();
    await row("keyed").click();
    await answer("Value of the secret NODE_KEY", "v4lue-of-the-key");
    await row("keyed").click();
    await status("keyed").waitFor();
    await status("keyed").click();
    await row("main").click();
    await status("main").waitFor();
    await host.command("RPC Notebook: Delete Secret");
    await row("NODE_KEY").click();
    rmSync(inWorkspace("rpc-endpoints.json"));
  });

  it("reads the receipts one by one if the block's are refused", async () => {
    await runCell("eth_getBlockReceipts");
    await shown().getByText("no receipts: the block has no transactions").first().waitFor();
  });

  it("marks a result that has become stale, and one that is no longer fresh", async () => {
    const mark = (text: string) => cell(text).locator(".cell-status-item", { hasText: "stale" });
    assert.equal(await mark("eth_chainId").count(), 0);
    await host.page.locator(".statusbar-item", { hasText: "main" }).first().click();
    const box = host.page.locator(".quick-input-widget input").first();
    await box.fill("nowhere");
    await box.fill(url);
    await row(url).click();
    await mark("eth_chainId").waitFor();
    await host.screenshot("stale");
    await runCell("eth_chainId");
    await mark("eth_chainId").waitFor({ state: "detached" });
    await mark("eth_getBlockReceipts").waitFor();
  });

  it("takes a secret, sends it after asking, and shows it nowhere", async () => {
    const { page } = host;
    await host.command("RPC Notebook: Set Secret");
    await answer("Name of the secret", "API_KEY");
    await answer("Value of the secret API_KEY", secret);
    await runCell("eth_call");
    await page
      .locator(".monaco-dialog-box", { hasText: "$secret.API_KEY" })
      .getByText("Allow", { exact: true })
      .click();
    await shown().getByText("‹secret API_KEY›").first().waitFor();
    assert.ok(bodies.some((body) => body.includes(secret)));
    await cell("eth_call").locator(".view-line span", { hasText: "API_KEY" }).last().hover();
    await page.locator(".monaco-hover", { hasText: "secret storage" }).first().waitFor();
    await host.command("RPC Notebook: Show Log");
    await page.locator(".panel .view-lines").waitFor();
    const everything = [page, shown()].map((one) => one.locator("body").textContent());
    assert.ok(!(await Promise.all(everything)).join("\n").includes(secret));
    await host.screenshot("secret");
    await host.command("View: Toggle Panel Visibility");
  });

  it("lists the secrets by name to delete one, which is then no longer sent", async () => {
    await host.command("RPC Notebook: Delete Secret");
    await row("API_KEY").click();
    const before = bodies.length;
    await runCell("eth_call");
    await shown().getByText("$secret.API_KEY").first().waitFor();
    assert.equal(bodies.length, before);
    await host.command("RPC Notebook: Delete Secret");
    await host.page.getByText("No secret is kept.").first().waitFor();
  });

  for (const [form, expected] of [
    ["curl", /^curl [\s\S]*"method": ?"eth_chainId"/],
    ["cast", /^cast rpc eth_chainId|^cast chain-id/],
    ["viem", /getChainId\(\)|eth_chainId/],
  ] as const)
    it(`copies a request as ${form}`, async () => {
      await host.page.evaluate(() => navigator.clipboard.writeText(""));
      await cell("eth_chainId").locator(".codelens-decoration a", { hasText: "Copy as" }).click();
      await row(form).click();
      let copied = "";
      while (copied === "") copied = await host.page.evaluate(() => navigator.clipboard.readText());
      assert.match(copied, expected);
    });

  it("pastes a curl command as a request", async () => {
    const curl = `curl -X POST ${url} -d '{"jsonrpc":"2.0","id":1,"method":"eth_getCode","params":["${address}","latest"]}'`;
    await host.page.evaluate((text) => navigator.clipboard.writeText(text), curl);
    await cell("eth_getBlockReceipts").locator(".view-line").first().click();
    await host.command("RPC Notebook: Paste as Request");
    await cell("eth_getCode").waitFor();
    await host.screenshot("pasted");
  });

  it("uses the chain of this machine by a button of a refused connection, and runs the cell again", async () => {
    const { page } = host;
    // Terminals need a native module that this host lacks, so a node answers already.
    const node = createServer((_, response) => response.end('{"jsonrpc":"2.0","id":1,"result":"0x7a69"}'));
    await new Promise<void>((resolve) => node.on("error", () => resolve()).listen(8545, "127.0.0.1", resolve));
    await host.command("RPC Notebook: Choose Endpoint");
    await page.locator(".quick-input-widget", { hasText: "Endpoint for this notebook" }).waitFor();
    await page.locator(".quick-input-widget input").first().fill("http://127.0.0.1:1");
    await row("http://127.0.0.1:1").click();
    await runCell("eth_chainId");
    const button = (name: string) => shown().getByRole("button", { name }).first();
    for (const name of ["Run Again", "Choose Endpoint", "Open Docs"]) await button(name).waitFor();
    await host.screenshot("connection-refused");
    await button("Start Local Chain").click();
    await status("local").waitFor();
    await shown().getByText("31337").first().waitFor();
    await host.screenshot("local-chain");
    await host.command("RPC Notebook: Choose Endpoint");
    await row("main").click();
    await status("main").waitFor();
    node.closeAllConnections();
    node.close();
  });

  it("gives a new notebook the endpoint of the workspace", async () => {
    await host.command("RPC Notebook: New RPC Notebook");
    await host.page.locator(".tab.active", { hasText: "Untitled" }).waitFor();
    await cell("eth_blockNumber").waitFor();
    await status("main").waitFor();
  });
});
