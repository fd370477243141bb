import {
  type Abi,
  type Address,
  encodeAbiParameters,
  encodeDeployData,
  encodeFunctionData,
  type Hex,
  parseSignature,
  toHex,
} from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { accounts } from "../../devchain/accounts.ts";
import paymentToken from "../../devchain/artifacts/PaymentToken.json" with { type: "json" };
import permitToken from "../../devchain/artifacts/PermitToken.json" with { type: "json" };
import smartWallet from "../../devchain/artifacts/SmartWallet.json" with { type: "json" };
import walletFactory from "../../devchain/artifacts/WalletFactory.json" with { type: "json" };
import type { Devchain } from "../../devchain/devchain.ts";

export type Person = keyof typeof accounts;

export const authorization = [
  { name: "from", type: "address" },
  { name: "to", type: "address" },
  { name: "value", type: "uint256" },
  { name: "validAfter", type: "uint256" },
  { name: "validBefore", type: "uint256" },
  { name: "nonce", type: "bytes32" },
] as const;

const types = {
  TransferWithAuthorization: authorization,
  ReceiveWithAuthorization: authorization,
  CancelAuthorization: [
    { name: "authorizer", type: "address" },
    { name: "nonce", type: "bytes32" },
  ],
  Permit: [
    { name: "owner", type: "address" },
    { name: "spender", type: "address" },
    { name: "value", type: "uint256" },
    { name: "nonce", type: "uint256" },
    { name: "deadline", type: "uint256" },
  ],
  DaiPermit: [
    { name: "holder", type: "address" },
    { name: "spender", type: "address" },
    { name: "nonce", type: "uint256" },
    { name: "expiry", type: "uint256" },
    { name: "allowed", type: "bool" },
  ],
};

export interface Domain {
  readonly name?: string;
  readonly version?: string;
  readonly chainId?: number;
  readonly verifyingContract?: Address;
}

type Kind = keyof typeof types;
type Message = Readonly<Record<string, unknown>>;

/** Signs typed data as a wallet does. */
export function sign(who: Person, domain: Domain, kind: Kind, message: Message): Promise<Hex> {
  const primaryType = kind === "DaiPermit" ? "Permit" : kind;
  return privateKeyToAccount(accounts[who].privateKey).signTypedData({
    domain,
    types: { [primaryType]: types[kind] },
    primaryType,
    message,
  });
}

/** The values of an authorization that is fine. */
export interface Authorization {
  readonly from: Address;
  readonly to: Address;
  readonly value: bigint;
  readonly validAfter: bigint;
  readonly validBefore: bigint;
  readonly nonce: Hex;
}

let nonces = 0;

/** A nonce that was not used before. */
export function freshNonce(): Hex {
  return toHex(0x9000n + BigInt(++nonces), { size: 32 });
}

/** `v`, `r` and `s` of a signature, as a cell writes them. */
export function parts(signature: Hex): readonly [v: number, r: Hex, s: Hex] {
  const { r, s, yParity } = parseSignature(signature);
  return [27 + yParity, r, s];
}

/** The order of the curve: a high `s` is this minus the low one. */
const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

/** The other signature of the same message. */
export function malleated(signature: Hex): readonly [v: number, r: Hex, s: Hex] {
  const [v, r, s] = parts(signature);
  return [v === 27 ? 28 : 27, r, toHex(order - BigInt(s), { size: 32 })];
}

/** The form of 64 bytes (EIP-2098). */
export function compact(signature: Hex): Hex {
  const [v, r, s] = parts(signature);
  return `${r}${toHex(BigInt(s) | (v === 28 ? 1n << 255n : 0n), { size: 32 }).slice(2)}`;
}

/** The call with which a factory deploys the wallet of an account. */
export function deployment(owner: Address): Hex {
  return encodeFunctionData({ abi: walletFactory.abi as Abi, functionName: "deploy", args: [owner] });
}

/** Wraps a signature for a wallet that is not deployed yet (ERC-6492). */
export function wrapped(factory: Address, data: Hex, signature: Hex): Hex {
  const bytes = encodeAbiParameters(
    [{ type: "address" }, { type: "bytes" }, { type: "bytes" }],
    [factory, data, signature],
  );
  return `${bytes}${"6492".repeat(16)}`;
}

const artifacts = { paymentToken, permitToken, smartWallet, walletFactory };

/** Contracts that are paid by signature, on a devchain. */
export class PaymentChain {
  readonly chain: Devchain;
  constructor(chain: Devchain) {
    this.chain = chain;
  }

  async deploy(name: keyof typeof artifacts, args: readonly unknown[] = []): Promise<Address> {
    const { abi, bytecode } = artifacts[name];
    const data = encodeDeployData({ abi: abi as Abi, bytecode: bytecode as Hex, args }); // the compiler's own output
    const hash = await this.send({ data });
    const receipt = Object(await this.chain.rpc("eth_getTransactionReceipt", [hash]));
    return receipt.contractAddress;
  }
  async call(name: keyof typeof artifacts, to: Address, functionName: string, args: readonly unknown[]): Promise<Hex> {
    return this.send({ to, data: encodeFunctionData({ abi: artifacts[name].abi as Abi, functionName, args }) });
  }
  /** Returns the address that a function returns. */
  async read(
    name: keyof typeof artifacts,
    to: Address,
    functionName: string,
    args: readonly unknown[],
  ): Promise<Address> {
    const data = encodeFunctionData({ abi: artifacts[name].abi as Abi, functionName, args });
    return `0x${String(await this.chain.rpc("eth_call", [{ to, data }, "latest"])).slice(-40)}`;
  }
  async send(transaction: { readonly from?: Address; readonly to?: Address; readonly data: Hex }): Promise<Hex> {
    const sent = { from: accounts.heidi.address, gas: "0x4c4b40", ...transaction };
    const hash = String(await this.chain.rpc("eth_sendTransaction", [sent])) as Hex; // anvil's answer
    await this.chain.seal();
    return hash;
  }
  /** Lets an account run a contract's code (EIP-7702). */
  async delegate(who: Person, to: Address): Promise<void> {
    const { privateKey, address } = accounts[who];
    const account = privateKeyToAccount(privateKey);
    const nonce = Number(await this.chain.rpc("eth_getTransactionCount", [address, "latest"]));
    const { chainId } = this.chain;
    const signed = await account.signAuthorization({ address: to, chainId, nonce });
    const grace = privateKeyToAccount(accounts.grace.privateKey);
    const raw = await grace.signTransaction({
      type: "eip7702",
      chainId,
      nonce: Number(await this.chain.rpc("eth_getTransactionCount", [grace.address, "pending"])),
      to: grace.address,
      gas: 200_000n,
      maxFeePerGas: 10_000_000_000n,
      maxPriorityFeePerGas: 1n,
      authorizationList: [signed],
    });
    await this.chain.rpc("eth_sendRawTransaction", [raw]);
    await this.chain.seal();
  }
}
