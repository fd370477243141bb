import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { encodeFunctionData } from "viem";
import { type Devchain, startDevchain } from "../../devchain/devchain.ts";
import { runCommand } from "../support/commandInProcess.ts";
import { temporaryFolder } from "../support/temporaryFolder.ts";

/** What makes each kind of output, and an edit that a person could make. */
const kinds = {
  "p.html": { args: ["export", "--to", "html", "--out"], edit: ["No value was hidden.", "Checked by Ada."] },
  "r.rpc.recording.json": { args: ["run", "--record"], edit: ["0x7a69", "0x7a6a"] },
  "t.speedscope.json": { args: ["run", "--speedscope"], edit: ["(failed)", "(failed, see #7)"] },
  "j.xml": { args: ["run", "--report", "junit", "--out"], edit: ["eth_chainId", "eth_chainId, checked"] },
} as const;
type Name = keyof typeof kinds;
const names = Object.keys(kinds) as Name[]; // the keys of a table

describe("an earlier output of a command", function () {
  this.timeout(300_000);
  const folder = temporaryFolder();
  let chain: Devchain;
  const path = (name: string) => join(folder, name);
  const made = (name: Name, endpoint: string, ...more: readonly string[]) => {
    const [command, ...options] = kinds[name].args;
    return runCommand([command, "s.rpc.json", "-e", endpoint, ...options, name, ...more], folder);
  };
  before(async () => {
    chain = await startDevchain({ sealEveryMs: 0, traffic: false });
    const { payments, proxiedToken } = chain.contracts;
    const { alice, bob } = chain.accounts;
    const args = [proxiedToken.address, bob.address, 5n, `0x${"12".repeat(32)}`];
    const data = encodeFunctionData({ abi: payments.abi, functionName: "pay", args });
    const call = { from: alice.address, to: payments.address, data };
    const trace = { method: "debug_traceCall", params: [call, "latest", { tracer: "callTracer" }] };
    writeFileSync(path("s.rpc.json"), JSON.stringify({ cells: [{ method: "eth_chainId" }, trace] }));
  });
  after(() => chain?.stop());

  for (const name of names) {
    it(`is kept if a person has changed ${name}`, async () => {
      await made(name, chain.url, "--force");
      const text = readFileSync(path(name), "utf8");
      const [from, to] = kinds[name].edit;
      const half = text.slice(0, text.length / 2);
      for (const edited of [
        text.replace(from, to),
        `${text}\n<!-- mine -->`,
        half,
        text.replace(/[\da-f]{16}/, "0".repeat(16)),
      ]) {
        assert.notEqual(edited, text, name);
        writeFileSync(path(name), edited);
        const { code, err } = await made(name, chain.url);
        assert.equal(code, 2, err);
        assert.equal(readFileSync(path(name), "utf8"), edited);
      }
      await made(name, chain.url, "--force");
      assert.equal(readFileSync(path(name), "utf8").includes(to), false);
    });
    it(`is replaced if nobody has, also with other line ends, as ${name}`, async () => {
      for (const change of [(text: string) => text, (text: string) => text.replaceAll("\n", "\r\n")]) {
        await made(name, chain.url, "--force");
        const text = change(readFileSync(path(name), "utf8"));
        writeFileSync(path(name), text);
        const { err } = await made(name, chain.url);
        assert.match(err, /^(?:Wrote|Recorded) /m);
      }
    });
    it(`is not replaced by an output of another kind, as ${name}`, async () => {
      for (const other of names.filter((one) => one !== name && !one.startsWith("r."))) {
        await made(name, chain.url, "--force");
        const text = readFileSync(path(name), "utf8");
        const [command, ...options] = kinds[other].args;
        const { err } = await runCommand([command, "s.rpc.json", "-e", chain.url, ...options, name], folder);
        assert.match(err, /was not written/);
        assert.equal(readFileSync(path(name), "utf8"), text);
      }
    });
  }

  const nowhere = "http://127.0.0.1:1";
  for (const name of ["p.html", "r.rpc.recording.json", "t.speedscope.json"] as const) {
    it(`is kept if nothing was answered, as ${name}`, async () => {
      await made(name, chain.url, "--force");
      const text = readFileSync(path(name), "utf8");
      const { code, err } = await made(name, nowhere);
      assert.match(err, /was not written/);
      assert.equal(code, 1);
      assert.equal(readFileSync(path(name), "utf8"), text);
    });
    it(`is kept if the run was stopped before any answer, as ${name}`, async () => {
      await made(name, chain.url, "--force");
      const text = readFileSync(path(name), "utf8");
      const [command, ...options] = kinds[name].args;
      const args = [command, "s.rpc.json", "-e", chain.url, ...options, name];
      const { code } = await runCommand(args, folder, { signal: AbortSignal.abort() });
      assert.equal(code, 1);
      assert.equal(readFileSync(path(name), "utf8"), text);
    });
  }
  it("is replaced by failures if that is wanted, and failures are written where there is nothing", async () => {
    for (const name of ["p.html", "r.rpc.recording.json"] as const) {
      await made(name, chain.url, "--force");
      const text = readFileSync(path(name), "utf8");
      await made(name, nowhere, "--force");
      assert.notEqual(readFileSync(path(name), "utf8"), text);
    }
    const page = ["export", "s.rpc.json", "-e", nowhere, "--to", "html", "--out", "new.html"];
    await runCommand(page, folder);
    assert.match(readFileSync(path("new.html"), "utf8"), /<!doctype html>/);
  });
});
