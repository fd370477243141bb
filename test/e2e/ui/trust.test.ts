import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import type { Host } from "../host/workbench.ts";
import { type Installation, install, openWorkbench } from "../installed.ts";

describe("a workspace that is not trusted", function () {
  this.timeout(90_000);
  let installation: Installation;
  let host: Host;
  let endpoint: Server;
  let asked = 0;

  before(async () => {
    installation = await install();
    endpoint = createServer((_request, response) => {
      asked++;
      response.end();
    });
    await new Promise<void>((resolve) => endpoint.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}`; // it listens on TCP
    writeFileSync(path.join(installation.workspace, "rpc-endpoints.private.json"), JSON.stringify({ local: url }));
    host = await openWorkbench(installation, { workspaceTrust: true });
  });
  after(async () => {
    await host?.close();
    endpoint?.close();
    await installation?.remove();
  });
  afterEach(async function () {
    if (this.currentTest?.state === "failed") await host.screenshot("trust-failure");
  });

  it("opens and explains, and sends nothing even if the user runs it", async () => {
    const { page, screenshot } = host;
    await page.getByRole("button", { name: "No, I don't trust the authors" }).click();
    await page.locator(".explorer-folders-view").getByText("quickstart.rpc.json", { exact: true }).dblclick();
    await page.locator(".notebook-toolbar-container").getByText("Run All").click();
    await page.locator(".monaco-dialog-box, .notification-toast").first().waitFor();
    await screenshot("untrusted");
    assert.equal(asked, 0);
  });
});
