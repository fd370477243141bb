import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { type AddressInfo, connect } from "node:net";
import { zipSync } from "fflate";
import { selfSigned } from "../../support/hostileServer.ts";
import { inWindow } from "../host/window.ts";

/** The archive of the commit that this version names, which is not part of this project. */
const { ERC7730_ARCHIVE: archive } = process.env;
const host = "codeload.github.com";
const other = zipSync({ "x/registry/a/calldata-a.json": new TextEncoder().encode("{}") });

/** What the archive's host answers; without it nothing can be reached. */
let answer: RequestListener | undefined;
const asked: string[] = [];
const connected: string[] = [];
const settings: Record<string, unknown> = { "http.proxyStrictSSL": false };

/** A proxy of the person that leads to a server which plays the archive's host. */
async function archiveHost(): Promise<() => void> {
  const server = createSecureServer(selfSigned() ?? assert.fail("openssl is missing"), (request, response) => {
    asked.push(`${request.method} ${request.headers.host}${request.url}`);
    answer?.(request, response);
  });
  const proxy = createServer().on("connect", ({ url }, socket) => {
    connected.push(url ?? "");
    socket.on("error", () => {});
    if (!answer) return socket.destroy();
    const { port } = server.address() as AddressInfo; // it listens on TCP
    const behind = connect(port, "127.0.0.1", () => socket.write("HTTP/1.1 200 Connected\r\n\r\n"));
    behind.on("error", () => socket.destroy());
    return socket.pipe(behind).pipe(socket);
  });
  for (const one of [server, proxy]) await new Promise<void>((done) => one.listen(0, "127.0.0.1", done));
  settings["http.proxy"] = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`; // it listens on TCP
  return () => {
    for (const one of [server, proxy]) {
      one.closeAllConnections();
      one.close();
    }
  };
}

const call = { to: `0x${"7".repeat(40)}`, data: `0x12345678${"0".repeat(64)}` };
const approve = { intent: "Approve", fields: [{ path: "spender", label: "Spender", format: "addressName" }] };
const files = {
  "call.rpc.json": { chainId: "0x1", cells: [{ method: "eth_call", params: [call, "latest"] }] },
  "calldata-approve.json": { display: { formats: { "approve(address spender,uint256 value)": approve } } },
};

inWindow("the registry of descriptors", { settings, files, prepare: archiveHost }, (vscode) => {
  const command = "RPC Notebook: Get Registry of Descriptors…";
  const question = "registry of descriptors?";
  /** Agrees to a download, and waits for what comes of it. */
  const agreed = async (says: string, picture: string, button?: string): Promise<void> => {
    await vscode.command(command);
    await vscode.decide(question, `Download from ${host}`);
    await vscode.message(says).waitFor();
    await vscode.message("Getting the registry").waitFor({ state: "hidden" });
    await vscode.screenshot(`registry-${picture}`);
    if (button) await vscode.message(says).getByText(button).click();
    else await vscode.command("Notifications: Clear All Notifications");
    await vscode.message(says).waitFor({ state: "hidden" });
  };

  it("is offered at a call without words, and says which host, commit and size; a refusal reaches nothing", async () => {
    answer = (_, response) => void response.end(other);
    await vscode.open("call.rpc.json");
    await vscode.act(vscode.word("eth_call", "eth_call"), "Get Registry of Descriptors…", "registry-action");
    const dialog = vscode.question(question);
    await dialog.waitFor();
    for (const said of [host, "3b66ba289c", "1.5 MB", "2026-08-20"])
      assert.ok((await dialog.textContent())?.includes(said), said);
    await vscode.screenshot("registry-question");
    await vscode.decide(question, "Cancel");
    await dialog.waitFor({ state: "hidden" });
    assert.deepEqual([asked, connected.filter((name) => name.startsWith(host))], [[], []]);
  });

  it("is kept only if it is whole and that of the commit, and the message says what is wrong", async () => {
    answer = (_, response) => void response.end(other);
    await agreed("is not the registry of commit", "other");
    answer = (_, response) => void response.end(other.subarray(0, 40));
    await agreed("is not a complete archive", "cut");
    answer = (_, response) => {
      response.writeHead(200, { "content-length": 1_000 });
      response.write(other, () => response.destroy());
    };
    await agreed("Nothing was saved", "broken");
    answer = undefined;
    await agreed("Nothing was saved", "offline", "Try Again");
    await vscode.decide(question, "Cancel");
    const [first, ...more] = new Set(asked);
    assert.match(first ?? "", /^GET codeload\.github\.com\/ethereum\/.*\/zip\/3b66ba2/);
    assert.deepEqual(more, []);
  });

  it(`is there after a download, and says how old it is${archive ? "" : " (no archive here)"}`, async () => {
    if (archive === undefined) return;
    answer = (_, response) => void response.end(readFileSync(archive));
    await agreed("The registry is ready: 348 descriptors.", "ready");
    await vscode.command(command);
    await vscode.question("days old").waitFor();
    await vscode.screenshot("registry-again");
    await vscode.decide("days old", "Cancel");
  });

  it("has paths of descriptors completed, in JSON that the language server does not have open", async () => {
    await vscode.open("calldata-approve.json");
    await vscode.word('"path"', "spender").dblclick();
    await vscode.type("va");
    await vscode.opens("Control+Space", vscode.page.locator(".suggest-widget.visible", { hasText: "value" }).first());
    await vscode.screenshot("descriptor-paths");
    await vscode.press("Enter");
    await vscode.line('"path": "value"').waitFor();
  });
});
