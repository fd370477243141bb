import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { toFunctionSelector } from "viem";
import { accounts } from "../../../devchain/accounts.ts";
import { call, contracts } from "../../../devchain/contracts.ts";
import { encoded, sendTransaction } from "../../support/cases.ts";
import { runCommand } from "../../support/commandInProcess.ts";
import { some } from "../../support/depth.ts";
import { answering, type HostileServer, hostileServer } from "../../support/hostileServer.ts";
import { sharedChain } from "../../support/sharedChain.ts";
import { temporaryFolder } from "../../support/temporaryFolder.ts";
import { pastedTexts } from "../convert/recognise/pastedTexts.ts";

const alice = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const bob = "3c44cdddb6a900fa2b585dd299e03d12fa4293bc";
const word = (hex: string): string => hex.padStart(64, "0");
const transfer = (amount: string): string => `0xa9059cbb${word(bob)}${word(amount)}`;

describe("rpc-notebook explain", function () {
  this.timeout(300_000);
  const chain = sharedChain();
  let token: string;
  let hash: string;
  const folder = temporaryFolder();
  before(async () => {
    token = chain.contracts.token.address;
    hash = String(await chain.rpc("eth_sendTransaction", [{ from: alice, to: token, data: transfer("5") }]));
    await chain.rpc("evm_mine");
  });

  const explain = (...words: readonly string[]) => runCommand(["explain", ...words, "--endpoint", chain.url], folder);

  it("runs the case of a transaction", async () => {
    const { out, code } = await explain(hash);
    assert.match(out, /^Transaction hash\nWhat the transaction did/);
    assert.match(out, /✓ cell 1: .*succeeded: 0x7099…79C8 sent 0x3C44…93BC 0\.000005 DUSD/);
    assert.equal(code, 0);
  });

  it("does not round an amount with six decimals", async () => {
    const sent = await sendTransaction(
      chain,
      call(accounts.alice.address, "token", "transfer", [`0x${bob}`, 1_234_567n]),
    );
    await chain.seal();
    assert.match((await explain(sent)).out, /sent 0x3C44…93BC 1\.234567 DUSD/);
  });

  it("finds out why a call of an error message reverts", async () => {
    const text = `Error: missing revert data (action="estimateGas", data=null, reason=null, transaction={ "data": "${transfer("f".repeat(30))}", "from": "${alice}", "to": "${token}" }, code=CALL_EXCEPTION, version=6.13.4)`;
    const { out, code } = await explain(text);
    assert.match(out, /^Failed call: transfer\(to: 0x3C44/);
    assert.match(out, /✗ cell 1: .*reverted: ERC20InsufficientBalance\(/);
    assert.equal(code, 1);
  });

  it("decodes revert data by a call that reverts with it", async () => {
    const { out, code } = await explain(`0xe450d38c${word(alice.slice(2).toLowerCase())}${word("7")}${word("fa")}`);
    assert.match(out, /✓ cell 1: .*reverted as expected: ERC20InsufficientBalance\(/);
    assert.equal(code, 0);
  });

  for (const [what, words, shown] of [
    ["an address", [alice], /eth_getBalance: [\d.,]+ ether/],
    ["a block in words", ["block", "1"], /eth_getBlockByNumber: block 1,/],
    ["a topic", ["0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef"], /Transfer logs/],
    ["a word", [`0x${word("2a")}`], /eth_call: 42/],
    [
      "a curl command",
      [`curl x -d '{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":[]}'`],
      /eth_chainId: 31337/,
    ],
  ] as const)
    it(`runs requests about ${what}`, async () => {
      const { out, err, code } = await explain(...words);
      assert.match(out, shown);
      assert.equal(code, 0, err);
    });

  it("simulates a signed transaction and does not send it", async () => {
    const raw = pastedTexts.find(({ what }) => what === "a transaction of type 2")?.text ?? "";
    const before = await chain.rpc("eth_blockNumber");
    const { out } = await explain(raw);
    assert.match(out, /never sent[\s\S]*cell 1: eth_getTransactionByHash[\s\S]*cell 2: eth_call/);
    assert.deepEqual(
      [await chain.rpc("eth_blockNumber"), await chain.rpc("txpool_status")],
      [before, { pending: "0x0", queued: "0x0" }],
    );
  });

  it("does not send a request that writes", async () => {
    const body = `{"jsonrpc":"2.0","id":1,"method":"evm_mine","params":[]}`;
    const before = await chain.rpc("eth_blockNumber");
    const { err, code } = await explain(body);
    assert.match(err, /may change the chain or the node/);
    assert.deepEqual([code, await chain.rpc("eth_blockNumber")], [1, before]);
  });

  it("fails for a page of another chain, and says which", async () => {
    const { out, code } = await explain(`https://basescan.org/tx/${hash}`);
    assert.match(out, /It is for chain 8453, Base\./);
    assert.match(out, /✗ cell 2: eth_chainId[\s\S]*0x2105/);
    assert.equal(code, 1);
  });

  it("decodes with the declarations of --abi and of the project", async () => {
    const data = `${toFunctionSelector("Poor(uint256)")}${word("7")}`;
    const { out } = await explain(data, "--abi", "error Poor(uint256 needed)");
    assert.match(out, /^Revert data: Poor\(needed: 7\)\n/);
    assert.match((await explain(data)).out, /^(?:Call data of|Revert data of unknown error) 0x/);
    const wrong = await explain(data, "--abi", "error Poor(");
    assert.deepEqual([wrong.code, /--abi/.test(wrong.err)], [2, true]);
  });

  it("says how to decode an error that no known ABI declares", async () => {
    const tooSmall = encoded("reverter", "tooSmall", [5n, 10n]);
    const inner = [2n, contracts.reverter.address, tooSmall];
    const failed = await sendTransaction(chain, call(accounts.erin.address, "relay", "forward", inner));
    await chain.seal();
    const { out } = await explain(failed);
    assert.match(out, /unknown error 0xe94fe3af, in 0xCf7E…0Fc9\.0x4c6acce0, 4 calls deep/);
    assert.match(
      out,
      /No known ABI declares the error 0xe94fe3af\. To decode it, add the ABI .*`explain --abi FILE`\./,
    );
    const decoded = await explain(failed, "--abi", "error TooSmall(uint256 given, uint256 least)");
    assert.match(decoded.out, /reverted: TooSmall\(given: 5, least: 10\)/);
    assert.doesNotMatch(decoded.out, /No known ABI/);
  });

  it("asks for a block if the hash is of no transaction", async () => {
    const block = (await chain.rpc("eth_getBlockByNumber", ["0x1", false])) as { readonly hash: string };
    const { out, code } = await explain(block.hash);
    assert.match(out, /^Transaction hash\n[\s\S]*not found[\s\S]*\nBlock hash\n[\s\S]*eth_getBlockByHash: block 1,/);
    assert.equal(code, 0);
    const both = JSON.parse((await explain(block.hash, "--json")).out);
    assert.deepEqual(
      both.map(({ reading }: { readonly reading: { readonly name: string } }) => reading.name),
      ["Transaction hash", "Block hash"],
    );
  });

  it("says where an unknown hash was looked for, and fails", async () => {
    const { out, code } = await explain(`0x${"ab".repeat(32)}`);
    assert.match(out, /eth_getTransactionByHash: not found at 127\.0\.0\.1/);
    assert.equal(code, 1);
    assert.doesNotMatch(out, /✓/);
  });

  it("fails for a block that does not exist", async () => {
    assert.equal((await explain("block", "99999999")).code, 1);
    assert.equal((await explain(`0x${"ab".repeat(32)}`, "--reading", "2")).code, 1);
  });

  it("prints answers as JSON", async () => {
    const [one] = JSON.parse((await explain(hash, "--json")).out);
    assert.equal(one.reading.name, "Transaction hash");
    assert.equal(one.run.cells[0].answers[0].result.hash, hash);
  });

  it("runs the reading that is chosen", async () => {
    const { out } = await explain(
      String(((await chain.rpc("eth_getBlockByNumber", ["0x1", false])) as { hash: string }).hash),
      "--reading",
      "2",
    );
    assert.match(out, /^Block hash\n[\s\S]*eth_getBlockByHash: block 1,/);
    const { err, code } = await explain(hash, "--reading", "9");
    assert.match(err, /Unknown reading 9\./);
    assert.equal(code, 2);
  });

  it("says why nothing was recognized", async () => {
    for (const { text, what, asks } of pastedTexts.filter(({ first }) => first === undefined)) {
      const { err, code } = await runCommand(["explain", "-"], folder, { input: text });
      assert.ok(err.includes(asks[0]), `${what}: ${err}`);
      assert.equal(code, 1);
    }
  });

  it("says how to choose an endpoint, and names no file that does not exist", async () => {
    const { out, code } = await runCommand(["explain", hash], temporaryFolder());
    assert.match(out, /not sent: No endpoint is chosen\.\n {2}→ Choose one .*--endpoint/);
    assert.doesNotMatch(out, /explain\.rpc\.json/);
    assert.equal(code, 1);
  });

  it("knows a folder from a file", async () => {
    mkdirSync(join(folder, "sub"));
    const { err, code } = await explain("sub");
    assert.equal(code, 1);
    assert.ok(err.includes("sub is a folder") && !err.includes("file:"), err);
  });

  it("says so if there is no text, or the name of a file", async () => {
    const { err, code } = await runCommand(["explain"], folder);
    assert.match(err, /Nothing to explain\./);
    assert.equal(code, 2);
    const file = await runCommand(["explain", "package.json"], fileURLToPath(new URL("../../..", import.meta.url)));
    assert.match(file.err, /is a file\. Pipe it in/);
  });
});

describe("recognising", function () {
  this.timeout(300_000);
  let server: HostileServer;
  const asked: string[] = [];
  before(async () => {
    server = await hostileServer(
      answering((method) => {
        asked.push(method);
        return null;
      }),
    );
  });

  it("sends nothing, whatever the text is", async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "rpc-labels.json"), JSON.stringify({ [alice]: "Alice" }));
    for (const { text, first } of some(pastedTexts, 12))
      for (const option of ["--list", "--dry-run"]) {
        const { code, out, err } = await runCommand(["explain", "-", option, "--endpoint", server.url], folder, {
          input: text,
        });
        assert.equal(code, first === undefined ? 1 : 0, `${text}: ${err}`);
        if (first !== undefined && option === "--list") assert.match(out, /^ 1 {2}\S/);
      }
    assert.deepEqual(asked, []);
  });
});
