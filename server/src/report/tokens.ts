import type { AbiItem } from "../abi/item.ts";
import { isAddress } from "../base/hex.ts";
import type { JsonValue } from "../base/json.ts";
import { memoByObject, memoOfLast } from "../base/memo.ts";
import { oneLine } from "../base/text.ts";
import { formatUnits, grouped, roundedUnits } from "../base/units.ts";
import type { Shown } from "./report.ts";
import { quoted } from "./shown.ts";

/** A token's symbol and decimals, with their source. */
export interface Token {
  /** The symbol from its contract or the header; untrusted text. */
  readonly symbol: string;
  readonly decimals: number;
  /** Who says so: `the header`, `its contract`. */
  readonly source: string;
}

/** By the address of the contract, in lower case. */
export type Tokens = ReadonlyMap<string, Token>;

/** Whose token an argument is an amount of: the contract that is called or logs, or the one that another argument names. */
type Whose = "self" | number;

/**
 * Arguments that are amounts of a token, by declaration: position → whose. Ids of tokens have the same type and often
 * the same signature; what keeps them apart is that collections have no decimals.
 */
const amounts: ReadonlyMap<string, ReadonlyMap<number, Whose>> = new Map(
  (
    [
      ["event Transfer(address,address,uint256)", 2],
      ["event Approval(address,address,uint256)", 2],
      ["event TransferWithMemo(address,address,uint256,bytes32)", 2],
      ["event Mint(address,address,uint256)", 2],
      ["event Burn(address,uint256)", 1],
      ["event Deposit(address,uint256)", 1],
      ["event Withdrawal(address,uint256)", 1],
      ["event PayoutSent(address,address,address,uint256,bytes)", 3, 1],
      ["function transfer(address,uint256)", 1],
      ["function approve(address,uint256)", 1],
      ["function transferFrom(address,address,uint256)", 2],
      ["function increaseAllowance(address,uint256)", 1],
      ["function decreaseAllowance(address,uint256)", 1],
      ["function mint(address,uint256)", 1],
      ["function burn(uint256)", 0],
      ["function burnFrom(address,uint256)", 1],
      ["function withdraw(uint256)", 0],
      ["function transferWithMemo(address,uint256,bytes32)", 1],
      ["function transferFromWithMemo(address,address,uint256,bytes32)", 2],
      ["function permit(address,address,uint256,uint256,uint8,bytes32,bytes32)", 2],
      ["function permit(address,address,uint256,uint256,bytes)", 2],
      ["function transferWithAuthorization(address,address,uint256,uint256,uint256,bytes32,uint8,bytes32,bytes32)", 2],
      ["function transferWithAuthorization(address,address,uint256,uint256,uint256,bytes32,bytes)", 2],
      ["function receiveWithAuthorization(address,address,uint256,uint256,uint256,bytes32,uint8,bytes32,bytes32)", 2],
      ["function receiveWithAuthorization(address,address,uint256,uint256,uint256,bytes32,bytes)", 2],
    ] as readonly (readonly [string, number, Whose?])[]
  ).map(([declaration, at, whose = "self"]) => [declaration, new Map([[at, whose]])]),
);

/** Errors whose last two arguments are amounts of the token that reverts. @see https://eips.ethereum.org/EIPS/eip-6093 */
const amountErrors: ReadonlySet<string> = new Set([
  "ERC20InsufficientBalance(address,uint256,uint256)",
  "ERC20InsufficientAllowance(address,uint256,uint256)",
]);

/** Functions that return an amount of the token that is called. */
const returned: ReadonlySet<string> = new Set([
  "balanceOf(address)",
  "allowance(address,address)",
  "totalSupply()",
  "minterAllowance(address)",
]);

/** An event or a function with the values of its arguments, and the contract that it is of. */
interface Declared {
  readonly kind: AbiItem["kind"];
  readonly signature: string;
  readonly values: readonly (JsonValue | undefined)[];
  readonly self: JsonValue | undefined;
}

/** The contract whose amount an argument is; `undefined` for all that is not an amount of a token. */
export function tokenAddress({ kind, signature, values, self }: Declared, at: number): string | undefined {
  const isErrorAmount = kind === "error" && at > 0 && amountErrors.has(signature);
  return addressOf(isErrorAmount ? "self" : amounts.get(`${kind} ${signature}`)?.get(at), values, self);
}

function addressOf(whose: Whose | undefined, values: Declared["values"], self: JsonValue | undefined) {
  return lowerAddress(whose === "self" ? self : whose === undefined ? undefined : values[whose]);
}

/** Logs of the same contract follow each other. */
const lowerAddress = memoOfLast((address: JsonValue | undefined) =>
  isAddress(address) ? address.toLowerCase() : undefined,
);

/** An argument that is an amount, by its position, and the contract whose amount it is. */
interface TokenAmount {
  readonly at: number;
  readonly token: string;
}

/** Returns how to find the arguments that are amounts. */
export function tokenAmounts(kind: Declared["kind"], signature: string) {
  const positions = [...(amounts.get(`${kind} ${signature}`) ?? none)];
  return (values: Declared["values"], self: Declared["self"]): readonly TokenAmount[] => {
    const found: TokenAmount[] = [];
    for (const [at, whose] of positions) {
      const token = addressOf(whose, values, self);
      if (token !== undefined) found.push({ at, token });
    }
    return found;
  };
}

const none: readonly never[] = [];

export function returnsAmount(signature: string): boolean {
  return returned.has(signature);
}

const symbolOf = memoByObject(({ symbol }: Token) => symbolText(symbol));

/** What follows an amount of the chain's own coin: a token may not pass for it. */
const units: ReadonlySet<string> = new Set(["ether", "gwei", "wei"]);

/** Formats a symbol after an amount: in quotes if it could pass for a part of the amount, or for a value beside it. */
export function symbolText(symbol: string): string {
  if (symbol === "") return "tokens";
  const isPlain = /^[\p{L}$][\p{L}\p{N}\p{Sc}.$_+-]*$/u.test(symbol) && !units.has(symbol.toLowerCase());
  return isPlain ? oneLine(symbol, 24) : quoted(symbol, 24);
}

const unlimited = 2n ** 256n - 1n;

/**
 * An amount in whole tokens; nothing is rounded.
 *
 * @param amount - In the token's smallest unit: decimal digits.
 * @param signature - Of the function, the event or the error that it is of: the greatest number is an unlimited allowance.
 */
export function tokenShown(amount: string, token: Token, signature = ""): Shown {
  const { decimals, source } = token;
  const value = BigInt(amount);
  const name = symbolOf(token);
  const units = `${grouped(amount)} in units of 10^−${decimals}`;
  const from = `symbol and decimals from ${source}`;
  const isUnlimited = value === unlimited && /approv|allowance|permit/i.test(signature);
  const short = isUnlimited ? undefined : roundedUnits(value, decimals);
  return isUnlimited
    ? { text: `unlimited ${name}`, raw: amount, also: ["the largest possible number", from], role: "amount" }
    : {
        text: `${formatUnits(value, decimals)} ${name}`,
        ...(short !== undefined && { short: `${short} ${name}` }),
        raw: amount,
        also: [units, from],
        role: "amount",
      };
}
