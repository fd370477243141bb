import { type Address, type Hex, keccak256, numberToHex, pad, parseSignature, stringToHex } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { type Account, accounts } from "./accounts.ts";
import { call, contracts, supply, type Transaction } from "./contracts.ts";

/** anvil's own chain. */
export const chainId = 31337;

const { deployer, alice, bob, carol, dave, erin, frank, grace, heidi } = accounts;
const payments = contracts.payments.address;
const unlimited = 2n ** 256n - 1n;

/** The first transactions after the deployments: everyone gets dollars, payers approve. */
export function endowments(): readonly Transaction[] {
  return [
    call(deployer.address, "token", "initialize", [deployer.address, supply]),
    ...[alice, bob, carol, dave].map(({ address }) =>
      call(deployer.address, "token", "transfer", [address, dollars(1000)]),
    ),
    ...[erin, frank, grace, heidi].map(({ address }) =>
      call(deployer.address, "token", "transfer", [address, dollars(100_000)]),
    ),
    call(deployer.address, "proxiedToken", "transfer", [erin.address, dollars(100_000)]),
    ...[erin, frank, heidi].map(({ address }) => call(address, "token", "approve", [payments, unlimited])),
  ];
}

type Scene = (step: number) => Transaction | Promise<Transaction>;

/** The transactions on the chain, in turn. The same step is always the same transaction. */
const scenes: readonly Scene[] = [
  (step) => call(erin.address, "token", "transfer", [alice.address, dollars(1 + (step % 7))]),
  (step) => ({ from: frank.address, to: alice.address, value: numberToHex(10n ** 16n * BigInt(1 + (step % 5))) }),
  (step) => call(frank.address, "payments", "pay", [...paid(bob, 25), text(`invoice ${step}`)]),
  (step) => call(grace.address, "collectible", "mint", [step % 2 ? bob.address : grace.address]),
  (step) => authorizedTransfer(step, frank, carol.address, dollars(3)),
  (step) => call(erin.address, "payments", "capture", captured(step)),
  (step) =>
    call(heidi.address, "payments", "payout", [heidi.address, ...paid(dave, 5), stringToHex(`{"click":${step}}`)]),
  (step) => call(grace.address, "token", "approve", [erin.address, dollars(step)]),
  (step) => canceledAuthorization(step, frank),
  (step) => call(erin.address, "proxiedToken", "transfer", [bob.address, dollars(2 + (step % 3))]),
  (step) => call(erin.address, "token", "transferWithMemo", [carol.address, dollars(4), text(`order ${step}`)]),
  // grace owns far less: this one fails, as some transactions do
  () => call(grace.address, "token", "transfer", [bob.address, supply]),
];

/** How many steps it takes until everything has happened once. */
export const cycle = scenes.length;

/**
 * The transaction of a step. Nonces are left to the node.
 *
 * @param step - From 0; later steps repeat the scenes with other amounts.
 */
export async function activity(step: number): Promise<Transaction> {
  const scene = scenes[step % cycle];
  if (scene === undefined) throw new RangeError(`A step is a count: ${step}.`);
  return scene(step);
}

function dollars(amount: number): bigint {
  return BigInt(amount) * 1_000_000n;
}

function text(value: string): Hex {
  return stringToHex(value, { size: 32 });
}

function paid(to: Account, amount: number): readonly [Address, Address, bigint] {
  return [contracts.token.address, to.address, dollars(amount)];
}

function captured(step: number): readonly unknown[] {
  const paymentInfoHash = keccak256(stringToHex(`payment ${step}`));
  return [contracts.token.address, paymentInfoHash, grace.address, dollars(40), 250, heidi.address];
}

const domain = { name: "Demo Dollar", version: "1", chainId, verifyingContract: contracts.token.address } as const;

/** EIP-3009: `by` signs, grace pays the gas. */
async function authorizedTransfer(step: number, by: Account, to: Address, value: bigint): Promise<Transaction> {
  const message = { from: by.address, to, value, validAfter: 0n, validBefore: 2n ** 48n, nonce: nonce(step) };
  const signed = await privateKeyToAccount(by.privateKey).signTypedData({
    domain,
    types: {
      TransferWithAuthorization: [
        { name: "from", type: "address" },
        { name: "to", type: "address" },
        { name: "value", type: "uint256" },
        { name: "validAfter", type: "uint256" },
        { name: "validBefore", type: "uint256" },
        { name: "nonce", type: "bytes32" },
      ],
    },
    primaryType: "TransferWithAuthorization",
    message,
  });
  return call(grace.address, "token", "transferWithAuthorization", [...Object.values(message), ...parts(signed)]);
}

async function canceledAuthorization(step: number, by: Account): Promise<Transaction> {
  const message = { authorizer: by.address, nonce: nonce(step) };
  const signed = await privateKeyToAccount(by.privateKey).signTypedData({
    domain,
    types: {
      CancelAuthorization: [
        { name: "authorizer", type: "address" },
        { name: "nonce", type: "bytes32" },
      ],
    },
    primaryType: "CancelAuthorization",
    message,
  });
  return call(grace.address, "token", "cancelAuthorization", [...Object.values(message), ...parts(signed)]);
}

function nonce(step: number): Hex {
  return pad(numberToHex(step), { size: 32 });
}

function parts(signature: Hex): readonly [number, Hex, Hex] {
  const { yParity, r, s } = parseSignature(signature);
  return [27 + yParity, r, s];
}
