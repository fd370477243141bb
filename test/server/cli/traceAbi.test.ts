import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Abi, encodeFunctionData } from "viem";
import { type Anvil, ask, startAnvil } from "../../../devchain/anvil.ts";
import { runCommand } from "../../support/commandInProcess.ts";
import { type CompiledSolidity, compileSolidity, deploy } from "../../support/solidity.ts";
import { temporaryFolder } from "../../support/temporaryFolder.ts";

const source = `
library Interest {
  struct Data { uint256 at; uint256 rate; }
  error TooFast(uint256 rate);
  function accrue(Data storage self, uint256 rate) external {
    if (rate > 9) revert TooFast(rate);
    self.rate = rate;
  }
}
contract Loan {
  uint256 total;
  Interest.Data data;
  function set(uint256 rate) external { Interest.accrue(data, rate); }
}
interface Other { function absent(uint256 a) external; }
contract Caller {
  function ask(address loan, uint256 a) external { Other(loan).absent(a); }
}
contract Open {
  function known() external {}
  fallback() external { revert(); }
}`;

describe("rpc-notebook trace HASH with a project beside it", function () {
  this.timeout(300_000);
  let anvil: Anvil;
  const folder = temporaryFolder();
  const elsewhere = temporaryFolder();
  const project = join(folder, "project");
  const hashes: Record<string, string> = {};
  before(async () => {
    anvil = await startAnvil({ genesisTime: 1_750_000_000 });
    const {
      Interest = assert.fail(),
      Loan = assert.fail(),
      Caller = assert.fail(),
      Open = assert.fail(),
    } = compileSolidity(source);
    const interest = await deploy(anvil, Interest);
    const linked = { object: Loan.evm.bytecode.object.replace(/__\$[0-9a-f]{34}\$__/g, interest.slice(2)) };
    const loan = await deploy(anvil, { ...Loan, evm: { ...Loan.evm, bytecode: linked } });
    const caller = await deploy(anvil, Caller);
    const open = await deploy(anvil, Open);
    mkdirSync(project);
    writeFileSync(join(project, "foundry.toml"), "");
    for (const [name, { abi, storageLayout, evm }] of Object.entries({ Interest, Loan, Caller, Open })) {
      const path = join(project, `out/Test.sol/${name}.json`);
      mkdirSync(join(project, "out/Test.sol"), { recursive: true });
      const { bytecode, deployedBytecode, methodIdentifiers } = evm;
      writeFileSync(path, JSON.stringify({ abi, storageLayout, bytecode, deployedBytecode, methodIdentifiers }));
    }
    const [from = ""] = await ask<readonly string[]>(anvil, "eth_accounts");
    const send = (to: string, data: string) =>
      ask<string>(anvil, "eth_sendTransaction", [{ from, to, gas: "0x30d40", data }]);
    const encoded = ({ abi }: CompiledSolidity, functionName: string, args: readonly unknown[]) =>
      encodeFunctionData({ abi: abi as unknown as Abi, functionName, args }); // the compiler writes it
    hashes.accrued = await send(loan, encoded(Loan, "set", [5n]));
    hashes.tooFast = await send(loan, encoded(Loan, "set", [50n]));
    hashes.absent = await send(caller, encoded(Caller, "ask", [loan, 5n]));
    hashes.open = await send(open, "0x12345678");
    await ask(anvil, "evm_mine");
    const chain = { url: `http://${anvil.host}`, refuses: ["debug_traceCall", "debug_traceTransaction"] };
    for (const one of [project, elsewhere]) writeFileSync(join(one, "rpc-endpoints.json"), JSON.stringify({ chain }));
  });
  after(() => anvil?.kill());
  const trace = (hash: string | undefined, cwd: string, ...more: readonly string[]) =>
    runCommand(["trace", hash ?? "", "-e", "chain", ...more], cwd);

  it("takes --abi for contracts that no project around it has; for cells, the notebook says it", async () => {
    const artifact = join(project, "out/Test.sol/Loan.json");
    const plain = await trace(hashes.accrued, elsewhere);
    assert.doesNotMatch(plain.out, /set\(/);
    const { out, code, err } = await trace(hashes.accrued, elsewhere, "--abi", artifact);
    assert.equal(code, 0, err);
    assert.match(out, /set\(rate: 5\)/);
    const error = await trace(hashes.tooFast, elsewhere, "--abi", "error TooFast(uint256 rate)");
    assert.match(error.out, /TooFast\(rate: 50\)/);
    const cell = await trace("a.rpc.json", elsewhere, "--abi", artifact);
    assert.deepEqual([cell.code, /--abi needs the hash/.test(cell.err)], [2, true]);
  });

  it("names functions of libraries that take references to storage", async () => {
    const { out } = await trace(hashes.accrued, project);
    assert.match(out, /accrue\(slot 1, 5\)/);
    const failed = await trace(hashes.tooFast, project);
    assert.match(failed.out, /accrue\(slot 1, 50\) reverted here/);
  });

  it("says that a contract has no such function, if it has no fallback either", async () => {
    const { out } = await trace(hashes.absent, project);
    assert.match(out, /no function of Loan has the selector 0x[0-9a-f]{8}, and it has no fallback/);
    const open = await trace(hashes.open, project);
    assert.match(open.out, /no reason given/);
    assert.doesNotMatch(open.out, /has the selector/);
  });
});
