import { quantity } from "../base/hex.ts";
import type { JsonObject } from "../base/json.ts";
import { oneLine } from "../base/text.ts";
import { callShown } from "./call.ts";
import { creationShown } from "./code.ts";
import { depositName } from "./deposit.ts";
import { answerSection, foldedFields } from "./folded.ts";
import { objectSections } from "./object.ts";
import type { HeadlinePart } from "./report.ts";
import { addressShown, briefText, isUnsealed, placeOf, quantityShown, unsealedText } from "./shown.ts";
import { partiesText, partyName } from "./simulatedCall.ts";
import type { View, ViewContext } from "./view.ts";

/** A transaction: what it does in a line, its fields, and its call data taken apart. */
export function transactionView(transaction: JsonObject, context: ViewContext): View {
  const { to, value, input } = transaction;
  const sent = quantity(value) ? [`sends ${quantityShown(value ?? null, "wei").text}`] : [];
  const target = to === undefined || to === null ? "" : ` to ${addressShown(to, context.labels).text}`;
  const does =
    to === null
      ? [creationShown(input ?? null, context).text]
      : input === undefined || input === null || input === "0x"
        ? []
        : [callShown(input, context, to).text];
  const parts = [...does, ...sent];
  const deposit = depositName(transaction);
  const kind = deposit === undefined ? "" : `${deposit}: `;
  return {
    summary: oneLine(`${kind}${parts.length > 0 ? parts.join(", ") : "sends nothing"}${target}`, 200),
    headline: headlineOf(transaction, deposit, context),
    sections: [...objectSections("transaction", transaction, context).map(foldedFields), answerSection(transaction)],
  };
}

function headlineOf(
  transaction: JsonObject,
  deposit: string | undefined,
  context: ViewContext,
): readonly HeadlinePart[] {
  const { from, to, value, input, blockNumber, nonce } = transaction;
  const sent = quantity(value) ? quantityShown(value ?? null, "wei") : undefined;
  const call =
    to === null
      ? creationShown(input ?? null, context)
      : input === undefined || input === null || input === "0x"
        ? undefined
        : callShown(input, context, to);
  const amount = sent && { text: `${call ? "sends" : "Sends"} ${briefText(sent)}`, exact: sent.text };
  const place = [
    ...(deposit === undefined ? [] : [deposit]),
    ...(quantity(blockNumber) === undefined ? [] : [`block ${quantityShown(blockNumber ?? null, "block").text}`]),
    ...(quantity(nonce) === undefined ? [] : [`nonce ${quantity(nonce)}`]),
  ];
  return [
    call ? { text: briefText(call), exact: call.text } : (amount ?? { text: "Sends nothing" }),
    ...(call && amount ? [{ ...amount, role: "plain" as const }] : []),
    { text: partiesText(partyName(from, context), partyName(to, context)), role: "plain" },
    ...statePart(transaction, context),
    { text: place.join(" · "), role: "quiet" },
  ];
}

/** A mark for what is not in a sealed block. */
export function statePart(
  transactionOrReceipt: JsonObject,
  context: Pick<ViewContext, "sealed" | "isGuess">,
): readonly HeadlinePart[] {
  if (transactionOrReceipt.blockNumber === null) return [{ text: "pending", role: "pending" }];
  const isOpen = isUnsealed(placeOf(transactionOrReceipt), context.sealed);
  return isOpen ? [{ text: unsealedText(context), role: "pending" }] : [];
}
