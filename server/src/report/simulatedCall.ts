import { revertDataOf } from "../abi/decodedResult.ts";
import { decodeRevert, revertReason } from "../abi/decodeRevert.ts";
import { quantity, zeroAddress } from "../base/hex.ts";
import { isArray, isObject, type JsonObject, type JsonValue } from "../base/json.ts";
import { listed, oneLine } from "../base/text.ts";
import { callShown } from "./call.ts";
import { codeShown, creationShown } from "./code.ts";
import type { HeadlinePart, Shown } from "./report.ts";
import { returnedShown } from "./returnData.ts";
import { revertText } from "./revertText.ts";
import { briefText, partyShown, quantityShown } from "./shown.ts";
import { nothing } from "./table.ts";
import type { Names, ViewContext } from "./view.ts";

export interface SimulatedCall {
  readonly block: Shown;
  readonly call: JsonObject;
  /** The call in the request; empty if it cannot be determined. */
  readonly asked: JsonObject;
  readonly index: number;
}

/** The purpose of a call; empty for plain transfers. */
export function doesShown(asked: JsonObject, context: ViewContext): Shown {
  const data = asked.input ?? asked.data;
  if (data === undefined || data === null || data === "0x") return nothing;
  const creates = asked.to === undefined || asked.to === null;
  return creates ? creationShown(data, context) : callShown(data, context, asked.to);
}

/** Says why a call failed: by its revert data, else in the node's own words. */
export function failureText({ call, asked }: SimulatedCall, context: ViewContext, reasonOf = revertReason): string {
  const data = revertDataOf(call);
  if (data !== undefined && data !== "0x")
    return oneLine(`reverted: ${revertText(decodeRevert(data, context.scope, asked.to), context, asked.to, reasonOf)}`);
  const message = isObject(call.error) ? call.error.message : call.error;
  if (typeof message !== "string" || message === "") return "failed, without a reason";
  return oneLine(/revert/i.test(message) ? `${message}, no reason given` : message);
}

/** Shows what a call returned, or why it failed. */
export function resultShown(simulated: SimulatedCall, context: ViewContext): Shown {
  const { call, asked } = simulated;
  if (call.status === "0x1") {
    const creates = Object.keys(asked).length > 0 && (asked.to === undefined || asked.to === null);
    const data = call.returnData ?? "0x";
    return creates && data !== "0x" ? codeShown(data, context.labels) : returnedShown(asked, data, context);
  }
  return {
    text: failureText(simulated, context),
    ...(typeof call.returnData === "string" && { raw: oneLine(call.returnData, 4096) }),
    role: "bad",
  };
}

/** Joins the names of a sender and a target, if they are known: `alice → bob`. */
export function partiesText(...names: readonly [from: string, to: string]): string {
  return names.filter((name) => name !== "").join(" → ");
}

/**
 * Returns the parts of a line about a call: `alice → Demo Dollar transfer(bob, 2.5 DUSD) 1 ether`.
 *
 * @param who - Its parties; may be empty.
 * @param value - Native currency in wei, as the node sent it.
 */
export function callParts(who: string, does: Shown, value: JsonValue | undefined): readonly HeadlinePart[] {
  const amount = quantity(value) ? quantityShown(value ?? null, "wei") : undefined;
  return [
    ...(who === "" ? [] : [{ text: who, role: "plain" as const }]),
    ...(does.text === "" ? [] : [{ text: briefText(does), exact: does.text }]),
    ...(amount ? [{ text: briefText(amount), exact: amount.text, role: "plain" as const }] : []),
  ];
}

/** Returns the name of an account for a sentence. */
export function accountName(address: string, context: Names): string {
  return address === zeroAddress ? "the zero address" : partyName(address, context) || "an unknown address";
}

/** Delegations that are named. */
const maxDelegations = 3;

/**
 * Names the delegations that a transaction brings along: also if it fails, and if others signed them.
 *
 * @example "with a delegation to 0x5FbD…0aa3"
 */
export function delegationsText(transaction: JsonObject | undefined, context: Names): string {
  const list = isArray(transaction?.authorizationList) ? transaction.authorizationList.filter(isObject) : [];
  const targets = list.map(({ address }) =>
    address === zeroAddress ? "the end of a delegation" : `a delegation to ${partyName(address, context)}`,
  );
  const more = targets.length > maxDelegations ? " …" : "";
  return targets.length === 0 ? "" : `with ${listed(targets.slice(0, maxDelegations))}${more}`;
}

/** The label of an address, or its ends. */
export function partyName(address: JsonValue | undefined, { labels }: Names): string {
  if (address === undefined || address === null || isObject(address)) return "";
  return briefText(partyShown(address, labels));
}
