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
  this.timeout(90_000);
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
    host = await openWorkbench(installation, { viewport: { width: 1400, height: 1400 } });
    await host.page.locator(".explorer-folders-view").getByText("environments.rpc.json", { exact: true }).dblclick();
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
  async function command(title: string): Promise<void> {
    await host.page.keyboard.press("F1");
    await host.page.locator(".quick-input-widget input").first().fill(`>${title}`);
    await row(title).click();
  }
  async function runCell(text: string): Promise<void> {
    await cell(text).hover();
    await cell(text).locator(".run-button-container .codicon-notebook-execute").click();
  }

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
    await command("RPC Notebook: Set Secret");
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
    await command("RPC Notebook: Show Log");
    await page.locator(".panel .view-lines").waitFor();
    const everything = [page, shown()].map((one) => one.locator("body").textContent());
    assert.ok(!(await Promise.all(everything)).join("\n").includes(secret));
    await host.screenshot("secret");
    await command("View: Toggle Panel Visibility");
  });

  it("lists the secrets by name to delete one, which is then no longer sent", async () => {
    await command("RPC Notebook: Delete Secret");
    await row("API_KEY").click();
    const before = bodies.length;
    await runCell("eth_call");
    await shown().getByText("$secret.API_KEY").first().waitFor();
    assert.equal(bodies.length, before);
    await command("RPC Notebook: Delete Secret");
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
    await command("RPC Notebook: Paste as Request");
    await cell("eth_getCode").waitFor();
    await host.screenshot("pasted");
  });
});
