import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { encodeAbiParameters, encodeFunctionData, parseAbi, parseAbiParameters } from "viem";
import { RpcNotebookError } from "../../../server/src/base/error.ts";
import type { CommandLineHost } from "../../../server/src/cli/commandLineHost.ts";
import { decode, filesOf } from "../../../server/src/cli/decode.ts";
import { readArguments } from "../../../server/src/cli/main.ts";
import { plain, type Terminal } from "../../../server/src/cli/terminal.ts";
import { cliHost } from "../../../server/src/node/cliHost.ts";
import { rows } from "../../support/rows.ts";
import { temporaryFolder } from "../../support/temporaryFolder.ts";

const alice = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const bob = "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC";
const word = (value: string): string => value.replace(/^0x/, "").toLowerCase().padStart(64, "0");
const transfer = `0xa9059cbb${word(alice)}${word("0x5")}`;
const multicall = encodeFunctionData({
  abi: parseAbi(["function aggregate3((address target, bool allowFailure, bytes callData)[] calls)"]),
  args: [
    [
      { target: bob, allowFailure: true, callData: transfer as `0x${string}` },
      { target: bob, allowFailure: true, callData: "0x12345678" },
    ],
  ],
});

const log = {
  address: bob,
  topics: ["0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef", `0x${word(alice)}`, `0x${word(bob)}`],
  data: `0x${word("0x5")}`,
};
const removed = { ...log, blockHash: `0x${word("0x3")}`, blockTimestamp: "0x66a0b6c4", removed: true };

interface Said {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs the command in this process, as a shell does in its own. */
async function type(args: readonly string[], input?: string): Promise<Said> {
  const [out, err]: [string[], string[]] = [[], []];
  const terminal: Terminal = {
    width: undefined,
    paint: plain,
    print: (text) => out.push(text),
    complain: (what, todo = "") => err.push(what, todo),
    note: (text) => err.push(text),
    progress: () => {},
    clear: () => {},
    drained: async () => {},
  };
  const run = async (): Promise<number> => {
    const command = readArguments(["decode", ...args]);
    assert.ok(command.name === "decode");
    const host = await cliHost({ ...command, files: filesOf(command) }, terminal);
    return decode(command, host, { terminal, input: async () => input } as CommandLineHost); // no more of it is used
  };
  const code = await run().catch((error: unknown) => {
    assert.ok(error instanceof RpcNotebookError);
    terminal.complain(error.message, error.hint);
    return 2;
  });
  return { code, out: out.join("\n"), err: err.join("\n") };
}

const reverted = `0x08c379a0${encodeAbiParameters(parseAbiParameters("string"), ["too small"]).slice(2)}`;
const inCapitals = transfer
  .slice(2)
  .toUpperCase()
  .replace(/(.{64})/g, "$1\n");
const error = { code: 3, message: "execution reverted", data: `0x4e487b71${word("0x12")}` };

/** What is decoded, the arguments, and lines of the output, without the spaces before them. */
const decoded: readonly (readonly [what: string, args: readonly string[], ...lines: readonly string[]])[] = [
  ["capitals, broken over lines, without 0x", [inCapitals], "Call data"],
  ["code", ["0x608060405234801561001057600080fd5b50"], "Code that creates a contract", "code  18 bytes"],
  ["text of a revert", ["0x77726f6e672d63616c6c6461746173697a65"], "Revert data", "reason  wrong-calldatasize"],
  ...rows`
    call data|${transfer}
      Call data
      function transfer(address,uint256) from ERC-20, guessed by its selector
      to     address  ${alice}
      value  uint256  5
    every function that a selector may be|0x095ea7b3${word(alice)}${word("0x5")}
      Call data, which 2 declarations fit
      function approve(address,uint256) from ERC-20, guessed by its selector
      spender  address  ${alice}
      function approve(address,uint256) from ERC-721, guessed by its selector
      tokenId   uint256  5
    one declaration with all of its sources|0x70a08231${word(alice)}
      function balanceOf(address) from ERC-20, ERC-721, guessed by its selector
    calls inside of calls|${multicall}
      function aggregate3((address,bool,bytes)[]) from Multicall3, guessed by its selector
      calls  (address,bool,bytes)[]  [(target: ${bob}, allowFailure: true, callData: 0xa9059cbb
      [0].callData  to ${bob}
      function transfer(address,uint256) from ERC-20, guessed by its selector
      to     address  ${alice}
    a signature of --abi, before known ones|${transfer}|--abi|function transfer(address payee, uint256 wad)
      function transfer(address,uint256) from --abi
      payee  address  ${alice}
    a revert with its reason|${reverted}
      Revert data
      reason  too small
      error Error(string) from Solidity
      message  string  "too small"
    a panic in words|0x4e487b71${word("0x11")}
      reason  panic 0x11: an arithmetic operation overflowed or underflowed
    an error of a standard|0xe450d38c${word(alice)}${word("0x5")}${word("0x6")}
      reason  ERC20InsufficientBalance(sender: ${alice.toLowerCase()}, balance: 5, needed: 6)
    what a function returned|0x${word("0x5")}|--function|balanceOf(address) returns (uint256 left)
      Returned data
      function balanceOf(address) from --function
      left  uint256  5
    what a function returned without a name|0x${word("0x5")}|--function|totalSupply() returns (uint256)
      value 1  uint256  5
    call data of the function that is named|${transfer}|--function|transfer(address,uint256) returns (bool)
      function transfer(address,uint256) from --function
    a selector|0xa9059cbb
      Selector
      function transfer(address,uint256) from ERC-20, guessed by its selector
      to     address
    a call object, by the contract that it calls|${JSON.stringify({ to: bob, data: transfer })}
      Call data
    the error of an answer|${JSON.stringify({ id: 1, error })}
      reason  panic 0x12: a division or modulo by zero
  `.map(([first = "", ...lines]) => {
    const [what = "", ...args] = first.split("|");
    return [what, args, ...lines] as const;
  }),
];

const thisFile = fileURLToPath(import.meta.url);

const wrong: readonly (readonly [args: readonly string[], what: RegExp, input?: string])[] = [
  [[], /^Nothing to decode\.\nWrite it after `decode`/],
  [[""], /^Nothing to decode\./],
  [["-"], /^Nothing to decode\./, " \n"],
  [["hello"], /^The input is neither hex nor JSON\.\nExpected bytes/],
  [[thisFile], /^\S+ is a file\. `decode` reads content, not names of files\.\nPipe it in: rpc-notebook decode < \S+$/],
  [["{}"], /^The JSON contains nothing to decode\./],
  [["0x123"], /^The input has an odd number of hex digits\./],
  [["0x12", "0x34"], /^`decode` takes one value at a time\./],
  [["--data", "0x12"], /^--data is the data of a log, and needs --topics\./],
  [["--topics", "0x12"], /^A topic has 32 bytes, and 0x12 has 1\./],
  [["0x12", "--abi", "nofile.json"], /nofile\.json`?: there is no such file/],
  [["0x12", "--abi", "transfer(addres)"], /^--abi transfer\(addres\) is not a declaration or a file\./],
  [["0x12", "--function", "nobodyKnowsThis"], /^Unknown function `nobodyKnowsThis`\.\nWrite its declaration/],
  [[`0x${word("0x5")}`, "--function", "a(address)"], /^`a\(address\)` does not declare what it returns\./],
  [[`0x${"ab".repeat(32)}`, "-e", "local"], /^`decode` takes no --endpoint\./],
  [["0x12", "--report", "json"], /^`decode` takes no --report\./],
];

const unknown: readonly (readonly [args: readonly string[], out: RegExp, err: RegExp])[] = [
  [[`0x12345678${word(alice)}`], /word 0 {4}0x7099/, /^Unknown selector\.\nAdd the declaration/],
  [["0x12345678"], /^Selector$/, /^Unknown selector\./],
  [
    [`0x${"ab".repeat(32)}`],
    /word 0/,
    /^No known event has this topic 0\.\nFor a transaction hash: rpc-notebook explain HASH/,
  ],
  [[`0x${word("0x10")}`], /word 0 {2}16/, /^Nothing identifies these bytes\.\nFor return data, name the function/],
  [["--topics", `0x${"ab".repeat(32)}`], /^Log$/, /^No known event has this topic 0 and this number of topics\./],
  [[`${transfer}00`], /does not fit exactly: 1 byte more/, /^$/],
];

describe("rpc-notebook decode", () => {
  const here = process.cwd();
  const folder = temporaryFolder();
  before(() => {
    process.chdir(folder);
  });
  after(() => {
    process.chdir(here);
  });

  for (const [what, args, ...lines] of decoded) {
    it(`decodes ${what}`, async () => {
      const { code, out, err } = await type(args);
      const found = out.split("\n").map((line) => line.trimStart());
      for (const line of lines)
        assert.ok(
          found.some((one) => one.startsWith(line)),
          `${line}\n---\n${out}`,
        );
      assert.deepEqual([code, err], [0, ""]);
    });
  }

  it("shows calls inside of calls as a tree", async () => {
    const { out } = await type([multicall]);
    assert.match(
      out,
      /^Call data\n {2}function aggregate3.*\n {4}calls .*\n {6}\[0\]\.callData .*\n {8}function transfer/,
    );
  });

  it("reads standard input", async () => {
    assert.equal((await type([], `${transfer}\n`)).out, (await type([transfer])).out);
    assert.match((await type(["-"], JSON.stringify({ result: transfer }))).out, /^Call data\n/);
  });

  for (const [args, what, input] of wrong) {
    it(`reports a mistake: ${args.join(" ").slice(0, 60)}`, async () => {
      const { code, out, err } = await type(args, input);
      assert.match(err, what);
      assert.deepEqual([code, out], [2, ""]);
    });
  }

  for (const [args, shown, complaint] of unknown) {
    it(`shows unknown data: ${args.join(" ").slice(0, 60)}`, async () => {
      const { code, out, err } = await type(args);
      assert.match(out, shown);
      assert.match(err, complaint);
      assert.equal(code, 1);
    });
  }

  it("finds contracts in the files of --abi and in the project", async () => {
    const code = `0x6001${"5b".repeat(30)}00`;
    const abi = [
      { type: "constructor", inputs: [{ name: "owner", type: "address" }] },
      { type: "function", name: "seal", inputs: [{ name: "box", type: "uint256" }], outputs: [] },
      { type: "error", name: "Sealed", inputs: [{ name: "box", type: "uint256" }] },
    ];
    mkdirSync(join(folder, "out/Box.sol"), { recursive: true });
    mkdirSync(join(folder, "elsewhere"));
    const artifact = JSON.stringify({ abi, bytecode: { object: code } });
    writeFileSync(join(folder, "elsewhere/Box.json"), artifact);
    const [seal, sealed] = ["seal", "Sealed"].map((name) =>
      encodeFunctionData({ abi: parseAbi([`function ${name}(uint256 box)`]), args: [7n] }),
    );
    const shows = async (source: string, ...args: readonly string[]): Promise<void> => {
      const call = await type([seal ?? "", ...args]);
      assert.equal(call.out, `Call data\n  function seal(uint256) from ${source}\n    box  uint256  7`);
      assert.match((await type([sealed ?? "", ...args])).out, /^Revert data\n {2}reason {2}Sealed\(box: 7\)\n/);
      const created = await type([`${code}${word(alice)}`, ...args]);
      assert.match(created.out, new RegExp(`\\n {2}new Box from ${source}\\n {4}owner {2}address {2}${alice}$`));
      assert.equal(created.code, 0);
    };
    assert.equal((await type([seal ?? ""])).code, 1);
    await shows("elsewhere/Box.json", "--abi", "elsewhere/Box.json");
    writeFileSync(join(folder, "out/Box.sol/Box.json"), artifact);
    await shows("out/Box.sol/Box.json");
  });

  it("prints everything as JSON, hostile values too", async () => {
    const { candidates, ...rest } = JSON.parse((await type([multicall, "--json"])).out);
    const [{ inner, args }] = candidates;
    const [first] = inner;
    assert.deepEqual([rest.kind, rest.known, candidates[0].guess], ["call", true, true]);
    assert.deepEqual([first.path, first.to, first.decoded.args[1].value], [[0, 0, "callData"], bob.toLowerCase(), "5"]);
    assert.deepEqual([inner.length, args[0].value[1].callData], [2, "0x12345678"], "what is unknown is there as well");
    const evil = encodeAbiParameters(parseAbiParameters("string"), ["\u202egnp\u001b[2J\n"]);
    const { out } = await type([`0x08c379a0${evil.slice(2)}`]);
    assert.doesNotMatch(out, /[\u202e\u001b]/);
    assert.equal(out.split("\n").length, 4);
  });

  it("shows that a log was removed or is pre-confirmed, and the time of its block", async () => {
    const { code, out } = await type([], JSON.stringify(removed));
    assert.equal(code, 0);
    assert.match(out, /^Log\n {2}removed +by a reorganization\n {2}time +2024-07-24 08:09:40 UTC\n/);
    const { out: json } = await type(["--json"], JSON.stringify(removed));
    assert.equal(JSON.parse(json).facts.removed, "by a reorganization");
    const early = JSON.stringify({ ...removed, removed: false, blockHash: `0x${word("0x0")}` });
    assert.match((await type([], early)).out, /state +pre-confirmed\n/);
    assert.doesNotMatch((await type([], JSON.stringify({ ...removed, removed: false }))).out, /removed|pre-confirmed/);
    const unknown = await type([], JSON.stringify({ ...removed, topics: [`0x${"ab".repeat(32)}`] }));
    assert.match(unknown.out, /removed +by a reorganization/);
  });
  it("reads logs and receipts as JSON", async () => {
    for (const json of [log, { result: [log] }, { jsonrpc: "2.0", id: 1, result: { status: "0x1", logs: [log] } }]) {
      const { code, out } = await type([JSON.stringify(json)]);
      assert.match(out, /Transfer/);
      assert.match(out, /\b5\b/);
      assert.equal(code, 0);
    }
    const { out } = await type([JSON.stringify([log, log]), "--json"]);
    assert.deepEqual(
      JSON.parse(out).decoded.map(({ name }: { readonly name: string }) => name),
      ["Transfer", "Transfer"],
    );
  });

  it("reads lists of receipts, simulated blocks and whole blocks", async () => {
    const logs = [log];
    const shapes = [
      ["receipts", [{ status: "0x1", logs }], "0.logs.0.name", "Transfer"],
      ["simulation", [{ number: "0x1", calls: [{ status: "0x1", logs }] }], "0.calls.0.logs.0.name", "Transfer"],
      [
        "block",
        { number: "0x1", transactions: [{ to: bob, input: transfer }] },
        "transactions.0.input.name",
        "transfer",
      ],
    ] as const;
    for (const [kind, result, path, name] of shapes) {
      const { out, code } = await type([JSON.stringify({ id: 1, result }), "--json"]);
      const found = JSON.parse(out);
      assert.deepEqual([found.kind, code], [kind, 0]);
      assert.equal(
        path.split(".").reduce((here, step) => here[step], found.decoded),
        name,
      );
      assert.match((await type([JSON.stringify(result)])).out, new RegExp(name));
    }
  });
});
