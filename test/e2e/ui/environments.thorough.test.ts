import assert from "node:assert/strict";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { closeAfterTest } from "../../../scripts/lib/processEnd.mjs";
import { inWindow } from "../host/window.ts";

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

/** An endpoint that repeats secrets of the request, fails the first time that it gets one, and refuses the receipts of a block. */
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

const paths = new Set<string>();
const bodies: string[] = [];
let url = "";

const options: Parameters<typeof inWindow>[1] = {
  viewport: { width: 1400, height: 1400 },
  files: {
    "environments.rpc.json": notebook,
    "A.sol": `contract A {\n  address a = ${address};\n  address b = ${other};\n}\n`,
  },
  async prepare({ pathOf }) {
    rmSync(pathOf("rpc-endpoints.private.json"));
    const endpoint = createServer(async (request, response) => {
      let body = "";
      for await (const chunk of request) body += chunk;
      paths.add(request.url ?? "");
      bodies.push(body);
      const asked = JSON.parse(body) as Asked | Asked[];
      const isBusy = body.includes(secret) && !bodies.slice(0, -1).some((earlier) => earlier.includes(secret));
      if (isBusy) response.writeHead(503).end(body);
      else if (body.includes("eth_getBlockReceipts")) response.writeHead(403).end("forbidden");
      else response.end(JSON.stringify(Array.isArray(asked) ? asked.map(answerTo) : answerTo(asked)));
    });
    await new Promise<void>((resolve) => endpoint.listen(0, "127.0.0.1", resolve));
    url = `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}`; // it listens on TCP
    return () => {
      endpoint.closeAllConnections();
      endpoint.close();
    };
  },
};

inWindow("endpoints, secrets and copied requests", options, (vscode) => {
  const asks = (text: string) => vscode.page.locator(".quick-input-widget", { hasText: text }).waitFor();
  const box = () => vscode.page.locator(".quick-input-widget input").first();

  it("offers an endpoint in a contract: in the status bar, the palette, one hover, and for a watch", async () => {
    await vscode.open("A.sol");
    await vscode.status("Choose endpoint").waitFor();
    const hover = await vscode.hover(vscode.word(address, address), "Choose an endpoint");
    await vscode.screenshot("hover-offer");
    await hover.getByText("Choose an endpoint").click();
    await asks("Endpoint for files that are not notebooks");
    await vscode.press("Escape");
    await vscode.command("RPC Notebook: Watch Address");
    await vscode.answer("Watch Address", address);
    const message = vscode.message("Choose an endpoint to watch this.");
    await message.getByText("Choose Endpoint", { exact: true }).waitFor();
    await message.hover();
    await vscode.screenshot("watch-offer");
    await message.getByText("Choose Endpoint", { exact: true }).click();
    await asks("Endpoint for files that are not notebooks");
    await vscode.press("Escape");
    await vscode.command("RPC Notebook: Choose Endpoint");
    await asks("Endpoint for files that are not notebooks");
    await vscode.press("Escape");
    await vscode.open("environments.rpc.json");
  });

  it("asks where requests should go, and keeps an address with a key out of git", async () => {
    await vscode.run("eth_chainId");
    await vscode.choose("Main network");
    await asks("The address of a JSON-RPC endpoint");
    await box().fill("127.0.0.1");
    await vscode.page.getByText("Type a whole address").first().waitFor();
    await box().fill(`${url}/v2/${key}`);
    await vscode.page.getByText("Type a whole address").first().waitFor({ state: "hidden" });
    await vscode.press("Enter");
    await vscode.choose("Keep it private");
    await vscode.output().getByText("31337").first().waitFor();
    assert.ok(paths.has(`/v2/${key}`));
    const written = JSON.parse(readFileSync(vscode.pathOf("rpc-endpoints.private.json"), "utf8"));
    assert.deepEqual(written, { main: `${url}/v2/${key}` });
    assert.ok(readFileSync(vscode.pathOf(".gitignore"), "utf8").split("\n").includes("rpc-endpoints.private.json"));
    assert.ok(!existsSync(vscode.pathOf("rpc-endpoints.json")));
    await vscode.status("main").waitFor();
  });

  it("lists endpoints that cannot be used with the fix, and knows those that are there", async () => {
    const endpoints = { keyed: `${url}/{{$secret.NODE_KEY}}`, wrong: "nonsense" };
    writeFileSync(vscode.pathOf("rpc-endpoints.json"), JSON.stringify(endpoints));
    await vscode.status("main").click();
    await vscode.row("$secret.NODE_KEY").waitFor();
    await vscode.screenshot("picker-broken");
    await vscode.choose("wrong");
    await vscode.tab("rpc-endpoints.json").waitFor();
    await vscode.open("environments.rpc.json");
    await vscode.status("main").click();
    await vscode.choose("Add an endpoint");
    await vscode.row("Main network").waitFor();
    await vscode.screenshot("picker-add");
    await vscode.choose("Another endpoint");
    await box().fill("main");
    await vscode.page.getByText("The name main is taken by another endpoint").first().waitFor();
    await vscode.answer("Name of the endpoint", "second");
    await vscode.answer("second", `${url}/v2/${key}`);
    await vscode.message("main already has this address").waitFor();
    await vscode.status("main").click();
    await vscode.choose("keyed");
    await vscode.answer("Value of the secret NODE_KEY", "v4lue-of-the-key");
    await vscode.choose("keyed");
    await vscode.status("keyed").waitFor();
    await vscode.status("keyed").click();
    await vscode.choose("main");
    await vscode.status("main").waitFor();
    await vscode.command("RPC Notebook: Delete Secret");
    await vscode.choose("NODE_KEY");
    rmSync(vscode.pathOf("rpc-endpoints.json"));
  });

  it("reads the receipts one by one if the block's are refused", async () => {
    await vscode.run("eth_getBlockReceipts");
    await vscode.output().getByText("no receipts: the block has no transactions").first().waitFor();
  });

  it("marks a result that has become stale, and one that is no longer fresh", async () => {
    const mark = (text: string) => vscode.cell(text).locator(".cell-status-item", { hasText: "stale" });
    assert.equal(await mark("eth_chainId").count(), 0);
    await vscode.status("main").click();
    await box().fill("nowhere");
    await box().fill(url);
    await vscode.choose(url);
    await mark("eth_chainId").waitFor();
    await vscode.screenshot("stale");
    await vscode.run("eth_chainId");
    await mark("eth_chainId").waitFor({ state: "detached" });
    await mark("eth_getBlockReceipts").waitFor();
  });

  it("takes a secret, sends it after asking, and shows it nowhere", async () => {
    await vscode.command("RPC Notebook: Set Secret");
    await vscode.answer("Name of the secret", "API_KEY");
    await vscode.answer("Value of the secret API_KEY", secret);
    await vscode.run("eth_call");
    await vscode.decide("$secret.API_KEY", "Allow");
    await vscode.output().getByText("‹secret API_KEY›").first().waitFor();
    assert.ok(bodies.some((body) => body.includes(secret)));
    await vscode.hover(
      vscode.cell("eth_call").locator(".view-line span", { hasText: "API_KEY" }).last(),
      "secret storage",
    );
    await vscode.press("Escape");
    await vscode.command("RPC Notebook: Show Log");
    await vscode.page.locator(".panel .view-line", { hasText: "temporarily unavailable (HTTP 503)" }).first().waitFor();
    const everything = [vscode.page, vscode.output()].map((one) => one.locator("body").textContent());
    assert.ok(!(await Promise.all(everything)).join("\n").includes(secret));
    await vscode.screenshot("secret");
    await vscode.command("View: Toggle Panel Visibility");
  });

  it("lists the secrets by name to delete one, which is then no longer sent", async () => {
    await vscode.command("RPC Notebook: Delete Secret");
    await vscode.choose("API_KEY");
    const before = bodies.length;
    await vscode.run("eth_call");
    await vscode.output().getByText("$secret.API_KEY").first().waitFor();
    assert.equal(bodies.length, before);
    await vscode.command("RPC Notebook: Delete Secret");
    await vscode.page.getByText("No secrets are stored.").first().waitFor();
  });

  it("copies a request for a shell, that of the terminal first", async () => {
    await vscode.page.evaluate(() => navigator.clipboard.writeText(""));
    await vscode.cell("eth_chainId").locator(".codelens-decoration a", { hasText: "Copy as" }).click();
    await vscode.row("curl for bash").waitFor();
    await vscode.choose("curl for PowerShell");
    let copied = "";
    while (copied === "") copied = await vscode.page.evaluate(() => navigator.clipboard.readText());
    assert.match(copied, /^'\{.*eth_chainId.*\}' \|\n {2}curl\.exe /);
  });

  it("pastes a curl command as a request", async () => {
    const curl = `curl -X POST ${url} -d '{"jsonrpc":"2.0","id":1,"method":"eth_getCode","params":["${address}","latest"]}'`;
    await vscode.page.evaluate((text) => navigator.clipboard.writeText(text), curl);
    await vscode.cell("eth_getBlockReceipts").locator(".view-line").first().click();
    await vscode.command("RPC Notebook: Paste as Request");
    await vscode.cell("eth_getCode").waitFor();
    await vscode.screenshot("pasted");
  });

  it("uses the chain of this machine by a button of a refused connection, and runs the cell again", async () => {
    // Terminals need a native module that this host lacks, so a node answers already.
    const node = createServer((_, response) => response.end('{"jsonrpc":"2.0","id":1,"result":"0x7a69"}'));
    closeAfterTest(async () => {
      node.closeAllConnections();
      node.close();
    });
    await new Promise<void>((resolve) => node.on("error", () => resolve()).listen(8545, "127.0.0.1", resolve));
    await vscode.command("RPC Notebook: Choose Endpoint");
    await asks("Endpoint for this notebook");
    await box().fill("http://127.0.0.1:1");
    await vscode.choose("http://127.0.0.1:1");
    await vscode.status("127.0.0.1:1").waitFor(); // until then it is the former endpoint that is asked
    await vscode.run("eth_chainId");
    const button = (name: string) => vscode.output().getByRole("button", { name }).first();
    for (const name of ["Run Again", "Choose Endpoint", "Open Docs"]) await button(name).waitFor();
    await vscode.screenshot("connection-refused");
    await button("Start Local Chain").click();
    await vscode.status("local").waitFor();
    await vscode.output().getByText("31337").first().waitFor();
    await vscode.screenshot("local-chain");
    await vscode.command("RPC Notebook: Choose Endpoint");
    await vscode.choose("main");
    await vscode.status("main").waitFor();
  });

  it("gives a new notebook the endpoint of the workspace", async () => {
    await vscode.command("RPC Notebook: New RPC Notebook");
    await vscode.tab("Untitled").waitFor();
    await vscode.cell("eth_blockNumber").waitFor();
    await vscode.status("main").waitFor();
  });
});
