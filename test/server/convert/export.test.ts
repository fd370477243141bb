import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { keccak256, toHex } from "viem";
import { exportCells } from "../../../server/src/convert/exportCells.ts";
import type { ExportTarget } from "../../../server/src/convert/exportModel.ts";
import { importText } from "../../../server/src/convert/importText.ts";
import type { ShellName } from "../../../server/src/convert/shells.ts";
import { readCell } from "../../../server/src/notebook/readCell.ts";
import { createService } from "../../../server/src/service/service.ts";
import { castBinary } from "../../support/cast.ts";
import { scopeOf } from "../../support/cell.ts";
import { testHost } from "../../support/host.ts";
import { pluck } from "../../support/pluck.ts";
import { rows } from "../../support/rows.ts";
import { sharedChain } from "../../support/sharedChain.ts";
import { runCmd, runPowerShell } from "../../support/shellModels.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const uri = "file:///nowhere/a.rpc.json";
const alice = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const transferTopic = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
const notebook = (header: object, ...cells: readonly unknown[]): string => JSON.stringify({ ...header, cells });

async function exported(text: string, to: ExportTarget["to"], index?: number, shell?: ShellName) {
  const service = createService(testHost());
  service.openText(uri, text);
  await service.settled(uri);
  return (await service.exported(uri, index, { to, shell })) ?? assert.fail("nothing was exported");
}

/** Runs a script in a shell. The chain runs in this process and answers meanwhile. */
async function ended(script: string, env: Readonly<Record<string, string>>) {
  return answered("sh", ["-eu", "-c", script], "", env);
}

async function answered(program: string, args: readonly string[], stdin: string, env = {}) {
  const child = spawn(program, args, { env: { ...process.env, ...env }, timeout: 60_000 });
  child.stdin.on("error", () => {}).end(stdin); // not every script reads it
  let [out, err] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    out += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    err += text;
  });
  const [status] = (await once(child, "close")) as [number | null]; // the exit code comes first
  return { status, out, err };
}

async function shell(script: string, env: Readonly<Record<string, string>> = {}): Promise<string> {
  const { status, out, err } = await ended(script, env);
  assert.equal(status, 0, err);
  return out;
}

/** The modules that were loaded: they are type-checked together. */
const folder = join(root, ".tsbuild/exported");

/** Returns what a module exports. */
async function loaded(name: string, code: string): Promise<Readonly<Record<string, unknown>>> {
  writeFileSync(join(folder, `${name}.ts`), code);
  return import(pathToFileURL(join(folder, `${name}.ts`)).href);
}

const compilerOptions = {
  target: "ES2023",
  lib: ["ES2023", "DOM"],
  module: "preserve",
  moduleResolution: "bundler",
  moduleDetection: "force",
  strict: true,
  noUnusedLocals: true,
  noEmit: true,
  skipLibCheck: true,
  types: [],
};

describe("an export", () => {
  const chain = sharedChain();
  before(() => {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  describe("to viem", () => {
    it("returns what the requests return", async () => {
      const token = chain.contracts.token.address;
      const [hash] =
        (await chain
          .rpc("eth_getBlockByNumber", ["0x1", false])
          .then((block) => (block as { transactions: string[] }).transactions)) ?? [];
      const call = `{ "from": "${alice}", "to": "${token}", "data": "0x18160ddd" }`;
      const text = `{
        "endpoint": "${chain.url}", "variables": { "alice": "${alice}", "token": "${token}", "slot": "0x0", "amount": 7 },
        "cells": [
          { "markdown": ["# Balances", "*/ of \`$\{alice}\`"] },
          { "name": "chain", "method": "eth_chainId" },
          { "name": "head", "method": "eth_blockNumber" },
          { "name": "gas", "method": "eth_gasPrice", "params": [] },
          { "name": "balance", "method": "eth_getBalance", "params": ["{{alice}}", "pending"] },
          { "name": "nonce", "method": "eth_getTransactionCount", "params": ["${alice}", "0x1"] },
          { "name": "code", "method": "eth_getCode", "params": ["{{token}}", "latest"] },
          { "name": "slot zero", "method": "eth_getStorageAt", "params": ["{{token}}", "{{slot}}", "latest"] },
          { "name": "block", "method": "eth_getBlockByNumber", "params": ["{{number.result}}", false] },
          { "name": "number", "method": "eth_blockNumber" },
          { "name": "first", "method": "eth_getBlockByNumber", "params": ["0x1", true] },
          { "name": "tx", "method": "eth_getTransactionByHash", "params": ["${hash}"] },
          { "name": "receipt", "method": "eth_getTransactionReceipt", "params": ["${hash}"] },
          { "name": "supply", "method": "eth_call", "params": [{ "to": "{{token}}", "data": { "function": "totalSupply() returns (uint256)" } }, "latest"] },
          { "name": "held", "method": "eth_call", "params": [{ "to": "{{token}}", "data": { "function": "balanceOf(address) returns (uint256)", "args": ["{{alice}}"] } }, "pending"] },
          { "name": "raw", "method": "eth_call", "params": [{ "to": "${token}", "data": "0x18160ddd" }, "latest"] },
          { "name": "estimate", "method": "eth_estimateGas", "params": [${call}] },
          { "name": "logs", "method": "eth_getLogs", "params": [{ "address": "{{token}}", "fromBlock": "earliest", "toBlock": "latest" }] },
          { "name": "events", "method": "eth_getLogs", "params": [{ "address": "{{token}}", "fromBlock": "earliest", "toBlock": "latest", "event": "event Transfer(address indexed from, address indexed to, uint256 value)" }] },
          { "name": "fees", "method": "eth_feeHistory", "params": ["0x2", "latest", [50]] },
          { "name": "version", "method": "web3_clientVersion" },
          { "name": "simulated", "method": "eth_simulateV1", "params": [{ "blockStateCalls": [{ "calls": [${call}] }] }, "latest"] },
          { "name": "overridden", "method": "eth_simulateV1", "params": [{ "blockStateCalls": [{ "blockOverrides": { "gasLimit": "0x1c9c380" }, "calls": [${call}] }] }, "latest"] },
          { "name": "receipts", "method": "eth_getBlockReceipts", "params": ["0x1"] },
          { "name": "both", "batch": [{ "name": "a", "method": "eth_chainId" }, { "name": "b", "method": "eth_getBalance", "params": ["{{alice}}", "latest"] }] },
          { "name": "later", "method": "eth_getBalance", "params": ["{{alice}}", "{{b2.result}}"] },
          { "name": "pair", "batch": [{ "name": "b2", "method": "eth_blockNumber" }] },
          { "name": "class", "method": "eth_getBlockByNumber", "params": ["{{block.result.number}}", false] }
        ]
      }`;
      const { text: code, notes } = await exported(text, "viem");
      assert.deepEqual(notes, [], code);
      const found = await loaded("all", code);
      const ask = (method: string, ...params: readonly unknown[]): Promise<unknown> => chain.rpc(method, params);
      const asBig = async (answer: Promise<unknown>): Promise<bigint> => BigInt(String(await answer));
      const all = { address: token, fromBlock: "earliest", toBlock: "latest" };
      const supply = { to: token, data: "0x18160ddd" };
      const held = { to: token, data: `0x70a08231${alice.slice(2).padStart(64, "0")}` };
      for (const [name, expected] of Object.entries({
        head: await ask("eth_blockNumber"),
        gas: await ask("eth_gasPrice"),
        balance: await asBig(ask("eth_getBalance", alice, "pending")),
        nonce: Number(await ask("eth_getTransactionCount", alice, "0x1")),
        code: await ask("eth_getCode", token, "latest"),
        slot_zero: await ask("eth_getStorageAt", token, "0x0", "latest"),
        block: await ask("eth_getBlockByNumber", found.number, false),
        class2: found.block,
        supply: await asBig(ask("eth_call", supply, "latest")),
        held: await asBig(ask("eth_call", held, "pending")),
        estimate: await asBig(ask("eth_estimateGas", { from: alice, ...supply })),
        events: await ask("eth_getLogs", { ...all, topics: [transferTopic] }),
        fees: await ask("eth_feeHistory", "0x2", "latest", [50]),
        version: await ask("web3_clientVersion"),
        both: [await ask("eth_chainId"), await asBig(ask("eth_getBalance", alice, "latest"))],
        later: await ask("eth_getBalance", alice, "latest"),
      }))
        assert.deepEqual(found[name], expected, name);
      assert.equal(Number(found.chain), chain.chainId);
      assert.equal((found.tx as { hash: string }).hash, hash);
      assert.equal((found.first as { transactions: { hash: string }[] }).transactions[0]?.hash, hash);
      assert.equal((found.receipt as { transactionHash: string }).transactionHash, hash);
      const supplied = await ask("eth_call", supply, "latest");
      assert.equal((found.raw as { data: string }).data, supplied);
      const logs = (await ask("eth_getLogs", all)) as { transactionHash: string }[];
      assert.ok(logs.length > 0);
      assert.deepEqual(pluck(found.logs as typeof logs, "transactionHash"), pluck(logs, "transactionHash"));
      const [simulated] = found.simulated as { calls: { status: string; data: string }[] }[];
      assert.deepEqual([simulated?.calls[0]?.status, simulated?.calls[0]?.data], ["success", supplied]);
      const [overridden] = found.overridden as { calls: { returnData: string }[] }[];
      assert.equal(overridden?.calls[0]?.returnData, supplied);
      const [mined] = found.receipts as { transactionHash: string; gasUsed: bigint }[];
      assert.deepEqual([mined?.transactionHash, typeof mined?.gasUsed], [hash, "bigint"]);
    });

    for (const [request, call = ""] of rows`
      eth_getBalance ["${alice}", "pending"]
        getBalance({ address: "${alice}", blockTag: "pending" })
      eth_getTransactionCount ["${alice}", "0x10"]
        getTransactionCount({ address: "${alice}", blockNumber: 16n })
      eth_getCode ["${alice}"]
        getCode({ address: "${alice}" })
      eth_getStorageAt ["${alice}", "0x0", "safe"]
        getStorageAt({ address: "${alice}", slot: "0x0", blockTag: "safe" })
      eth_getBlockReceipts ["latest"]
        getBlockReceipts({ blockTag: "latest" })
      eth_call [{ "to": "${alice}", "data": { "function": "f(uint8[],bool) returns (bool)", "args": [[1, 2], true] } }, "latest"]
        readContract({ address: "${alice}", abi: parseAbi(["function f(uint8[], bool) view returns (bool)"]), functionName: "f", args: [[1, 2], true], blockTag: "latest" })
      eth_call [{ "to": "${alice}", "data": { "function": "f((uint8,bool)) returns (bool)", "args": [[1, true]] } }]
        call({ to: "${alice}", data: "0x69a406dd${"0".repeat(63)}1${"0".repeat(63)}1" })
      eth_estimateGas [{ "from": "${alice}", "to": "${alice}", "value": "0x1" }]
        estimateGas({ account: "${alice}", to: "${alice}", value: 1n })
      eth_simulateV1 [{ "blockStateCalls": [{ "calls": [{ "to": "${alice}" }] }], "validation": true }, "pending"]
        simulateBlocks({ blocks: [{ calls: [{ to: "${alice}" }] }], validation: true, blockTag: "pending" })
      eth_getLogs [{ "address": "${alice}", "fromBlock": "0x1" }]
        getLogs({ address: "${alice}", fromBlock: 1n })
      eth_getLogs [{ "topics": [null] }]
        request<Wire>({ method: "eth_getLogs", params: [{ topics: [null] }] })
      eth_call [{ "to": "${alice}" }, "latest", {}]
        request<Wire>({ method: "eth_call", params: [{ to: "${alice}" }, "latest", {}] })
      eth_gasPrice []
        request<Wire>({ method: "eth_gasPrice", params: [] })
    `)
      it(`writes ${call.slice(0, 60)}`, async () => {
        const [, method = "", params = ""] = /^(\w+) (.*)$/.exec(request ?? "") ?? [];
        const cell = { name: "a", method, params: JSON.parse(params) };
        const { text } = await exported(notebook({ endpoint: "http://127.0.0.1:1" }, cell), "viem");
        assert.equal(/^export const a = await client\.(.*);$/m.exec(text)?.[1], call);
      });

    it("continues after failures that `expect` names, and stops if one does not happen", async () => {
      const written = readFileSync(join(root, "examples/quickstart.rpc.json"), "utf8");
      const { text: code } = await exported(
        written.replace('"endpoint": "local"', `"endpoint": "${chain.url}"`),
        "viem",
      );
      const quickstart = await loaded("quickstart", code);
      assert.match(String(quickstart.tooMuch), /revert/i);
      assert.equal(typeof quickstart.balance, "bigint");
      const fine = { name: "fine", method: "eth_chainId", expect: { "error.code": 3 } };
      const { text: stops } = await exported(notebook({ endpoint: chain.url }, fine), "viem");
      await assert.rejects(loaded("stops", stops), /The request was expected to fail\./);
    });

    it("reads keys from the environment, and shows no address that has one", async () => {
      const text = notebook(
        { endpoint: "https://mainnet.example.com/v2/abcdEFGH12345678ijklmn90" },
        { name: "a", method: "eth_getBalance", params: ["{{$env.WHO}}", "latest"] },
        { name: "b", method: "eth_getBalance", params: ["{{$secret.WHO}}", "latest"] },
      );
      const { text: code, notes } = await exported(text, "viem");
      assert.deepEqual(notes, []);
      assert.equal(
        code,
        `import { createPublicClient, http } from "viem";

declare const process: { readonly env: Readonly<Record<string, string | undefined>> };
/** What a request takes and gives where viem has no types for it. */
type Wire = { Parameters: unknown; ReturnType: any };
const WHO = process.env.WHO ?? "";
const WHO2 = process.env.WHO ?? "";
const client = createPublicClient({ transport: http(process.env.RPC_URL) });

export const a = await client.request<Wire>({ method: "eth_getBalance", params: [WHO, "latest"] });

export const b = await client.request<Wire>({ method: "eth_getBalance", params: [WHO2, "latest"] });
`,
      );
      const before = { ...process.env };
      Object.assign(process.env, { RPC_URL: chain.url, WHO: alice });
      try {
        const found = await loaded("keys", code);
        const balance = await chain.rpc("eth_getBalance", [alice, "latest"]);
        assert.deepEqual([found.a, found.b], [balance, balance]);
      } finally {
        process.env = before;
      }
    });

    it("writes what is sent where a value is made of a variable, or says that only a run can", async () => {
      const slot = { slot: 9, key: "{{alice}}" };
      const text = notebook(
        { endpoint: "http://127.0.0.1:1", variables: { alice, much: "1.5 ether", long: 0 } },
        { name: "a", method: "eth_getStorageAt", params: ["{{alice}}", slot, "latest"] },
        { name: "b", method: "eth_call", params: [{ to: alice }, "latest", { "{{alice}}": { balance: "{{much}}" } }] },
        { name: "c", method: "x_y", params: ["{{long}}"] },
        { name: "d", method: "eth_getStorageAt", params: [alice, { ...slot, key: "{{c.result}}" }, "latest"] },
      ).replace('"long":0', '"long":12345678901234567890123');
      const hash = keccak256(`0x${alice.slice(2).padStart(64, "0").toLowerCase()}${"9".padStart(64, "0")}`);
      for (const to of ["viem", "curl", "cast"] as const) {
        const { text: made, notes } = await exported(text, to);
        assert.ok(made.includes(hash) && made.includes("0x14d1120d7b160000"), made);
        assert.match(made, to === "viem" ? /"12345678901234567890123"/ : /12345678901234567890123/);
        assert.deepEqual(notes, [{ index: 3, what: "It is encoded with a value that only a run has." }]);
      }
    });
    it("includes the cells that a cell refers to, and says what viem does not have", async () => {
      const text = notebook(
        { endpoint: "http://127.0.0.1:1" },
        { name: "head", method: "eth_blockNumber" },
        { name: "other", method: "eth_chainId" },
        { name: "logs", method: "eth_getLogs", params: [{ fromBlock: "{{head.result}}" }] },
        { name: "to", method: "eth_getBalance", params: ["{{logs.decoded[0].args.to}}", "latest"] },
        { name: "x", method: "eth_getCode", params: ["{{y.result}}"] },
        { name: "y", method: "eth_getCode", params: ["{{x.result}}"] },
        { name: "past", method: "eth_getBlockByNumber", params: ["latest - 2", false] },
        { name: "then", method: "eth_getBalance", params: [alice, "{{past.result.number}}"] },
        { name: "after", method: "eth_getBalance", params: ["{{x.result}}", "{{then.result}}"] },
        { name: "heads", method: "eth_subscribe", params: ["newHeads"] },
      );
      const one = await exported(text, "viem", 2);
      assert.match(one.text, /const head = await[\s\S]*fromBlock: head \}/);
      assert.doesNotMatch(one.text, /other/);
      const { notes, text: all } = await exported(text, "viem");
      assert.deepEqual(notes, [
        { index: 4, what: "The cell refers to itself, directly or through other cells." },
        { index: 5, what: "The cell refers to itself, directly or through other cells." },
        { index: 3, what: "It uses `logs.decoded` of another cell, which viem does not have in this form." },
        { index: 6, what: "It counts from the block number of latest, which only a run asks for." },
        { index: 7, what: "It uses `past`, which could not be written." },
        { index: 8, what: "It uses `x`, which could not be written." },
        { index: 9, what: "A subscription needs a WebSocket, and the exported text uses HTTP." },
      ]);
      assert.match(all, /^\/\/ to\n\/\/ It uses/m);
      await loaded("uses", all.replaceAll("await client", "() => client"));
    });

    it("keeps text of a notebook inside strings and comments", async () => {
      const nasty = '`$\u007bprocess.exit(1)}`\u2028"; process.exit(2) //\u202e';
      const text = notebook(
        { endpoint: "http://127.0.0.1:1", variables: { [nasty]: nasty, v: nasty } },
        { markdown: `*/ \n process.exit(3)\u2028process.exit(4)` },
        { name: nasty, method: nasty, params: [nasty, { [nasty]: "{{v}}", ["__proto__"]: "a{{v}}b`$\u007b1}" }] },
      );
      const { text: code } = await exported(text, "viem");
      await loaded("nasty", code.replaceAll("await client", "() => client"));
    });

    it("type-checks in strict mode", () => {
      writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["*.ts"] }));
      const tsc = join(root, "node_modules/typescript/lib/tsc.js");
      const { status, stdout } = spawnSync(process.execPath, [tsc, "-p", folder], { encoding: "utf8" });
      assert.deepEqual([status, readdirSync(folder).length], [0, 7], stdout);
    }).timeout(60_000);
  });

  for (const to of ["curl", "cast", "viem"] as const)
    it(`to ${to} shows no path of an address, which may be a key`, async () => {
      const { text } = await exported(
        notebook({ endpoint: "http://127.0.0.1:1/rpc;x" }, { method: "eth_chainId" }),
        to,
      );
      assert.match(text, /RPC_URL/);
      assert.doesNotMatch(text, /127|rpc;x|hidden/);
    });

  for (const shell of ["powershell", "cmd"] as const)
    it(`for ${shell} gives programs what they answer`, async () => {
      const text = notebook(
        { endpoint: chain.url },
        { method: "eth_getBalance", params: [alice, "latest"] },
        { method: "eth_getBalance", params: [alice, { blockNumber: "0x1" }] },
        { method: "eth_feeHistory", params: ["0x1", "latest", []] },
      );
      const wanted = [
        await chain.rpc("eth_getBalance", [alice, "latest"]),
        await chain.rpc("eth_getBalance", [alice, { blockNumber: "0x1" }]),
        await chain.rpc("eth_feeHistory", ["0x1", "latest", []]),
      ];
      for (const to of ["curl", "cast"] as const) {
        const { text: script, notes } = await exported(text, to, undefined, shell);
        assert.deepEqual(notes, []);
        const calls = shell === "cmd" ? runCmd(script, {}, true) : runPowerShell(script, {}, "5.1");
        const answers: unknown[] = [];
        for (const { args, stdin } of calls) {
          const { out, err } = await answered(to === "curl" ? "curl" : castBinary(), args, stdin);
          assert.equal(err, "");
          answers.push(
            to === "curl" ? JSON.parse(out).result : /^\d+\s*$/.test(out) ? toHex(BigInt(out.trim())) : JSON.parse(out),
          );
        }
        assert.deepEqual(answers, wanted);
      }
    });

  for (const url of ["http://h/$(exit 3)", "http://h/its;exit 4&x=`exit 5`|y>z", "http://[::1]:8545/a b"])
    it(`gives an address such as ${url} to the shell as one word`, async () => {
      const cell = readCell(`{ "method": "eth_chainId" }`);
      const context = { scope: scopeOf(cell, {}), endpointOf: () => ({ url, headers: ["X-It"] }) };
      const words = async (form: "curl" | "cast"): Promise<readonly string[]> => {
        const { text } = exportCells([cell], { to: form }, context);
        const printing = `${form}() { printf '%s\\0' "$@"; }\n${text}`;
        return (await shell(printing, { X_IT: "$(exit 6)" })).split("\0").slice(0, -1);
      };
      assert.deepEqual((await words("curl")).slice(0, 6), [
        "-gsS",
        url,
        "-H",
        "Content-Type: application/json",
        "-H",
        "X-It: $(exit 6)",
      ]);
      assert.deepEqual(await words("cast"), ["chain-id", "--rpc-url", url, "--rpc-headers", "X-It: $(exit 6)"]);
      const module = exportCells([cell], { to: "viem" }, context).text;
      assert.ok(module.includes(`http(${JSON.stringify(url)}, {`), module);
    });

  describe("to curl", () => {
    it("runs, and prints the responses to the requests", async () => {
      assert.equal(spawnSync("curl", ["--version"]).status, 0, "curl must be there");
      const text = notebook(
        { endpoint: chain.url, variables: { alice } },
        { markdown: "It's `here`\n$(exit 1)" },
        { name: "it's", method: "eth_getBalance", params: ["{{alice}}", "latest"] },
        { jsonrpc: "2.0", id: "x'y", method: "web3_clientVersion", params: [] },
        { batch: [{ method: "eth_chainId" }, { method: "eth_blockNumber" }] },
        { method: "eth_getBalance", params: ["{{$env.WHO}}", "{{$secret.WHERE}}"] },
      );
      const { text: script, notes } = await exported(text, "curl");
      assert.deepEqual(notes, []);
      const out = await shell(script, { WHO: alice, WHERE: "latest" });
      const answers = out
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as { id: unknown; result: unknown });
      const balance = await chain.rpc("eth_getBalance", [alice, "latest"]);
      assert.equal(answers[0]?.result, balance);
      assert.equal(answers[1]?.id, "x'y");
      assert.deepEqual(
        (answers[2] as unknown as { result: string }[]).map(({ result }) => result),
        [await chain.rpc("eth_chainId"), await chain.rpc("eth_blockNumber")],
      );
      assert.equal(answers[3]?.result, balance);
    });

    it("reads a key from the environment", async () => {
      const text = notebook(
        { endpoint: "https://mainnet.example.com/v2/abcdEFGH12345678ijklmn90" },
        { method: "eth_chainId" },
      );
      const { text: script } = await exported(text, "curl");
      assert.equal(
        script,
        `curl -gsS "$RPC_URL" \\\n  -H 'Content-Type: application/json' \\\n  --data '{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}'\n`,
      );
      assert.match(await shell(script, { RPC_URL: chain.url }), /"result":"0x/);
    });

    it("says which result it needs first", async () => {
      const text = notebook(
        {},
        { name: "head", method: "eth_blockNumber" },
        { method: "eth_getBalance", params: [alice, "{{head.result}}"] },
      );
      const { text: script } = await exported(text, "curl", 1);
      assert.match(script, /^# 'Set head_result to \{\{head\.result\}\} first\.'\n/);
      const asked = await ended(script, { RPC_URL: chain.url });
      assert.notEqual(asked.status, 0);
      assert.match(asked.err, /head_result/);
      assert.match(await shell(script, { RPC_URL: chain.url, head_result: "0x1" }), /"result":"0x/);
    });

    it("writes what is assumed, and says if only a run can find it", async () => {
      const labels = { [alice]: "alice", "0x5FbDB2315678afecb367f032d93F642f64180aa3": "DUSD" };
      const simulation = { method: "eth_simulateV1", params: [{ blockStateCalls: [{ calls: [] }] }, "latest"] };
      const known = { ...simulation, assume: { balance: { alice: "1 ether" }, time: "2040-01-01" } };
      const { text } = await exported(notebook({ endpoint: "local", labels }, known), "curl");
      assert.match(text, /"balance":"0xde0b6b3a7640000"/);
      assert.match(text, /"time":"0x83aa7e80"/);
      const open = { ...simulation, assume: { token: { DUSD: { alice: "1" } } } };
      const { notes } = await exported(notebook({ endpoint: "local", labels }, open), "curl");
      assert.deepEqual(pluck(notes, "what"), ["It assumes something for which a run asks the chain."]);
    });

    it("leaves out requests that cannot be sent, and says why", async () => {
      const { text, notes } = await exported(
        `{ "cells": [{ "method": "eth_getBalance", "params": ["{{nobody}}"] }, { "method": 1 }] }`,
        "curl",
      );
      assert.deepEqual(notes, [
        { index: 0, what: "{{nobody}} has no value here." },
        { index: 1, what: "The request has no method." },
      ]);
      assert.equal(await shell(text), "");
    });
  });

  describe("to cast", () => {
    for (const [method, params, command] of [
      ["eth_chainId", [], "cast chain-id"],
      ["eth_getBalance", [alice, "pending"], `cast balance ${alice} --block pending`],
      ["eth_getTransactionCount", [alice, "0x10"], `cast nonce ${alice} --block 16`],
      ["eth_getStorageAt", [alice, "0x0", "latest"], `cast storage ${alice} 0x0 --block latest`],
      ["eth_call", [{ to: alice, data: "0x18160ddd" }, "latest"], `cast call ${alice} 0x18160ddd --block latest`],
      [
        "eth_call",
        [{ to: alice, data: "0x", gas: "0x1" }],
        `cast rpc eth_call '{"to":"${alice}","data":"0x","gas":"0x1"}'`,
      ],
      [
        "debug_traceTransaction",
        ["0x12", { tracer: "it's" }],
        `cast rpc debug_traceTransaction --raw '["0x12",{"tracer":"it\\u0027s"}]'`,
      ],
      ["a", ["12", "true", "", 3, null, "plain"], `cast rpc a '"12"' '"true"' '""' 3 null plain`],
      ["b", { by: "name" }, `cast rpc b --raw '{"by":"name"}'`],
    ] as const) {
      it(`writes ${command}`, async () => {
        const text = notebook({ endpoint: "http://127.0.0.1:8545" }, { method, params });
        assert.equal((await exported(text, "cast")).text, `${command} --rpc-url http://127.0.0.1:8545/\n`);
      });
    }

    const url = "http://127.0.0.1:8545/";
    for (const [method, params, words] of [
      ["x; echo $(id) #", ["'\n`id`"], ["rpc", "x; echo $(id) #", "--raw", `["\\u0027\\n\`id\`"]`, "--rpc-url", url]],
      ["--help", ["a"], ["rpc", "--rpc-url", url, "--", "--help", "a"]],
      ["a", [-5, "--rpc-url=x"], ["rpc", "--rpc-url", url, "--", "a", "-5", "--rpc-url=x"]],
      ["eth_getBalance", [alice, "--help"], ["rpc", "--rpc-url", url, "--", "eth_getBalance", alice, "--help"]],
      ["-a", ["\u001b[31m\u202e"], ["rpc", "--raw", "--rpc-url", url, "--", "-a", `["\\u001b[31m\\u202e"]`]],
    ] as const) {
      it(`gives \`cast\` the method ${method} and ${JSON.stringify(params)} as words, and nothing to the shell`, async () => {
        const { text } = await exported(notebook({ endpoint: url }, { method, params }), "cast");
        assert.deepEqual((await shell(`cast() { printf '%s\\0' "$@"; }\n${text}`)).split("\0").slice(0, -1), words);
        const { cells }: { cells: { method: string; params: unknown }[] } = JSON.parse(importText(text).notebook);
        assert.deepEqual(
          cells.map((cell) => [cell.method, cell.params]),
          [[method, params]],
        );
      });
    }

    it("writes no control characters", async () => {
      const mark = "\u001b[2J\u202e\u009b";
      const text = notebook({}, { markdown: mark }, { name: mark, method: mark, params: [mark] });
      for (const to of ["cast", "curl", "viem"] as const)
        assert.doesNotMatch((await exported(text, to)).text, /[\u001b\u202e\u009b]/, to);
    });
  });
});
