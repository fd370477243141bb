import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { encodeFunctionData, type Hex } from "viem";
import { accounts } from "../../../devchain/accounts.ts";
import { sendTransaction } from "../../support/cases.ts";
import { countingProxy, replacing } from "../../support/countingProxy.ts";
import { lookupServer } from "../../support/lookupServer.ts";
import { compileSolidity } from "../../support/solidity.ts";
import { inWindow, type Vscode } from "../host/window.ts";

const source = `contract Vault {
  error TooLow(uint256 level);
  function lift(uint256 level) external pure { if (level == 0) revert TooLow(level); }
}`;
const settings: Record<string, unknown> = {};
let lookup: Awaited<ReturnType<typeof lookupServer>> | undefined;
let address = "";
let unverified = "";

/** A contract that the project does not know, on a chain that is not a local one, and a host that knows it. */
async function prepare({ write, installation: { chain } }: Vscode) {
  const { Vault = assert.fail() } = compileSolidity(source);
  const { abi, evm } = Vault;
  const data = `0x${evm.bytecode.object}` as Hex; // it is hex
  const create = async (): Promise<string> => {
    const hash = await sendTransaction(chain, { from: accounts.alice.address, data });
    await chain.seal();
    return Object(await chain.rpc("eth_getTransactionReceipt", [hash])).contractAddress;
  };
  address = await create();
  unverified = await create();
  const answer = replacing(chain.url, ({ method }) => (method === "eth_chainId" ? { result: "0x2105" } : undefined));
  const base = await countingProxy(chain.url, answer);
  const sources = { "lib/Errors.sol": "// none\n", "src/Vault.sol": source };
  const host = await lookupServer([{ address, name: "Vault", abi, sources, main: "src/Vault.sol" }]);
  lookup = host;
  settings["rpcNotebook.lookupHost"] = lookup.url;
  write("rpc-endpoints.json", { base: { url: base.url } });
  const call = { to: address, data: encodeFunctionData({ abi, functionName: "lift", args: [0n] }) };
  write("call.rpc.json", { endpoint: "base", cells: [{ method: "eth_call", params: [call, "latest"] }] });
  return () => Promise.all([base.close(), host.close()]);
}

inWindow("a contract that the project does not know", { settings, prepare }, (vscode) => {
  const asked = () => `Look up ${address} at ${lookup?.host}?`;
  const offered = () => vscode.act(vscode.word(address, address), "Look Up Contract…", "lookup-action");

  it("is not looked up by a run, nor after a no", async () => {
    await vscode.open("call.rpc.json");
    await vscode.run("eth_call");
    await vscode.output().getByText("0x").first().waitFor();
    await vscode.screenshot("lookup-before");
    await offered();
    await vscode.question(asked()).waitFor();
    await vscode.screenshot("lookup-question");
    await vscode.decide(asked(), "Cancel");
    await vscode.question(asked()).waitFor({ state: "hidden" });
    assert.deepEqual(lookup?.paths, []);
  });

  it("is a file of the project after a yes, and the next run has its names", async () => {
    await offered();
    await vscode.decide(asked(), `Look Up at ${lookup?.host}`);
    await vscode.shown("Vault at 0x");
    await vscode.screenshot("lookup-message");
    assert.ok(existsSync(vscode.pathOf("contracts/Vault.json")));
    assert.match(readFileSync(vscode.pathOf("contracts/Vault.json"), "utf8"), /exact match/);
    await vscode.message("Vault at 0x").getByText("Open File").click();
    await vscode.tab("Vault.json").waitFor();
    await vscode.open("call.rpc.json");
    await vscode.run("eth_call");
    await vscode.output().getByText("TooLow").first().waitFor();
    await vscode.screenshot("lookup-after");
    assert.equal(lookup?.paths.length, 1);
  });

  it("has its verified sources in read-only editors, the main file first, without another question", async () => {
    await vscode.act(vscode.word(address, address), "Open Source of Contract…", "source-action");
    await vscode.row("src/Vault.sol").waitFor();
    await vscode.screenshot("source-choice");
    await vscode.choose("src/Vault.sol");
    await vscode.tab("Vault.sol").waitFor();
    await vscode.line("error TooLow").waitFor();
    await vscode.screenshot("source-open");
    assert.equal(lookup?.paths.length, 2);
  });

  it("is guessed from its code if nobody has verified it, after another yes", async () => {
    await vscode.command("RPC Notebook: Look Up Contract…");
    await vscode.answer("Look Up Contract", unverified);
    await vscode.decide(`Look up ${unverified}`, `Look Up at ${lookup?.host}`);
    await vscode.shown("no verified sources");
    await vscode.screenshot("guess-offered");
    await vscode.message("Asking").waitFor({ state: "hidden" }); // messages move when it goes
    await vscode.message("no verified sources").getByText("Guess from Code").click();
    await vscode.shown("guessed from its code");
    await vscode.screenshot("guess-message");
    const file = `contracts/Guessed_${unverified.slice(2, 10).toLowerCase()}.json`;
    assert.match(readFileSync(vscode.pathOf(file), "utf8"), /"unknown_/);
  });

  it("is asked about by its address, which is checked", async () => {
    await vscode.command("RPC Notebook: Look Up Contract…");
    await vscode.answer("Look Up Contract", `0x${"ab".repeat(20)}`);
    await vscode.decide(`Look up 0x${"ab".repeat(20)}`, `Look Up at ${lookup?.host}`);
    await vscode.shown("is not a contract on chain");
    await vscode.screenshot("lookup-nothing");
  });
});
