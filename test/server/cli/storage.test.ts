import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Anvil, ask, startAnvil } from "../../../devchain/anvil.ts";
import { runCommand } from "../../support/commandInProcess.ts";
import { compileSolidity, deploy } from "../../support/solidity.ts";
import { temporaryFolder } from "../../support/temporaryFolder.ts";

const example = readFileSync(new URL("../../suites/storageExample.sol", import.meta.url), "utf8");
const ledger = `
contract Ledger {
  mapping(address => uint256) balances;
  mapping(uint256 => address) payers;
  event Paid(address indexed who, uint256 id);
  constructor() {
    address who = 0x90F79bf6EB2c4f870365E785982E1f101E93b906;
    balances[who] = 500;
    payers[7] = who;
    emit Paid(who, 7);
  }
}`;
const alice = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";

describe("storage by name on the command line", function () {
  this.timeout(300_000);
  let anvil: Anvil;
  const folder = temporaryFolder();
  let address: string;
  let url: string;

  const write = (path: string, value: unknown): void => {
    mkdirSync(join(folder, path, ".."), { recursive: true });
    writeFileSync(join(folder, path), JSON.stringify(value));
  };

  before(async () => {
    anvil = await startAnvil({ genesisTime: 1_750_000_000 });
    url = `http://${anvil.host}`;
    const { Vault = assert.fail() } = compileSolidity(example);
    address = await deploy(anvil, Vault);
    write("out/Test.sol/Vault.json", {
      abi: Vault.abi,
      storageLayout: Vault.storageLayout,
      transientStorageLayout: Vault.transientStorageLayout,
      bytecode: Vault.evm.bytecode,
    });
    write("out/Test.sol/Bare.json", { abi: [], bytecode: { object: "0x6080604052" } });
    const variables = { bob: "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC" };
    const place = (contract: string, variable: string) => ({
      method: "eth_getStorageAt",
      params: [address, { contract, variable }, "latest"],
    });
    write("vault.rpc.json", {
      labels: { [alice]: "alice", [address]: "vault" },
      variables,
      cells: [
        { name: "since", ...place("Vault", "balances[alice].since"), expect: { decoded: "1700000000" } },
        place("Vault", "allowances[{{bob}}][alice]"),
        place("Vault", "allowances[alice][bob]"),
        place("Vault", "long"),
        { method: "eth_getStorageAt", params: [address, "0x1", "latest"] },
        place("Vualt", "owner"),
        place("Bare", "owner"),
        place("Vault", "balances[carol].since"),
        place("Vault", "orders.length"),
        place("Vault", "orders[1]"),
      ],
    });
  });
  after(() => anvil.kill());

  const shown = (...args: readonly string[]) => runCommand(args, folder);

  it("shows the value that a request names, and its neighbours in the word", async () => {
    const { out } = await shown("run", "vault.rpc.json", "--endpoint", url, "--cell", "since");
    assert.match(out, /since: eth_getStorageAt: 1,700,000,000, as expected\n/);
    assert.match(out, /balances\[alice\]\.since {2}1,700,000,000 \(uint64; bytes 16 to 23; 1700000000\)/);
    assert.match(
      out,
      /In the same slot\n {2}balances\[alice\]\.amount {2}1,000 .*\n {2}balances\[alice\]\.frozen {2}true/,
    );
    assert.match(out, /slot keccak256\(alice \. 6\)/);
  });

  it("names what is in a slot that is written as it is, and says what it does not know", async () => {
    const { out, code } = await shown("run", "vault.rpc.json", "--endpoint", url);
    assert.equal(code, 1);
    assert.match(out, /cell 3: eth_getStorageAt: 77\n/);
    assert.match(out, /cell 4: eth_getStorageAt: 70 bytes\n/);
    assert.match(
      out,
      /cell 5: .*owner alice \(0x70997970C51812dc3A010C7d01b50e0d17dc79C8\) · paused true · small −7\n/,
    );
    assert.match(out, /Read with the storage layout of Vault, which is the label of the address/);
    assert.match(out, /no contract `Vualt` has a storage layout: a similar name is `Vault`/);
    assert.match(
      out,
      /no storage layout of `Bare` was found: set `extra_output = \["storageLayout"\]` in foundry\.toml/,
    );
    assert.match(out, /`variable`: `carol` is not an address, a label or a variable\.\n {2}→ Correct the value\./);
    assert.match(out, /cell 9: eth_getStorageAt: 4\n {2}orders\.length {2}4 \(uint256\)\n/);
    assert.match(
      out,
      /cell 10: [^\n]*orders\[1\]\.id 2\n[\s\S]*Not in this slot: items, note\. Name a member to read it/,
    );
  });

  it("reads the project's contracts to check and to assume variables", async () => {
    const data = { function: "paused() returns (bool)", args: [] };
    const request = { method: "eth_call", params: [{ to: address, data }, "latest"] };
    write("assume.rpc.json", {
      labels: { [address]: "Vault" },
      cells: [{ ...request, assume: { storage: { Vault: { paused: false } } } }],
    });
    const checked = await shown("check", "assume.rpc.json");
    assert.equal(checked.out, "1 notebook: no problems\n");
    const { out } = await shown("run", "assume.rpc.json", "--endpoint", url);
    assert.match(out, /paused of Vault is false/);
  });

  it("lists the variables of a contract", async () => {
    const { out, code } = await shown("storage", "vault.rpc.json", "Vault", "vault", "--endpoint", url);
    assert.equal(code, 0);
    assert.match(out, /storage of Vault: \d+ values\n/);
    for (const row of [
      /\n {2}owner +alice +address +1\n/,
      /\n {2}paused +true +bool +1, byte 20\n/,
      /\n {2}long +"(?:0123456789){7}" +string +3\n/,
      /\n {2}balances\[alice\]\.amount +1,000 +uint128 /,
      /\n {2}allowances\[alice\]\[bob\] +77 +uint256 /,
      /\n {2}orders\[1\]\.note +"order 1" +string /,
      /\n {2}jagged\[1\]\[2\] +−3 +int64 +0x\w+…, byte 16\n/,
    ])
      assert.match(out, row);
    assert.match(out, /In transient storage, so not read: locked\./);
  });

  it("lists what differs between two blocks first", async () => {
    const slot = `0x${"10".padStart(64, "0")}`; // grid[1][2]
    await ask(anvil, "evm_mine");
    await ask(anvil, "anvil_setStorageAt", [address, slot, `0x${"07".padStart(64, "0")}`]);
    await ask(anvil, "evm_mine");
    const { out } = await shown("storage", "Vault", address, "--endpoint", url, "--block", "1", "--compare", "latest");
    assert.match(out, /storage of Vault: 2 of \d+ values differ\n {2}Differences\n/);
    assert.match(
      out,
      /Differences\n {2}variable .*\n {2}grid\[1\]\[2\]\.x +2 +7 +uint8 +16\n {2}grid\[1\]\[2\]\.y +512 +0 +uint16 /,
    );
    const { out: json } = await shown("storage", "Vault", address, "--endpoint", url, "--json");
    const parsed = JSON.parse(json) as {
      readonly variables: readonly { readonly path: string; readonly values: unknown[] }[];
    };
    assert.deepEqual(parsed.variables.find(({ path }) => path === "grid[1][2].x")?.values, ["7"]);
  });

  it("finds keys of mappings in the logs of the contract", async () => {
    const { Ledger = assert.fail() } = compileSolidity(ledger);
    write("out/Test.sol/Ledger.json", { abi: Ledger.abi, storageLayout: Ledger.storageLayout });
    const at = await deploy(anvil, Ledger);
    const { out } = await shown("storage", "Ledger", at, "--endpoint", url);
    const carol = "0x90F79bf6EB2c4f870365E785982E1f101E93b906";
    for (const row of [
      `balances[${carol}]  500 `,
      `payers[7]  ${carol} `,
      "Keys of mappings are also from the logs of the last ",
    ])
      assert.ok(out.replaceAll(/ {2,}/g, "  ").includes(row), `${row} in ${out}`);
  });

  it("says what is missing", async () => {
    const none = await shown("storage", "Bare", address, "--endpoint", url);
    assert.match(none.out, /^✗ storage: not read\n {2}No storage layout of `Bare` was found: .*\n$/);
    const before = await shown("storage", "Vault", address, "--endpoint", url, "--block", "0");
    assert.match(before.out, /There is no contract at 0x\w+ in block 0/);
    const late = await shown("storage", "Vault", address, "--endpoint", url, "--block", "999999");
    assert.match(late.out, / · block 999999 · /);
    assert.equal(before.code, 1);
    const created = await shown("storage", "Vault", address, "--endpoint", url, "--block", "0", "--compare", "latest");
    assert.match(created.out, /There is no contract at 0x\w+ in block 0\.\n/);
    assert.doesNotMatch(created.out, /All values/, "all differ");
    assert.equal(created.code, 0);
    const wrong = await shown("storage", "Vault", "nobody", "--endpoint", url);
    assert.match(wrong.out, /`nobody` is not an address, a label or a variable/);
    const usage = await shown("storage", "Vault");
    assert.equal(usage.code, 2);
  });
});
