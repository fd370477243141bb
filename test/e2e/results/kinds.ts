import { encodeFunctionData } from "viem";
import type { Devchain } from "../../../devchain/devchain.ts";
import type { JsonValue } from "../../../server/src/base/json.ts";
import { calling, program, push, returning } from "../../support/evm.ts";

/** A cell of every kind of result, by a title. */
export interface Kind {
  readonly title: string;
  readonly cell: JsonValue;
  /** With the calls inside, which are computed. */
  readonly isTraced?: true;
}

const implementationSlot = "0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc";
const bytes = (length: number): string => "ab".repeat(length);

/** Sends an amount of `token` in a block of its own. @returns The hash of the transaction. */
export async function sendTokens(chain: Devchain, amount: bigint): Promise<string> {
  const { alice, bob } = chain.accounts;
  const words = [bob.address.slice(2).toLowerCase(), amount.toString(16)].map((word) => word.padStart(64, "0"));
  const data = `0xa9059cbb${words.join("")}`;
  const transaction = { from: alice.address, to: chain.contracts.token.address, data, gas: "0x186a0" };
  const hash = String(await chain.rpc("eth_sendTransaction", [transaction]));
  await chain.seal();
  return hash;
}

/** Names for a person, as the header of a notebook has them. */
export function labels({ accounts, contracts }: Devchain): Readonly<Record<string, string>> {
  return { [accounts.alice.address]: "alice", [accounts.bob.address]: "bob", [contracts.token.address]: "Demo Dollar" };
}

/** The kinds of results that a chain can give. `hash` is a transaction of `token`, in a block that is sealed. */
export function kinds(all: Devchain, hash: string): readonly Kind[] {
  const { accounts, contracts } = all;
  const [alice, bob] = [accounts.alice.address, accounts.bob.address];
  const token = contracts.token.address;
  const transfer = (amount: string): JsonValue => ({ function: "transfer(address,uint256)", args: [bob, amount] });
  const call = (amount: string): JsonValue => ({ from: alice, to: token, data: transfer(amount) });
  const request = (method: string, ...params: readonly JsonValue[]): JsonValue => ({ method, params });
  return [
    { title: "nonce", cell: request("eth_getTransactionCount", alice, "pending") },
    { title: "balance", cell: request("eth_getBalance", alice, "pending") },
    { title: "balance of many digits", cell: request("eth_getBalance", accounts.deployer.address, "latest") },
    {
      title: "token balance",
      cell: request("eth_call", { to: token, data: { function: "balanceOf(address)", args: [alice] } }, "pending"),
    },
    {
      title: "word of a call",
      cell: request("eth_getStorageAt", contracts.proxiedToken.address, implementationSlot, "latest"),
    },
    { title: "gas", cell: request("eth_estimateGas", call("1000000"), "pending") },
    { title: "chain", cell: request("eth_chainId") },
    { title: "batch", cell: { batch: [request("eth_blockNumber"), request("eth_gasPrice")] } },
    {
      title: "logs of one event",
      cell: request("eth_getLogs", {
        address: token,
        event: "Transfer(address,address,uint256)",
        fromBlock: "earliest",
        toBlock: "pending",
      }),
    },
    { title: "logs of several events", cell: request("eth_getLogs", { fromBlock: "earliest", toBlock: "pending" }) },
    { title: "no logs", cell: request("eth_getLogs", { address: bob, fromBlock: "latest" }) },
    { title: "block", cell: request("eth_getBlockByNumber", "0x14", false) },
    { title: "block with transactions", cell: request("eth_getBlockByNumber", "latest", true) },
    { title: "transaction", cell: request("eth_getTransactionByHash", hash) },
    { title: "receipt", cell: request("eth_getTransactionReceipt", hash) },
    { title: "receipts", cell: request("eth_getBlockReceipts", "0x14") },
    { title: "code", cell: request("eth_getCode", token, "latest") },
    { title: "code of a delegated account", cell: request("eth_getCode", accounts.ivan.address, "latest") },
    { title: "no code", cell: request("eth_getCode", bob, "latest") },
    {
      title: "simulation",
      cell: request(
        "eth_simulateV1",
        {
          blockStateCalls: [
            { calls: [{ from: alice, to: bob, value: "0.5 ether" }, call("2500000"), call("9000000000000000")] },
          ],
          traceTransfers: true,
        },
        "pending",
      ),
    },
    { title: "fee history", cell: request("eth_feeHistory", "0xa", "latest", [10, 50, 90]) },
    { title: "trace of a revert", cell: request("debug_traceCall", payment(all), "latest", traced()) },
    { title: "trace of many calls", cell: request("debug_traceCall", ...manyCalls(all)) },
    { title: "computed calls", cell: request("eth_call", payment(all), "latest"), isTraced: true },
    { title: "computed transfer", cell: request("eth_call", call("1000000"), "latest"), isTraced: true },
    { title: "flat trace", cell: request("trace_transaction", hash) },
    { title: "revert", cell: request("eth_call", call("9000000000000000"), "latest") },
    {
      title: "expected revert",
      cell: {
        ...(request("eth_call", call("9000000000000000"), "latest") as object),
        expect: { "error.reason": "revert" },
      },
    },
    {
      title: "failed expectation",
      cell: { ...(request("eth_getTransactionCount", alice, "latest") as object), expect: { result: 7 } },
    },
    {
      title: "expected result",
      cell: { ...(request("eth_getTransactionCount", alice, "latest") as object), expect: { result: 0 } },
    },
    { title: "address with too few digits", cell: request("eth_getBalance", alice.slice(0, -2), "latest") },
    { title: "name that is not defined", cell: request("eth_getBalance", "{{alise}}", "latest") },
    { title: "unknown method", cell: request("eth_getBalanc", alice, "latest") },
    { title: "unknown words", cell: request("eth_call", { to: token, data: `0x313ce567${bytes(0)}` }, "latest") },
    { title: "null", cell: request("eth_getTransactionByHash", `0x${bytes(32)}`) },
    { title: "client", cell: request("web3_clientVersion") },
    { title: "JSON", cell: request("anvil_nodeInfo") },
  ];
}

function traced(more: { readonly [name: string]: JsonValue } = {}): JsonValue {
  return { tracer: "callTracer", tracerConfig: { withLog: true }, ...more };
}

/** A payment that was not approved: it fails behind the proxy of the token. */
function payment({ accounts, contracts: { payments, proxiedToken } }: Devchain) {
  const args = [proxiedToken.address, accounts.bob.address, 2_500_000n, `0x${bytes(32)}`];
  const data = encodeFunctionData({ abi: payments.abi, functionName: "pay", args });
  return { from: accounts.alice.address, to: payments.address, data };
}

/** A call of a contract that calls many others, some of which fail. */
function manyCalls(all: Devchain): readonly JsonValue[] {
  const { accounts, contracts } = all;
  const { token, proxiedToken, reverter } = contracts;
  const [alice, bob] = [accounts.alice.address, accounts.bob.address];
  const data = (name: keyof typeof contracts, functionName: string, args: readonly unknown[]) =>
    encodeFunctionData({ abi: contracts[name].abi, functionName, args });
  const round = [
    calling({ to: proxiedToken.address, data: data("proxiedToken", "balanceOf", [alice]) }),
    calling({ to: token.address, data: data("token", "approve", [bob, 5_000_000n]) }),
    calling(payment(all)),
    calling({ to: reverter.address, data: data("reverter", "nested", []) }),
    calling({ to: bob, value: 10n ** 16n }),
    calling({ to: token.address, data: data("token", "transfer", [bob, 0n]) }),
  ].flat();
  const [inner, outer] = ["c0", "c1"].map((end) => `0x${end.padStart(40, "0")}`) as [string, string];
  const stateOverrides = {
    [inner]: { code: program(round, returning(push(1))), balance: "0xde0b6b3a7640000" },
    [outer]: { code: program(calling({ to: inner }), round, calling({ to: inner }), returning(push(1))) },
  };
  const call = { from: alice, to: outer, value: "0.2 ether", gas: "0x2dc6c0" };
  return [call, "latest", traced({ stateOverrides })];
}
