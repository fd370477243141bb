import type { JsonValue } from "../base/json.ts";
import type { ExplainedPayment, PaymentCause } from "./explainedPayment.ts";
import { paymentCauses } from "./paymentCauses.ts";
import type { Action, Field, Report, Section } from "./report.ts";
import type { ViewContext } from "./view.ts";

/** Returns what an editor can do about a cause. */
export type ActionsOf = (cause: PaymentCause, payment: ExplainedPayment) => readonly Action[];

/** Adds to a report why its payments by signature failed. */
export function withPayments(
  report: Report,
  payments: readonly ExplainedPayment[],
  context: ViewContext,
  actionsOf: ActionsOf,
): Report {
  const sections: Section[] = [];
  let first: string | undefined;
  for (const payment of payments) {
    const [cause, ...others] = paymentCauses(payment, context);
    if (!cause) continue;
    const call = payment.place && payments.length > 1 ? placeText(payment.place, payments) : "";
    first ??= cause.what.replace(/\.$/, "");
    sections.push({
      kind: "failure",
      what: `${call}${cause.what}`,
      todo: cause.todo,
      fields: [{ name: "field to change", value: { text: cause.field } }, ...others.map(otherField)],
      actions: actionsOf(cause, payment),
    });
  }
  if (first === undefined) return report;
  const headline = report.headline ?? [{ text: report.summary }];
  return {
    ...report,
    summary: `${report.summary} · ${first}.`,
    headline: [...headline, { text: first, role: "plain" }],
    sections: [...sections, ...report.sections],
  };
}

function placeText(
  { entry, call }: NonNullable<ExplainedPayment["place"]>,
  payments: readonly ExplainedPayment[],
): string {
  const isInOne = payments.every(({ place }) => place?.entry === entry);
  return isInOne ? `Call ${call}: ` : `Block ${entry}, call ${call}: `;
}

function otherField({ what, todo, field }: PaymentCause): Field {
  return { name: "also", value: { text: `${what} ${todo}`, also: [`field to change: ${field}`] } };
}

/** Returns the same as JSON. */
export function paymentsJson(
  payments: readonly ExplainedPayment[],
  context: ViewContext,
): { readonly payments?: JsonValue } {
  if (payments.length === 0) return {};
  return {
    payments: payments.map((payment) => ({
      ...(payment.place && { block: payment.place.entry, call: payment.place.call }),
      function: payment.facts.payment.name,
      token: payment.facts.token,
      signer: payment.facts.payment.signer,
      causes: paymentCauses(payment, context).map(({ code, what, todo, field }) => ({ code, what, todo, field })),
    })),
  };
}
