import assert from "node:assert/strict";
import type { Devchain } from "../../devchain/devchain.ts";
import { type CompiledSolidity, compileSolidity } from "./solidity.ts";
import { create } from "./vault.ts";

const source = `
contract Vault {
  mapping(address => uint256) public balanceOf;
  event Transfer(address indexed from, address indexed to, uint256 value);
  function liftOff(uint256 level, address who) external { balanceOf[who] = level; }
  function transfer(address to, uint256 value) external returns (bool) {
    balanceOf[to] += value;
    emit Transfer(msg.sender, to, value);
    return true;
  }
}
contract Diamond {
  address immutable a;
  address immutable b;
  constructor(address x, address y) { a = x; b = y; }
  fallback() external payable {
    if (msg.sig == 0x52ef6b2c) {
      address[] memory all = new address[](2);
      (all[0], all[1]) = (a, b);
      bytes memory found = abi.encode(all);
      assembly { return(add(found, 32), mload(found)) }
    }
    (bool ok, bytes memory out) = a.delegatecall(msg.data);
    require(ok);
    assembly { return(add(out, 32), mload(out)) }
  }
}
contract Second { function sweep(bytes calldata a) external pure returns (uint256) { return a.length; } }
contract Safe {
  address singleton;
  constructor(address to) { singleton = to; }
  fallback() external payable {
    assembly {
      let to := sload(0)
      if eq(calldataload(0), 0xa619486e00000000000000000000000000000000000000000000000000000000) {
        mstore(0, to)
        return(0, 0x20)
      }
      calldatacopy(0, 0, calldatasize())
      let ok := delegatecall(gas(), to, 0, calldatasize(), 0, 0)
      returndatacopy(0, 0, returndatasize())
      if iszero(ok) { revert(0, returndatasize()) }
      return(0, returndatasize())
    }
  }
}
contract SafeCode {
  address singleton;
  string public constant VERSION = "1.4.1";
  function getThreshold() external pure returns (uint256) { return 1; }
  function getOwners() external view returns (address[] memory all) {
    all = new address[](2);
    (all[0], all[1]) = (address(this), msg.sender == address(0) ? address(1) : msg.sender);
  }
}`;

let compiled: Readonly<Record<string, CompiledSolidity>> | undefined;

/** A contract, and contracts that pass calls on to it: a diamond and a Safe. */
export function passingContracts(): Readonly<Record<string, CompiledSolidity>> {
  compiled ??= compileSolidity(source);
  return compiled;
}

/** Addresses in lower case. */
export type PassingContracts = Awaited<ReturnType<typeof createPassing>>;

/** Creates the contracts, a minimal proxy, and a contract whose code is not in use. */
export async function createPassing(chain: Devchain) {
  const word = (address: string): string => address.slice(2).padStart(64, "0");
  const named = async (name: string, args = ""): Promise<string> =>
    (await create(chain, passingContracts()[name] ?? assert.fail(name), args)).toLowerCase();
  const raw = async (object: string): Promise<string> =>
    (await create(chain, { evm: { bytecode: { object } } })).toLowerCase();
  const vault = await named("Vault");
  const second = await named("Second");
  const singleton = await named("SafeCode");
  const minimal = `363d3d373d3d3d363d73${vault.slice(2)}5af43d82803e903d91602b57fd5bf3`;
  return {
    ...{ vault, second, singleton },
    diamond: await named("Diamond", word(vault) + word(second)),
    safe: await named("Safe", word(singleton)),
    minimal: await raw(`3d602d80600a3d3981f3${minimal}`),
    odd: await raw("60038060093d393df3fe0102"),
  };
}
