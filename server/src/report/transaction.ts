import { quantity } from "../base/hex.ts";
import type { JsonObject } from "../base/json.ts";
import { oneLine } from "../base/text.ts";
import { callShown } from "./call.ts";
import { creationShown } from "./code.ts";
import { depositName } from "./deposit.ts";
import { objectSections } from "./object.ts";
import { addressShown, quantityShown } from "./shown.ts";
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
    sections: objectSections("transaction", transaction, context),
  };
}
