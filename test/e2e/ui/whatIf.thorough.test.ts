import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Hex } from "viem";
import { accounts } from "../../../devchain/accounts.ts";
import { contracts } from "../../../devchain/contracts.ts";
import { startDevchain } from "../../../devchain/devchain.ts";
import { sendTransaction } from "../../support/cases.ts";
import { chain, json, startPayments, transfer } from "../../support/paymentCalls.ts";
import { compileSolidity } from "../../support/solidity.ts";
import type { Host } from "../host/workbench.ts";
import { type Installation, install, openWorkbench } from "../installed.ts";

const example = readFileSync(new URL("../../suites/storageExample.sol", import.meta.url), "utf8");
const tether = "0xdAC17F958D2ee523a2206206994597C13D831ec7";

describe("what if, storage by name, and calls in words", function () {
  this.timeout(300_000);
  let installation: Installation;
  let host: Host;

  const write = (name: string, value: unknown): void => {
    const file = path.join(installation.workspace, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify(JSON.parse(json(value)), null, 2));
  };

  before(async () => {
    await startPayments(await startDevchain({ sealEveryMs: 0, traffic: false }));
    installation = await install();
    write("rpc-endpoints.private.json", { local: chain.url });
    const vault = await deployVault();
    const { alice, bob, carol } = accounts;
    const labels = { [alice.address]: "alice", [bob.address]: "bob", [carol.address]: "carol", [vault]: "vault" };
    const spends = { function: "transfer(address,uint256) returns (bool)", args: ["{{bob}}", 500_000_000] };
    const call = { from: carol.address, to: "{{token}}", data: spends };
    write("what-if.rpc.json", {
      endpoint: "local",
      variables: { token: contracts.token.address, bob: bob.address },
      labels,
      cells: [
        {
          method: "eth_call",
          params: [call, "latest"],
          assume: { token: { token: { carol: "1000" } }, time: "+1 day" },
        },
        {
          method: "eth_simulateV1",
          params: [{ blockStateCalls: [{ calls: [call] }], traceTransfers: true }, "latest"],
          assume: { token: { token: { carol: "1000" } }, balance: { carol: "10 ether" } },
        },
        { name: "pay", method: "eth_call", params: [await transfer({}, { over: { name: "USDC" } }), "latest"] },
        {
          method: "eth_getStorageAt",
          params: [vault, { contract: "Vault", variable: "balances[alice].since" }, "latest"],
        },
      ],
    });
    const approve = { function: "approve(address,uint256) returns (bool)", args: [accounts.bob.address, 100_000_000] };
    write("words.rpc.json", {
      endpoint: "local",
      chainId: "0x1",
      labels: { [accounts.bob.address]: "Treasury" },
      tokens: { [tether]: { symbol: "USDT", decimals: 6 } },
      cells: [
        { method: "eth_call", params: [{ from: alice.address, to: tether, data: approve }, "latest"] },
        { method: "eth_estimateGas", params: [{ ...call, to: tether }, "latest"] },
      ],
    });
    host = await openWorkbench(installation, {
      viewport: { width: 1400, height: 2700 },
      settings: { "workbench.colorTheme": "Default Dark Modern" },
    });
  });
  after(async () => {
    await host?.close();
    await installation?.remove();
    await chain?.stop();
  });
  afterEach(async function () {
    if (this.currentTest?.state === "failed") await host.screenshot("what-if-failure");
  });

  /** Creates the contract, and writes its artifact into the workspace. */
  async function deployVault(): Promise<string> {
    const { Vault = assert.fail() } = compileSolidity(example);
    const { abi, storageLayout, evm } = Vault;
    writeFileSync(path.join(installation.workspace, "foundry.toml"), "[profile.default]\n");
    write("out/Test.sol/Vault.json", { abi, storageLayout, bytecode: evm.bytecode });
    const hash = await sendTransaction(chain, {
      from: accounts.alice.address,
      data: `0x${evm.bytecode.object}` as Hex,
    });
    await chain.seal();
    return Object(await chain.rpc("eth_getTransactionReceipt", [hash])).contractAddress;
  }

  const open = async (name: string): Promise<void> => {
    await host.page.locator(".explorer-folders-view").getByText(name, { exact: true }).dblclick();
    await host.page.locator(".codelens-decoration:visible", { hasText: "Wire form" }).first().waitFor();
  };
  const cell = (method: string) => host.page.locator(".code-cell-row:visible", { hasText: method }).first();

  /** Hovers a word until it says something: the word may move while results are drawn. */
  const hover = async (method: string, word: string, says: string): Promise<void> => {
    const shown = host.page.locator(".monaco-hover:visible", { hasText: says }).first();
    for (const end = Date.now() + 60_000; !(await shown.isVisible()); ) {
      assert.ok(Date.now() < end, `the hover of ${word} says ${says}`);
      await host.page.mouse.move(0, 0);
      await cell(method).locator(".view-line span", { hasText: word }).last().hover();
      await shown.waitFor({ timeout: 4000 }).catch(() => {});
    }
  };

  it("says a call in words", async () => {
    await open("words.rpc.json");
    await hover("approve", "eth_call", "not verified");
    await host.screenshot("words-hover");
  });

  it("writes what a call spends", async () => {
    const { page } = host;
    await cell("eth_estimateGas").locator(".view-line span", { hasText: "transfer" }).last().click();
    await page.keyboard.press("Control+.");
    await page.locator(".action-widget", { hasText: "Assume the tokens that are spent" }).waitFor();
    await host.screenshot("what-if-action");
    await page.keyboard.press("Enter");
    await cell("eth_estimateGas").locator(".view-line", { hasText: "assume" }).waitFor();
  });

  it("shows what was assumed, why a payment failed, and a variable", async () => {
    await open("what-if.rpc.json");
    const { page } = host;
    await page.locator(".notebook-toolbar-container:visible").getByText("Run All").click();
    const output = page.frameLocator("iframe.webview.ready").last().frameLocator("iframe#active-frame");
    for (const text of [/carol has 1,000 token/, /Signed for the domain name "USDC"/, /1,700,000,000/])
      await output.getByText(text).first().waitFor();
    await hover("eth_simulateV1", "assume", "state and block overrides");
    await host.screenshot("what-if");
  });

  it("lists what a contract stores", async () => {
    const { page } = host;
    await host.command("RPC Notebook: Show Storage of a Contract");
    const rows = page.locator(".quick-input-widget:visible .monaco-list-row");
    const choose = async (text: string) => {
      await rows.filter({ hasText: text }).first().waitFor();
      await host.screenshot(`storage-${text}`);
      await page.keyboard.type(text);
      await page.keyboard.press("Enter");
    };
    await choose("Vault");
    await rows.filter({ hasText: "alice" }).first().waitFor();
    assert.equal(await rows.filter({ hasText: "bob" }).count(), 1, "a label and a variable of the same account");
    await choose("vault");
    await page.locator(".quick-input-widget:visible", { hasText: "at which block" }).first().waitFor();
    await page.keyboard.press("Enter");
    await page.locator(".view-line", { hasText: "balances[alice].amount" }).first().waitFor();
    await host.screenshot("storage-listed");
  });
});
