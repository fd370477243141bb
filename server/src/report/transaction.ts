import { quantity } from "../base/hex.ts";
import { isArray, type JsonObject } from "../base/json.ts";
import { oneLine, plural } from "../base/text.ts";
import { callShown } from "./call.ts";
import { creationShown } from "./code.ts";
import { objectSections } from "./object.ts";
import type { HeadlinePart, Shown } from "./report.ts";
import { addressShown, briefText, isUnsealed, placeOf, quantityShown, unsealedText } from "./shown.ts";
import { delegationsText, partiesText, partyName } from "./simulatedCall.ts";
import { depositName } from "./value.ts";
import { answerSection, foldedFields, type View, type ViewContext } from "./view.ts";

/** A transaction: what it does in a line, its fields, and its call data taken apart. */
export function transactionView(transaction: JsonObject, context: ViewContext): View {
  const { to, value } = transaction;
  const sent = quantity(value) ? [`sends ${quantityShown(value ?? null, "wei").text}`] : [];
  const target = to === undefined || to === null ? "" : ` to ${addressShown(to, context.labels).text}`;
  const call = callOf(transaction, context);
  const parts = [...(call ? [call.text] : []), ...sent];
  const deposit = depositName(transaction);
  const kind = deposit === undefined ? "" : `${deposit}: `;
  const blobs = blobsText(transaction);
  const done = [...parts, ...(blobs === "" ? [] : [`sends ${blobs}`])].join(", ") || "sends nothing";
  const delegations = delegationsText(transaction, context);
  return {
    summary: oneLine(`${kind}${done}${target}${delegations === "" ? "" : `, ${delegations}`}`, 200),
    headline: headlineOf(transaction, call, deposit, context),
    sections: [...objectSections("transaction", transaction, context).map(foldedFields), answerSection(transaction)],
  };
}

/** What a transaction does, but for what it sends; `undefined` for a plain transfer. */
function callOf({ to, input = null }: JsonObject, context: ViewContext): Shown | undefined {
  if (to === null) return creationShown(input, context);
  return input === null || input === "0x" ? undefined : callShown(input, context, to);
}

function headlineOf(
  transaction: JsonObject,
  call: Shown | undefined,
  deposit: string | undefined,
  context: ViewContext,
): readonly HeadlinePart[] {
  const { from, to, value, blockNumber, nonce } = transaction;
  const sent = quantity(value) ? quantityShown(value ?? null, "wei") : undefined;
  const [blobs, delegations] = [blobsText(transaction), delegationsText(transaction, context)];
  const amount = sent && { text: `${call ? "sends" : "Sends"} ${briefText(sent)}`, exact: sent.text };
  const place = [
    ...(deposit === undefined ? [] : [deposit]),
    ...(quantity(blockNumber) === undefined ? [] : [`block ${quantityShown(blockNumber ?? null, "block").text}`]),
    ...(quantity(nonce) === undefined ? [] : [`nonce ${quantity(nonce)}`]),
  ];
  return [
    call ? { text: briefText(call), exact: call.text } : (amount ?? { text: `Sends ${blobs || "nothing"}` }),
    ...(call && amount ? [{ ...amount, role: "plain" as const }] : []),
    ...(blobs !== "" && (call || amount) ? [{ text: `sends ${blobs}`, role: "plain" as const }] : []),
    ...(delegations === "" ? [] : [{ text: delegations, role: "plain" as const }]),
    { text: partiesText(partyName(from, context), partyName(to, context)), role: "plain" },
    ...statePart(transaction, context),
    { text: place.join(" · "), role: "quiet" },
  ];
}

/** @example "2 blobs" */
function blobsText({ blobVersionedHashes }: JsonObject): string {
  const count = isArray(blobVersionedHashes) ? blobVersionedHashes.length : 0;
  return count === 0 ? "" : plural(count, "blob");
}

/** A mark for what is not in a sealed block. */
export function statePart(transactionOrReceipt: JsonObject, context: ViewContext): readonly HeadlinePart[] {
  if (transactionOrReceipt.blockNumber === null) return [{ text: "pending", role: "pending" }];
  const isOpen = isUnsealed(placeOf(transactionOrReceipt), context.sealed);
  return isOpen ? [{ text: unsealedText(context), role: "pending" }] : [];
}
