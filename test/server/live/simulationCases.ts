import { encodeFunctionData, type Hex, padHex, parseEther, toHex } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { accounts } from "../../../devchain/accounts.ts";
import { call, contracts } from "../../../devchain/contracts.ts";
import { chainId } from "../../../devchain/traffic.ts";
import {
  type Code,
  calling,
  creating,
  log,
  passingOn,
  program,
  push,
  returning,
  reverting,
  selfdestruct,
  store,
} from "../../support/evm.ts";

/** A request to try and then to send, and why it may come out otherwise. */
export interface SimulationCase {
  readonly name: string;
  readonly method: "eth_sendTransaction" | "eth_sendRawTransaction";
  /** The transaction; the signed one where that is what is sent. */
  readonly given: Readonly<Record<string, unknown>> | Signing;
  /** Requests that come before, with their parameters. */
  readonly before?: readonly (readonly [string, ...unknown[]])[];
  /** The expected differences, and the reason. */
  readonly differs?: { readonly what: readonly Told[]; readonly why: string };
}

/** Signs with the nonce that the account then has. */
export type Signing = (nonce: number, baseFee: bigint) => Promise<Hex>;

/** The compared values. */
export type Told = "status" | "return" | "events" | "gas" | "native" | "tokens";

const { deployer, alice, bob, carol, dave, erin } = accounts;
const { token, proxiedToken, payments } = contracts;
/** An account that has sent nothing. */
const newcomer = privateKeyToAccount(padHex("0x5eed", { size: 32 }));
const zero = padHex("0x", { size: 20 });
const gas = toHex(500_000);
const made = (n: number): Hex => padHex(toHex(0xc0de0000 + n), { size: 20 });
const word = (text: string): Hex => padHex(toHex(text), { dir: "right", size: 32 });

type Parts = Readonly<Record<string, unknown>>;

function sent(name: string, given: Parts, more: Partial<SimulationCase> = {}): SimulationCase {
  return { name, method: "eth_sendTransaction", given: { from: alice.address, gas, ...given }, ...more };
}

function calls(
  name: string,
  [contract, method, ...args]: readonly [keyof typeof contracts, string, ...unknown[]],
  more: Partial<SimulationCase> & { readonly also?: Parts } = {},
): SimulationCase {
  const { also, ...rest } = more;
  return sent(name, { ...call(deployer.address, contract, method, args), ...also }, rest);
}

/** Calls a contract made of some instructions. */
let programs = 0;
function runs(
  name: string,
  code: readonly Code[],
  {
    prepared,
    differs,
    ...given
  }: Parts & { readonly prepared?: Preparing; readonly differs?: SimulationCase["differs"] } = {},
): SimulationCase {
  const to = made(++programs);
  const before = [["anvil_setCode", to, program(...code)], ...(prepared?.(to) ?? [])] as const;
  return sent(name, { to, ...given }, { before, ...(differs && { differs }) });
}

type Preparing = (address: Hex) => NonNullable<SimulationCase["before"]>;

function signs(
  name: string,
  type: "legacy" | "eip2930" | "eip1559" | "eip7702",
  fields: object,
  more: () => Promise<object> = async () => ({}),
): SimulationCase {
  const signer = privateKeyToAccount(dave.privateKey);
  const signed: Signing = async (nonce, baseFee) => {
    const most = baseFee * 4n;
    const isCapped = type === "eip1559" || type === "eip7702";
    const fees = isCapped ? { maxFeePerGas: most, maxPriorityFeePerGas: 1n } : { gasPrice: most };
    const transaction = { type, chainId, nonce, gas: 150_000n, ...fees, ...fields, ...(await more()) };
    return signer.signTransaction(transaction as never); // the types differ
  };
  return { name, method: "eth_sendRawTransaction", given: signed };
}

const slot1 = padHex("0x1", { size: 32 });
const ether = parseEther("1");
const reverts = (name: string, ...args: readonly unknown[]): SimulationCase =>
  calls(`revert: ${name}(${args.join()})`, ["reverter", name, ...args]);
const transfer = (to: string, amount: bigint): Hex =>
  encodeFunctionData({ abi: token.abi, functionName: "transfer", args: [to, amount] });

const capture = (name: string, fee: number): SimulationCase =>
  calls(name, ["payments", "capture", token.address, word(name), carol.address, 10_000n, fee, erin.address]);

const environment = "the block is made up by the node";
const givenBack = "the node logs ether also where a failed call inside gives it back";
const noCreation = (...what: readonly Told[]): Partial<SimulationCase> => ({
  differs: { what, why: "anvil's eth_simulateV1 takes no creation: eth_call and eth_estimateGas tell what they can" },
});

export const simulationCases: readonly SimulationCase[] = [
  // ether
  sent("transfer", { to: bob.address, value: toHex(ether) }),
  sent("transfer to an address that nobody has used", { to: made(900), value: "0x1" }),
  sent("transfer to oneself", { to: alice.address, value: toHex(ether) }),
  sent("transfer of nothing", { to: bob.address }),
  sent("transfer with data", { to: bob.address, value: "0x5", data: toHex("for the coffee") }),
  sent("transfer at a gas price", { to: bob.address, value: "0x7", gasPrice: toHex(3_000_000_000) }),
  sent("transfer at a fee cap", {
    to: bob.address,
    value: "0x7",
    maxFeePerGas: toHex(5_000_000_000),
    maxPriorityFeePerGas: toHex(1_000_000_000),
  }),
  sent("transfer with an access list", {
    to: bob.address,
    value: "0x7",
    accessList: [{ address: token.address, storageKeys: [slot1] }],
  }),
  sent("transfer, with the call data in input", { to: bob.address, value: "0x7", input: "0xc0ffee" }),
  signs("signed transfer, legacy", "legacy", { to: bob.address, value: ether }),
  signs("signed transfer, EIP-2930", "eip2930", {
    to: bob.address,
    accessList: [{ address: token.address, storageKeys: [] }],
  }),
  signs("signed transfer, EIP-1559", "eip1559", { to: carol.address, value: 9n }),
  signs("signed delegation to a contract, EIP-7702", "eip7702", { to: carol.address, value: 1n }, async () => ({
    authorizationList: [await newcomer.signAuthorization({ contractAddress: token.address, chainId, nonce: 0 })],
  })),
  signs("signed call that reverts", "eip1559", { to: token.address, data: transfer(bob.address, 10n ** 30n) }),

  // every way to fail
  reverts("requireMoreThanTen", 1n),
  ...["hostileText", "empty", "threeBytes", "malformed", "nested", "invalidOpcode"].map((name) => reverts(name)),
  reverts("tooSmall", 3n, 10n),
  ...[0x01n, 0x11n, 0x99n].map((code) => reverts("panic", code)),
  calls("out of gas in a loop", ["reverter", "endlessLoop"], { also: { gas: toHex(100_000) } }),
  calls("out of gas in a token transfer", ["token", "transfer", erin.address, 5n], { also: { gas: toHex(30_000) } }),
  calls("ether for a function that takes none", ["token", "approve", bob.address, 1n], { also: { value: "0x1" } }),
  sent("a function that does not exist", { to: token.address, data: "0xdeadbeef" }),
  runs("ether that comes back with a revert", [calling({ to: carol.address, value: 5n }), reverting(7)], {
    value: "0x5",
  }),

  // tokens
  calls("token: transfer", ["token", "transfer", bob.address, 1_500_000n]),
  calls("token: transfer with an access list", ["token", "transfer", bob.address, 1n], {
    also: { accessList: [{ address: token.address, storageKeys: [padHex("0x0", { size: 32 })] }] },
  }),
  calls("token: transfer to oneself", ["token", "transfer", deployer.address, 5n]),
  calls("token: transfer of nothing", ["token", "transfer", bob.address, 0n]),
  calls("token: transfer with a memo", ["token", "transferWithMemo", carol.address, 20n, word("invoice 7")]),
  calls("token: approve", ["token", "approve", payments.address, 10n ** 12n]),
  calls("token: transferFrom without an allowance", ["token", "transferFrom", bob.address, carol.address, 1n]),
  calls("token: transfer of more than there is", ["token", "transfer", bob.address, 10n ** 30n]),
  calls("token: transfer to nobody", ["token", "transfer", zero, 1n]),
  calls("token: transferFrom", ["token", "transferFrom", deployer.address, carol.address, 77n], {
    before: [["eth_sendTransaction", call(deployer.address, "token", "approve", [deployer.address, 100n])]],
  }),
  calls("token behind a proxy: transfer", ["proxiedToken", "transfer", dave.address, 123n]),
  calls("token behind a proxy: initialize again", ["proxiedToken", "initialize", dave.address, 123n]),
  calls("payment with a memo", ["payments", "pay", token.address, dave.address, 5000n, word("order 8")]),
  capture("payment with a fee", 250),
  capture("payment with too high a fee", 20_000),
  calls("payout from a campaign", ["payments", "payout", bob.address, token.address, carol.address, 40n, "0xbeef"]),
  calls("collectible: mint", ["collectible", "mint", deployer.address]),
  calls("collectible: approval for all", ["collectible", "setApprovalForAll", bob.address, true]),
  calls("collectible: mint to nobody", ["collectible", "mint", zero]),

  // ether and contracts
  sent("ether to a contract", { to: proxiedToken.address, value: "0x64" }),
  sent("ether to a contract that takes none", { to: token.address, value: "0x64" }),
  runs(
    "ether passed on to two",
    [bob, carol].map(({ address: to }) => calling({ to, value: 50n })),
    { value: "0x64" },
  ),
  runs("ether passed on and sent back", [calling({ to: alice.address, value: 100n })], { value: "0x64" }),
  runs("more ether than there is, inside", [calling({ to: bob.address, value: 60n })], {
    differs: { what: ["native"], why: givenBack },
  }),
  runs("a contract that ends and pays out", [selfdestruct(dave.address)], {
    value: "0x3e8",
    differs: { what: ["native"], why: "the node logs no ether that a contract pays out when it ends" },
  }),
  runs(
    "a contract made inside of a call, with ether",
    [[push(0x600a600c), push(0), "52", push(4), push(28), push(10), "f0", "50"]],
    { value: "0xa" },
  ),

  // several calls in one
  runs(
    "three calls in one",
    [
      calling({ to: token.address, data: transfer(bob.address, 1n) }),
      calling({ to: token.address, data: transfer(carol.address, 2n) }),
      calling({ to: proxiedToken.address, data: transfer(dave.address, 3n) }),
      passingOn,
    ],
    {
      prepared: (self) => [
        ["eth_sendTransaction", call(deployer.address, "token", "transfer", [self, 10n])],
        ["eth_sendTransaction", call(deployer.address, "proxiedToken", "transfer", [self, 10n])],
      ],
    },
  ),
  runs("a failure inside that is passed over", [
    calling({ to: token.address, data: transfer(bob.address, 10n ** 30n) }),
    log(1, 2),
    passingOn,
  ]),
  runs(
    "ether lost in a failure inside that is passed over",
    [calling({ to: token.address, value: 5n }), calling({ to: bob.address, value: 2n })],
    { value: "0xa", differs: { what: ["native"], why: givenBack } },
  ),
  runs("a call inside with too little gas", [
    calling({ to: token.address, data: transfer(bob.address, 1n), gas: 900n }),
  ]),

  // events, storage, precompiles
  runs("events with no topic and with four", [log(1), log(5, 10, 20, 30, 40)]),
  runs(
    "a hundred events",
    Array.from({ length: 100 }, (_, at) => log(at, 7, at)),
  ),
  runs("new storage", [store(1, 7), store(2, 8), returning(push(1), "54")]),
  runs("storage that is cleared, with a refund", [store(1, 0), store(2, 9)], {
    prepared: (self) => [["anvil_setStorageAt", self, slot1, padHex("0x5", { size: 32 })]],
  }),
  sent("SHA-256 of something", { to: padHex("0x2", { size: 20 }), data: "0xc0ffee" }),
  sent("a long answer", { to: padHex("0x4", { size: 20 }), data: toHex("x".repeat(4000)) }),

  // what a simulation cannot know
  runs("what the block is like: its base fee", [returning("48")], { differs: { what: ["return"], why: environment } }),
  runs("what the block is like: its number", [returning("43")]),
  runs("what the block is like: its chance", [returning("44")], { differs: { what: ["return"], why: environment } }),
  runs("what a unit of gas costs", [returning("3a")], {
    differs: { what: ["return"], why: "without a price in the request, the price is 0" },
  }),
  sent("creation", { data: creating("0x602a60805260206080f3") }),
  sent("creation with an event", { data: creating("0x00", log(5, 6)) }, noCreation("events")),
  sent("creation that reverts", { data: program(reverting(9)) }, noCreation("gas")),
];
