import assert from "node:assert/strict";
import type { Descriptor, DescriptorFieldFormat } from "@ethereum-sourcify/clear-signing";
import { type Descriptors, descriptorsOf, entryOf } from "../../server/src/abi/descriptors.ts";

export const usdt = "0xdac17f958d2ee523a2206206994597c13d831ec7";
const usdc = "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48";
export const weth = "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2";
export const safe = "0xd9db270c1b5e3bd161e8c8503c55ceabee709552";
/** Contracts with lists: of numbers, and of calls of itself. */
export const queue = `0x${"ec".repeat(20)}`;
export const vault = `0x${"fa".repeat(20)}`;

const field = (
  path: string,
  label: string,
  format: DescriptorFieldFormat["format"] & string,
  params?: DescriptorFieldFormat["params"],
): DescriptorFieldFormat => ({ path, label, format, ...(params && { params }), visible: "always" });
const amount = (path: string) =>
  field(path, "Amount", "tokenAmount", { tokenPath: "@.to", threshold: `0x8${"0".repeat(63)}`, message: "Unlimited" });
const members = "address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce";
const call = { calleePath: "to", amountPath: "value" };

type Formats = Readonly<Record<string, readonly [intent: string, ...DescriptorFieldFormat[]]>>;

function descriptor(kind: "contract" | "eip712", address: string, owner: string, formats: Formats): Descriptor {
  const bound = { deployments: [{ chainId: 1, address }] };
  const all = Object.entries(formats).map(([key, [intent, ...fields]]) => [key, { intent, fields }] as const);
  return { context: { [kind]: bound }, metadata: { owner }, display: { formats: Object.fromEntries(all) } };
}

/** ERC-7730 descriptors, as a project may have them, by the names of their files. */
export const describedContracts: Readonly<Record<string, Descriptor>> = {
  "usdt.json": descriptor("contract", usdt, "Tether Limited", {
    "approve(address spender,uint256 value)": ["Approve", field("spender", "Spender", "addressName"), amount("value")],
    "transfer(address to,uint256 value)": ["Send", amount("value"), field("to", "To", "addressName")],
  }),
  "usdc.json": descriptor("eip712", usdc, "Circle", {
    [`TransferWithAuthorization(${members})`]: [
      "Authorize USDC transfer",
      field("from", "From", "raw"),
      field("to", "To", "raw"),
      amount("value"),
      field("validBefore", "Before", "date", { encoding: "timestamp" }),
    ],
    "Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)": [
      "Permit",
      field("spender", "Spender", "raw"),
      amount("value"),
    ],
  }),
  "weth.json": descriptor("contract", weth, "WETH", { "deposit()": ["Wrap", field("@.value", "Amount", "amount")] }),
  "safe.json": descriptor("contract", safe, "Safe", {
    "execTransaction(address to,uint256 value,bytes data,uint8 operation,uint256 safeTxGas,uint256 baseGas,uint256 gasPrice,address gasToken,address refundReceiver,bytes signatures)":
      ["Execute", field("data", "Transaction", "calldata", call), field("operation", "Operation", "raw")],
    "setup(address[] owners,uint256 threshold,address to,bytes data,address fallbackHandler,address paymentToken,uint256 payment,address paymentReceiver)":
      ["Setup Safe", field("data", "Code", "calldata", { calleePath: "to" }), field("threshold", "Threshold", "raw")],
  }),
  "queue.json": descriptor("contract", queue, "Queue", {
    "claimWithdrawals(uint256[] requests,uint256[] hints)": ["Claim", field("requests.[]", "Request", "raw")],
  }),
  "vault.json": descriptor("contract", vault, "Vault", {
    "multicall(bytes[] data)": ["Calls", field("data.[]", "Call", "calldata", { calleePath: "@.to" })],
  }),
};

/** The same, to be looked up. */
export function described(): Descriptors {
  const entries = Object.entries(describedContracts).map(([name, one]) => {
    const entry = entryOf(one, name, name);
    assert.ok("body" in entry, JSON.stringify(entry));
    return entry;
  });
  return descriptorsOf(
    entries,
    (at) => entries[at]?.body ?? {},
    (entity) => `${entity}, not verified`,
  );
}
