import { type DecodedRevert, type ErrorArg, revertReason } from "../abi/decodeRevert.ts";
import type { JsonValue } from "../base/json.ts";
import { oneLine } from "../base/text.ts";
import type { Shown } from "./report.ts";
import { abiShown, inlineText, withAddressesShown } from "./shown.ts";
import { tokenAddress, tokenShown } from "./tokens.ts";
import type { ViewContext } from "./view.ts";

/** What to do about an error that no known ABI declares. */
export const unknownErrorTodo =
  "To decode it, add the ABI of the contract that failed: `abi` in the header of the notebook, or `explain --abi FILE`.";

/** The contract that was called; an error of another contract inside it has the same amounts or unknown ones. */
type Target = JsonValue | undefined;

/**
 * The reason of a revert on one line, with labels, and with units if its arguments are amounts of the called token.
 *
 * @param reasonOf - Formats the reverts without such amounts.
 */
export function revertText(
  revert: DecodedRevert,
  context: ViewContext,
  target: Target,
  reasonOf: (revert: DecodedRevert) => string = revertReason,
): string {
  const plain = withAddressesShown(reasonOf(revert), context.labels);
  if (revert.kind !== "custom" || revert.faults.length > 0) return plain;
  const { args, name } = revert;
  if (!args.some((_, at) => amountToken(revert, at, context, target))) return plain;
  const texts = args.map((arg, at) => {
    const shown = errorArgShown(revert, arg, at, context, target);
    return `${oneLine(arg.name, 60)}${arg.name === "" ? "" : ": "}${shown.role === "name" ? shown.text : inlineText(shown)}`;
  });
  return `${oneLine(name, 60)}(${texts.join(", ")})`;
}

export function errorArgShown(
  revert: Extract<DecodedRevert, { readonly kind: "custom" }>,
  { value, type }: ErrorArg,
  at: number,
  context: ViewContext,
  target: Target,
): Shown {
  const token = amountToken(revert, at, context, target);
  return token && typeof value === "string"
    ? tokenShown(value, token, revert.signature)
    : abiShown(value, type, context.labels);
}

function amountToken(
  { signature, args }: Extract<DecodedRevert, { readonly kind: "custom" }>,
  at: number,
  { tokens }: ViewContext,
  target: Target,
) {
  const values = args.map(({ value }) => value);
  return tokens.get(tokenAddress({ kind: "error", signature, values, self: target }, at) ?? "");
}
