import { type Abi, type Address, encodeDeployData, encodeFunctionData, getContractAddress, type Hex } from "viem";
import { accounts } from "./accounts.ts";
import collectible from "./artifacts/Collectible.json" with { type: "json" };
import multicall from "./artifacts/Multicall.json" with { type: "json" };
import payments from "./artifacts/Payments.json" with { type: "json" };
import relay from "./artifacts/Relay.json" with { type: "json" };
import reverter from "./artifacts/Reverter.json" with { type: "json" };
import token from "./artifacts/Token.json" with { type: "json" };
import upgradeableProxy from "./artifacts/UpgradeableProxy.json" with { type: "json" };

export interface Contract {
  readonly address: Address;
  readonly abi: Abi;
}

/** A transaction as `eth_sendTransaction` takes it. */
export interface Transaction {
  readonly from: Address;
  readonly to?: Address;
  readonly data?: Hex;
  readonly value?: Hex;
}

interface Artifact {
  readonly abi: readonly unknown[];
  readonly bytecode: string;
}

/** An address follows from deployer and nonce alone; the order here keeps the addresses stable. */
const order = ["token", "collectible", "payments", "reverter", "proxiedToken", "multicall", "relay"] as const;
export type ContractName = (typeof order)[number];

const artifacts: Readonly<Record<ContractName, Artifact>> = {
  token,
  collectible,
  payments,
  reverter,
  proxiedToken: upgradeableProxy,
  multicall,
  relay,
};

/** By name. `proxiedToken` is a proxy (EIP-1967) in front of `token`'s code, with a supply of its own. */
export const contracts = Object.fromEntries(
  order.map((name, nonce) => [
    name,
    {
      address: getContractAddress({ from: accounts.deployer.address, nonce: BigInt(nonce) }),
      abi: (name === "proxiedToken" ? token : artifacts[name]).abi as Abi, // the JSON's strings are wider than Abi's
    },
  ]),
) as Readonly<Record<ContractName, Contract>>; // fromEntries forgets the keys

/** Units of six decimals. */
export const supply = 1_000_000_000_000n;

/** The transactions to send, in this order, from an account that has sent nothing before. */
export function deployments(): readonly Transaction[] {
  return order.map((name) => ({ from: accounts.deployer.address, data: creationCode(name) }));
}

/** Encodes a call of one of the contracts. */
export function call(from: Address, name: ContractName, functionName: string, args: readonly unknown[]): Transaction {
  const { address, abi } = contracts[name];
  return { from, to: address, data: encodeFunctionData({ abi, functionName, args }) };
}

function creationCode(name: ContractName): Hex {
  const { abi, bytecode } = artifacts[name];
  const args = name === "proxiedToken" ? [contracts.token.address, initialization] : [];
  return encodeDeployData({ abi: abi as Abi, bytecode: bytecode as Hex, args }); // both are the compiler's own output
}

const initialization = encodeFunctionData({
  abi: contracts.token.abi,
  functionName: "initialize",
  args: [accounts.deployer.address, supply],
});
