import assert from "node:assert/strict";
import type { Devchain } from "../../devchain/devchain.ts";
import { type CompiledSolidity, compileSolidity } from "./solidity.ts";

const source = `
contract Vault {
  uint256 public floor;
  event Floored(address indexed who, uint256 level);
  error TooLow(uint256 level);
  function lift(uint256 level) external returns (uint256) {
    if (level == 0) revert TooLow(level);
    floor = level;
    emit Floored(msg.sender, level);
    return level;
  }
}
contract Forwarder {
  constructor(address implementation) {
    assembly { sstore(0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc, implementation) }
  }
  function admin() external view returns (address) { return address(this); }
  fallback() external payable {
    assembly {
      let to := sload(0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc)
      calldatacopy(0, 0, calldatasize())
      let ok := delegatecall(gas(), to, 0, calldatasize(), 0, 0)
      returndatacopy(0, 0, returndatasize())
      if iszero(ok) { revert(0, returndatasize()) }
      return(0, returndatasize())
    }
  }
}`;

let compiled: { readonly vault: CompiledSolidity; readonly forwarder: CompiledSolidity } | undefined;

/** A contract with an error and an event, and a proxy. */
export function vaultContracts() {
  if (compiled) return compiled;
  const { Vault = assert.fail(), Forwarder = assert.fail() } = compileSolidity(source);
  compiled = { vault: Vault, forwarder: Forwarder };
  return compiled;
}

/** Creates a vault and a proxy of it. */
export async function createVault(chain: Devchain): Promise<{ readonly vault: string; readonly forwarder: string }> {
  const { vault, forwarder } = vaultContracts();
  const at = await create(chain, vault);
  return { vault: at, forwarder: await create(chain, forwarder, at.slice(2).padStart(64, "0")) };
}

export async function create(chain: Devchain, { evm }: Pick<CompiledSolidity, "evm">, args = ""): Promise<string> {
  const [from] = (await chain.rpc("eth_accounts")) as readonly string[];
  const data = `0x${evm.bytecode.object}${args}`;
  const hash = await chain.rpc("eth_sendTransaction", [{ from, data, gas: "0x400000" }]);
  await chain.seal();
  const receipt = (await chain.rpc("eth_getTransactionReceipt", [hash])) as { readonly contractAddress: string };
  return receipt.contractAddress;
}
