import assert from "node:assert/strict";
import { type Address, encodeFunctionData, type Hex, parseAbi } from "viem";
import { accounts } from "../../devchain/accounts.ts";
import type { Devchain } from "../../devchain/devchain.ts";
import type { CellResult } from "../../server/src/run/result/cellResult.ts";
import { person, type RunSettings, runText } from "./host.ts";
import { type Authorization, type Domain, freshNonce, PaymentChain, type Person, parts, sign } from "./payments.ts";

const { alice, bob, dave, frank } = accounts;
export const forever = 4_000_000_000n;
const declared = "address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce";
const abi = parseAbi([
  `function transferWithAuthorization(${declared}, uint8 v, bytes32 r, bytes32 s)`,
  `function receiveWithAuthorization(${declared}, uint8 v, bytes32 r, bytes32 s)`,
  `function cancelAuthorization(address authorizer, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)`,
  "function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)",
]);
const signatures = {
  transfer: `transferWithAuthorization(${declared}, uint8 v, bytes32 r, bytes32 s)`,
  transferBytes: `transferWithAuthorization(${declared}, bytes signature)`,
  receive: `receiveWithAuthorization(${declared}, uint8 v, bytes32 r, bytes32 s)`,
  receiveBytes: `receiveWithAuthorization(${declared}, bytes signature)`,
  cancel: "cancelAuthorization(address authorizer, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)",
  cancelBytes: "cancelAuthorization(address authorizer, bytes32 nonce, bytes signature)",
  permit: "permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)",
  permitBytes: "permit(address owner, address spender, uint256 value, uint256 deadline, bytes signature)",
  dai: "permit(address holder, address spender, uint256 nonce, uint256 expiry, bool allowed, uint8 v, bytes32 r, bytes32 s)",
} as const;

export let chain: Devchain;
export let payments: PaymentChain;
export let usdc: Address;
export let other: Address;
export let pausedToken: Address;
let permits: Address;
export let wallet: Address;
export let factory: Address;
/** A wallet of frank's that the factory has not deployed yet. */
export let undeployed: Address;
export let now: bigint;
export let cancelled: Hex;
/** The arguments of a payment that was made. */
export let usedBefore: readonly unknown[];

export const domain = (): Domain => ({
  name: "USD Coin",
  version: "2",
  chainId: chain.chainId,
  verifyingContract: usdc,
});
const permitDomain = (): Domain => ({
  name: "Permit Coin",
  version: "3",
  chainId: chain.chainId,
  verifyingContract: permits,
});
export const fine = (more: Partial<Authorization> = {}): Authorization => ({
  from: alice.address,
  to: bob.address,
  value: 2_500_000n,
  validAfter: 0n,
  validBefore: forever,
  nonce: freshNonce(),
  ...more,
});
export const values = ({ from, to, value, validAfter, validBefore, nonce }: Authorization): readonly unknown[] => [
  from,
  to,
  value,
  validAfter,
  validBefore,
  nonce,
];

export interface Call {
  readonly from?: Address;
  readonly to: Address;
  readonly data: { readonly function: string; readonly args: readonly unknown[] } | Hex;
}

export function cellOf(kind: keyof typeof signatures, args: readonly unknown[], more: Partial<Call> = {}): Call {
  return { from: dave.address, to: usdc, data: { function: signatures[kind], args }, ...more };
}

interface Signed {
  readonly who?: Person;
  readonly over?: Domain;
  readonly message?: Partial<Authorization>;
  readonly type?: "TransferWithAuthorization" | "ReceiveWithAuthorization";
}

/** A transfer whose signature is for what `signed` says, and else for the values of the call. */
export async function transfer(
  given: Partial<Authorization> = {},
  signed: Signed = {},
  more: Partial<Call> = {},
): Promise<Call> {
  const { who = "alice", over = {}, message = {}, type = "TransferWithAuthorization" } = signed;
  const all = fine(given);
  const signature = await sign(who, { ...domain(), ...over }, type, { ...all, ...message });
  return cellOf("transfer", [...values(all), ...parts(signature)], more);
}
/** The same with the signature changed afterwards. */
export async function tampered(change: (signature: Hex) => readonly unknown[]): Promise<Call> {
  const all = fine();
  const signature = await sign("alice", domain(), "TransferWithAuthorization", { ...all });
  return cellOf("transfer", [...values(all), ...change(signature)]);
}
export async function asBytes(
  given: Partial<Authorization>,
  change: (signature: Hex) => Hex,
  who: Person = "alice",
  over: Domain = {},
): Promise<Call> {
  const all = fine(given);
  const signature = await sign(who, { ...domain(), ...over }, "TransferWithAuthorization", { ...all });
  return cellOf("transferBytes", [...values(all), change(signature)]);
}
export async function receive(caller: Address | undefined): Promise<Call> {
  const all = fine();
  const signature = await sign("alice", domain(), "ReceiveWithAuthorization", { ...all });
  const { from: _from, ...cell } = cellOf("receive", [...values(all), ...parts(signature)]);
  return { ...cell, ...(caller && { from: caller }) };
}
interface Permit {
  readonly nonce?: bigint;
  readonly deadline?: bigint;
  readonly over?: Domain;
  readonly value?: bigint;
  readonly signedValue?: bigint;
  readonly spender?: Address;
  readonly who?: Person;
}
export async function permit({
  nonce = 0n,
  deadline = forever,
  over = {},
  value = 5n,
  who = "alice",
  ...more
}: Permit = {}): Promise<Call> {
  const { signedValue = value, spender = bob.address } = more;
  const message = { owner: alice.address, spender, value: signedValue, nonce, deadline };
  const signature = await sign(who, { ...domain(), ...over }, "Permit", message);
  return cellOf("permit", [alice.address, bob.address, value, deadline, ...parts(signature)]);
}
export async function ozPermit(nonce: bigint, deadline: bigint, over: Domain = {}): Promise<Call> {
  const message = { owner: alice.address, spender: bob.address, value: 5n, nonce, deadline };
  const signature = await sign("alice", { ...permitDomain(), ...over }, "Permit", message);
  return cellOf("permit", [alice.address, bob.address, 5n, deadline, ...parts(signature)], { to: permits });
}
export async function dai(nonce: bigint, expiry: bigint, over: Domain = {}, allowed = true): Promise<Call> {
  const message = { holder: alice.address, spender: bob.address, nonce, expiry, allowed };
  const signature = await sign("alice", { ...permitDomain(), ...over }, "DaiPermit", message);
  return cellOf("dai", [alice.address, bob.address, nonce, expiry, true, ...parts(signature)], { to: permits });
}
export async function cancel(nonce: Hex, over: Domain = {}): Promise<Call> {
  const signature = await sign("alice", { ...domain(), ...over }, "CancelAuthorization", {
    authorizer: alice.address,
    nonce,
  });
  return cellOf("cancel", [alice.address, nonce, ...parts(signature)]);
}

/** Deploys tokens that are paid by signature, and all that the calls of this file need. */
export async function startPayments(on: Devchain): Promise<void> {
  chain = on;
  payments = new PaymentChain(chain);
  usdc = await payments.deploy("paymentToken", ["USD Coin", "USDC", "2"]);
  other = await payments.deploy("paymentToken", ["Other Coin", "OTH", "1"]);
  pausedToken = await payments.deploy("paymentToken", ["USD Coin", "USDC", "2"]);
  permits = await payments.deploy("permitToken");
  wallet = await payments.deploy("smartWallet", [frank.address]);
  factory = await payments.deploy("walletFactory");
  undeployed = await payments.read("walletFactory", factory, "addressOf", [frank.address]);
  await payments.call("paymentToken", usdc, "mint", [alice.address, 20_000_000n]);
  await payments.call("paymentToken", usdc, "blacklist", [frank.address, true]);
  await payments.call("paymentToken", pausedToken, "pause", [true]);
  await payments.delegate("erin", wallet);
  const spent = fine({ value: 10_000_000n });
  const signature = await sign("alice", domain(), "TransferWithAuthorization", { ...spent });
  usedBefore = [...values(spent), ...parts(signature)];
  await payments.send({ to: usdc, data: encoded("transfer", usedBefore) });
  cancelled = freshNonce();
  await payments.send({ to: usdc, data: encoded("cancel", Object((await cancel(cancelled)).data).args) });
  const first = await ozPermit(0n, forever);
  await payments.send({ to: permits, data: encoded("permit", Object(first.data).args) });
  now = BigInt(Object(await chain.rpc("eth_getBlockByNumber", ["latest", false])).timestamp);
}
export function encoded(kind: "transfer" | "cancel" | "permit", args: readonly unknown[]): Hex {
  const names = { transfer: "transferWithAuthorization", cancel: "cancelAuthorization", permit: "permit" } as const;
  return encodeFunctionData({ abi, functionName: names[kind], args: args as never }); // the cells' own arguments
}

export const json = (value: unknown): string =>
  JSON.stringify(value, (_, one) => (typeof one === "bigint" ? String(one) : one));

export interface Explained {
  readonly function: string;
  readonly causes: readonly {
    readonly code: string;
    readonly what: string;
    readonly todo: string;
    readonly field: string;
  }[];
}

/** Runs one cell with names for accounts and contracts. */
export async function runCell(
  cell: object,
  { endpoint = chain.url, host = {} }: RunSettings = {},
): Promise<CellResult> {
  const labels = {
    ...Object.fromEntries(Object.entries(accounts).map(([name, { address }]) => [address, name])),
    [usdc]: "usdc",
    [other]: "other",
    [wallet]: "wallet",
    [factory]: "factory",
  };
  const { cells } = await runText(json({ labels, cells: [cell] }), {
    endpoint,
    host: { consent: person({ allowHost: async () => true }), ...host },
  });
  const [result] = cells;
  assert.ok(result);
  return result;
}

export function explainedIn(cell: CellResult): readonly Explained[] {
  const [answer] = cell.answers();
  return Object(answer).payments ?? []; // the test compares each member
}

/** Calls that succeed. */
export const successes: Readonly<Record<string, () => Promise<Call>>> = {
  transfer: () => transfer(),
  "transfer as bytes": () => asBytes({}, (one) => one),
  "transfer of everything": () => transfer({ value: 10_000_000n }),
  "transfer of nothing": () => transfer({ value: 0n }),
  "transfer of a contract": () => asBytes({ from: wallet, value: 0n }, (one) => one, "frank"),
  receive: () => receive(bob.address),
  cancel: () => cancel(freshNonce()),
  permit: () => permit(),
  "permit without an end": () => permit({ deadline: 2n ** 256n - 1n }),
  "DAI's permit": () => dai(1n, 0n),
  "permit of EIP-5267": () => ozPermit(1n, forever),
};
