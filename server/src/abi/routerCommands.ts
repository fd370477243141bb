import { isArray } from "../base/json.ts";
import type { Decoded, DecodeResult } from "./decode.ts";
import { decodeParams } from "./decode.ts";
import { type AbiItem, parseItem } from "./item.ts";

/** A command to a router: a byte selects the command, an input holds its arguments. */
export interface RouterCommand {
  /** `0x0b`, the flag that lets it fail taken off. */
  readonly byte: string;
  /** Its input. */
  readonly data: string;
  /** Its data as one known command reads it, without a fault. */
  readonly reading: (DecodeResult & { readonly item: AbiItem }) | undefined;
}

/** Functions that take commands and their inputs: the router itself, and the command that holds commands of its own. */
const routers: ReadonlySet<string> = new Set([
  "execute(bytes,bytes[],uint256)",
  "execute(bytes,bytes[])",
  "EXECUTE_SUB_PLAN(bytes,bytes[])",
]);

/**
 * The commands of Uniswap's Universal Router.
 *
 * @param values - Of the arguments.
 * @returns `undefined` for other functions, and where each command has not one input.
 */
export function routerCommands(signature: string, values: readonly Decoded[]): readonly RouterCommand[] | undefined {
  const [commands, inputs] = routers.has(signature) ? values : [];
  if (typeof commands !== "string" || !isArray(inputs) || commands.length !== 2 + inputs.length * 2) return undefined;
  return inputs.flatMap((input, at) =>
    typeof input === "string" ? [command(Number.parseInt(commands.slice(2 + at * 2, 4 + at * 2), 16), input)] : [],
  );
}

const allowsRevert = 0x80;

function command(flagged: number, data: string): RouterCommand {
  const byte = `0x${(flagged & ~allowsRevert).toString(16).padStart(2, "0")}`;
  const item = items.get(byte);
  const reading = item && { item, ...decodeParams(item.inputs, data, 2) };
  return { byte, data, reading: reading?.faults.length === 0 ? reading : undefined };
}

const permit = "(address token, uint160 amount, uint48 expiration, uint48 nonce)";

/**
 * Those that mean one thing in every version; where versions differ, what does not read without a fault is another one.
 * @see https://github.com/Uniswap/universal-router/blob/main/contracts/libraries/Commands.sol
 */
const items: ReadonlyMap<string, AbiItem> = new Map(
  Object.entries({
    "0x00": "V3_SWAP_EXACT_IN(address recipient, uint256 amountIn, uint256 amountOutMin, bytes path, bool payerIsUser)",
    "0x01":
      "V3_SWAP_EXACT_OUT(address recipient, uint256 amountOut, uint256 amountInMax, bytes path, bool payerIsUser)",
    "0x02": "PERMIT2_TRANSFER_FROM(address token, address recipient, uint160 amount)",
    "0x03": `PERMIT2_PERMIT_BATCH((${permit}[] details, address spender, uint256 sigDeadline) permitBatch, bytes signature)`,
    "0x04": "SWEEP(address token, address recipient, uint256 amountMin)",
    "0x05": "TRANSFER(address token, address recipient, uint256 value)",
    "0x06": "PAY_PORTION(address token, address recipient, uint256 bips)",
    "0x08":
      "V2_SWAP_EXACT_IN(address recipient, uint256 amountIn, uint256 amountOutMin, address[] path, bool payerIsUser)",
    "0x09":
      "V2_SWAP_EXACT_OUT(address recipient, uint256 amountOut, uint256 amountInMax, address[] path, bool payerIsUser)",
    "0x0a": `PERMIT2_PERMIT((${permit} details, address spender, uint256 sigDeadline) permitSingle, bytes signature)`,
    "0x0b": "WRAP_ETH(address recipient, uint256 amount)",
    "0x0c": "UNWRAP_WETH(address recipient, uint256 amountMin)",
    "0x0d": "PERMIT2_TRANSFER_FROM_BATCH((address from, address to, uint160 amount, address token)[] batchDetails)",
    "0x0e": "BALANCE_CHECK_ERC20(address owner, address token, uint256 minBalance)",
    "0x10": "V4_SWAP(bytes actions, bytes[] params)",
    "0x20": "EXECUTE_SUB_PLAN(bytes commands, bytes[] inputs)",
    "0x21": "EXECUTE_SUB_PLAN(bytes commands, bytes[] inputs)",
  }).flatMap(([byte, text]) => {
    const item = parseItem(text, "Uniswap Universal Router");
    return item ? [[byte, item] as const] : [];
  }),
);
