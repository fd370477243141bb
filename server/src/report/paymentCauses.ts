import { decodeRevert, revertReason } from "../abi/decodeRevert.ts";
import { addressOf, type PaymentFacts } from "../abi/paymentCall.ts";
import type { Hex } from "../base/hex.ts";
import type { JsonValue } from "../base/json.ts";
import { formatDuration, formatTime } from "../base/units.ts";
import {
  type CauseTopic,
  causeAt,
  type ExplainedPayment,
  type PaymentCause,
  permitNonceCause,
} from "./explainedPayment.ts";
import { signatureCauses } from "./paymentSignatureCauses.ts";
import type { Action, Field, Report, Section } from "./report.ts";
import { addressShown, briefText } from "./shown.ts";
import { type Token, tokenShown } from "./tokens.ts";
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

/** Returns why a payment failed, the likeliest reason first; none if nothing that was asked explains it. */
export function paymentCauses(explained: ExplainedPayment, context: ViewContext): readonly PaymentCause[] {
  const { facts } = explained;
  if (facts.tokenFacts.isSilent) return [unsupportedCause(facts)];
  const causes = [
    ...callerCauses(facts, context),
    ...stoppedCauses(facts, context),
    ...timeCauses(facts),
    ...nonceCauses(explained),
    ...signatureCauses(explained, context),
    ...payeeCauses(facts),
    ...balanceCauses(facts, context),
  ];
  const hint = topicIn(reasonIn(explained, context));
  const rank = ({ topic, isUnsure }: PaymentCause): number => (topic === hint ? 0 : isUnsure ? 2 : 1);
  return causes.sort((a, b) => rank(a) - rank(b));
}

/** What tokens say, by topic. The first that fits counts: an expired signature is a matter of time. */
const hints: readonly (readonly [CauseTopic, RegExp])[] = [
  ["time", /expired|not yet|notvalidnow|deadline|too (?:early|late)/i],
  ["caller", /caller|payee/i],
  ["nonce", /nonce|\bused\b|usedor|cancel/i],
  ["paused", /pause/i],
  ["blocked", /blacklist|frozen|denied|sanction/i],
  ["payee", /zero address|receiver/i],
  ["balance", /balance|exceed|insufficient/i],
  ["signature", /sign|ecrecover|permit|1271/i],
];

function reasonIn({ revertData, message }: ExplainedPayment, { scope }: ViewContext): string {
  return `${revertReason(decodeRevert(revertData, scope))} ${message}`;
}

function topicIn(reason: string): CauseTopic | undefined {
  return hints.find(([, words]) => words.test(reason))?.[0];
}

function callerCauses({ payment, caller }: PaymentFacts, { labels }: ViewContext): readonly PaymentCause[] {
  const { to } = payment.words;
  if (payment.kind !== "receive" || to === undefined) return [];
  const payee = addressOf(to);
  if (caller === payee) return [];
  const who = caller === undefined ? "the zero address, since the call has no `from`" : name(caller, labels);
  const what = `The caller is ${who}; only the payee ${name(payee, labels)} may call \`receiveWithAuthorization\`.`;
  const todo = "Call as the payee, or sign for `transferWithAuthorization`.";
  const fix = { label: "Call as the Payee", json: JSON.stringify(payee) };
  return [{ ...causeAt("call.from", "caller", "caller", what, todo), fix }];
}

function stoppedCauses({ payment, tokenFacts, token }: PaymentFacts, { labels }: ViewContext): readonly PaymentCause[] {
  const todo = `Wait until ${name(token, labels)} is not paused.`;
  const paused = causeAt("call.to", "paused", "paused", "The token is paused.", todo);
  const blocked = tokenFacts.blocked.map((arg) => {
    const account = name(addressOf(payment.words[arg] ?? "0x"), labels);
    const what = `The token has blocked \`${arg}\`, ${account} (\`isBlacklisted\`).`;
    return causeAt(arg, "blocked", "blocked", what, "Use another account.");
  });
  return [...(tokenFacts.isPaused ? [paused] : []), ...blocked];
}

function timeCauses({ payment, time }: PaymentFacts): readonly PaymentCause[] {
  if (time === undefined) return [];
  const { validAfter, validBefore, deadline, expiry } = payment.words;
  const causes: PaymentCause[] = [];
  const now = `the block's time (${formatTime(time)})`;
  if (validAfter !== undefined && time <= BigInt(validAfter)) {
    const from = BigInt(validAfter);
    const what = `Valid only after ${formatTime(from)}, ${away(from - time)} after ${now}.`;
    const todo = milliseconds(from) ?? "Wait, or sign again with an earlier `validAfter`.";
    causes.push(causeAt("validAfter", "time", "not yet valid", what, todo));
  }
  const [arg, until, isOver] = endOf({ validBefore, deadline, expiry }, time);
  if (arg !== undefined && until !== undefined && isOver) {
    const what = `Expired: valid until ${formatTime(until)}, ${away(time - until)} before ${now}.`;
    const todo = `Sign again with a later \`${arg}\`${until < 1_000_000_000n ? ", in seconds since 1970, not a duration" : ""}.`;
    causes.push(causeAt(arg, "time", "expired", what, todo));
  }
  return causes;
}

type End = readonly [arg?: string, until?: bigint, isOver?: boolean];

/** An authorization ends before its second, a permit after it. */
function endOf({ validBefore, deadline, expiry }: Readonly<Record<string, Hex | undefined>>, time: bigint): End {
  if (validBefore !== undefined) return ["validBefore", BigInt(validBefore), time >= BigInt(validBefore)];
  if (deadline !== undefined) return ["deadline", BigInt(deadline), time > BigInt(deadline)];
  if (expiry !== undefined) return ["expiry", BigInt(expiry), BigInt(expiry) !== 0n && time > BigInt(expiry)];
  return [];
}

function away(seconds: bigint): string {
  return seconds > 31_556_952_000n ? "more than 1,000 years" : formatDuration(Number(seconds) * 1000);
}

/** Times of this century in milliseconds. */
function milliseconds(time: bigint): string | undefined {
  const looks = time > 1_000_000_000_000n && time < 10_000_000_000_000n;
  return looks ? "It looks like milliseconds: sign again with seconds." : undefined;
}

function nonceCauses({ facts, ending }: ExplainedPayment): readonly PaymentCause[] {
  const { payment, tokenFacts } = facts;
  if (tokenFacts.isUsed === true) {
    const how = ending ?? "used or cancelled";
    const what = `The authorization with this \`nonce\` was ${how}.`;
    const todo =
      payment.kind === "cancel" ? "There is nothing left to cancel." : "Sign a new authorization with another `nonce`.";
    return [causeAt("nonce", "nonce", `nonce ${how}`, what, todo)];
  }
  if (tokenFacts.isUsedInBlock) {
    const what = "Another transaction of the same block used the authorization with this `nonce`.";
    const todo = "Check which of the two came first.";
    return [{ ...causeAt("nonce", "nonce", "nonce used in block", what, todo), isUnsure: true }];
  }
  const given = payment.kind === "dai-permit" ? payment.words.nonce : undefined;
  if (given === undefined || tokenFacts.nonce === undefined || BigInt(given) === tokenFacts.nonce) return [];
  return [permitNonceCause(BigInt(given), tokenFacts.nonce, ["nonce"])];
}

function payeeCauses({ payment }: PaymentFacts): readonly PaymentCause[] {
  const { to } = payment.words;
  if (to === undefined || BigInt(to) !== 0n) return [];
  const what = "`to` is the zero address, which tokens do not pay.";
  return [causeAt("to", "payee", "zero payee", what, "Sign again for the payee.")];
}

function balanceCauses(
  { payment, tokenFacts, token }: PaymentFacts,
  { labels, tokens }: ViewContext,
): readonly PaymentCause[] {
  const { value } = payment.words;
  if (value === undefined || tokenFacts.balance === undefined || tokenFacts.balance >= BigInt(value)) return [];
  const { symbol = "", decimals } = tokenFacts;
  const unit: Token | undefined =
    tokens.get(token) ?? (decimals === undefined ? undefined : { symbol, decimals, source: "its contract" });
  const amount = (units: bigint): string => (unit ? tokenShown(String(units), unit).text : `${units} units`);
  const [has, needs] = [tokenFacts.balance, BigInt(value)];
  const what = `${name(payment.signer, labels)} has ${amount(has)}; \`value\` is ${amount(needs)}: ${amount(needs - has)} short.`;
  return [causeAt("value", "balance", "balance", what, "Fund the account, or sign again with a smaller `value`.")];
}

/** A contract that answers none of the questions. */
function unsupportedCause({ payment }: PaymentFacts): PaymentCause {
  const isPermit = payment.kind === "permit" || payment.kind === "dai-permit";
  const [asked, standard] = isPermit ? ["nonces", "EIP-2612"] : ["authorizationState", "EIP-3009"];
  const what = `The contract answers neither \`${asked}\` nor \`DOMAIN_SEPARATOR\`: it seems not to support ${standard}.`;
  return causeAt("call.to", "token", "not supported", what, "Check the token's address and chain.");
}

function name(account: Hex, labels: ViewContext["labels"]): string {
  return briefText(addressShown(account, labels));
}
