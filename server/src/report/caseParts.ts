import { checksummed } from "../abi/address.ts";
import { isAddress, quantity } from "../base/hex.ts";
import type { JsonValue } from "../base/json.ts";
import { plural } from "../base/text.ts";
import { grouped, percentOf } from "../base/units.ts";
import { itemText } from "./caseAction.ts";
import { type CaseFacts, caseMethods, isInBlock, receiptMethod, traceSource } from "./caseFacts.ts";
import { flowOf } from "./flow.ts";
import { type BalanceChange, balanceChanges, feePayer, type Transfer, type ValueMovement } from "./movements.ts";
import { feeParts, feeWei } from "./receipts.ts";
import type { Field, Section, Shown } from "./report.ts";
import { addressShown, hashShown, weiShown } from "./shown.ts";
import { filled, nothing, table } from "./table.ts";
import { tokenShown } from "./tokens.ts";
import type { ViewContext } from "./view.ts";

const fromTransaction = `from ${caseMethods.transaction}`;

/** The value that was moved: a picture, each movement, and what every account has more or less. */
export function movementSections(
  facts: CaseFacts,
  movements: readonly ValueMovement[],
  context: ViewContext,
): readonly Section[] {
  if (!facts.receipt) return [];
  const changes = balanceChanges(facts, movements);
  const amounts = movements.filter(({ id }) => id === undefined);
  const moved = table(
    movements,
    filled(movements, [
      { name: "From", of: ({ from }) => addressShown(from, context.labels) },
      { name: "To", of: ({ to }) => addressShown(to, context.labels) },
      { name: "Amount", align: "right", of: (one) => amountShown(one, one.amount, context) },
      { name: "Token", of: ({ asset }) => (asset === "" ? nothing : addressShown(asset, context.labels)) },
      { name: "Source", of: ({ source, method }) => ({ text: source, also: [`from ${method}`] }) },
    ]),
    "Value movements",
  );
  return [
    ...(movements.length === 0 ? [] : [...flowOf(amounts, context), moved]),
    ...(changes.length === 0 ? [] : [changeTable(facts, changes, context)]),
  ];
}

function changeTable(
  { receipt, transaction }: CaseFacts,
  changes: readonly BalanceChange[],
  context: ViewContext,
): Section {
  const payer = receipt && feePayer(receipt);
  return table(
    changes,
    filled(changes, [
      { name: "Account", of: ({ address }) => addressShown(address, context.labels) },
      {
        name: "Change",
        align: "right",
        of: (one) => {
          const { text, short, ...shown } = amountShown(one, one.change < 0n ? -one.change : one.change, context);
          const sign = one.change < 0n ? "−" : "+";
          return {
            ...shown,
            text: `${sign}${text}`,
            ...(short !== undefined && { short: `${sign}${short}` }),
            raw: one.change.toString(),
          };
        },
      },
      { name: "Token", of: ({ asset }) => (asset === "" ? nothing : addressShown(asset, context.labels)) },
      {
        name: "Note",
        of: ({ address, asset, incomplete }) => ({
          text: [
            ...(asset === "" && address === payer ? ["includes the fee"] : []),
            ...(incomplete
              ? [`without what ${transaction ? "calls inside move" : "the transaction and calls inside move"}`]
              : []),
          ].join(", "),
        }),
      },
    ]),
    "Balance changes",
  );
}

function amountShown({ asset, id }: Transfer | BalanceChange, amount: bigint, context: ViewContext): Shown {
  if (asset === "") return weiShown(amount, amount.toString());
  const token = id === undefined ? context.tokens.get(asset) : undefined;
  if (token) return tokenShown(amount.toString(), token);
  return { text: id === undefined ? grouped(amount) : itemText(amount, id), raw: amount.toString(), role: "amount" };
}

export function gasSections(facts: CaseFacts): readonly Section[] {
  const { transaction, receipt, trace } = facts;
  if (!receipt) return [];
  const field = (name: string, value: Shown, from = `from ${receiptMethod(facts)}`): Field =>
    fieldFrom(name, value, from);
  const wei = (name: string, value: JsonValue | undefined): Field | undefined => {
    const amount = quantity(value);
    return amount === undefined ? undefined : field(name, weiShown(amount, String(value)));
  };
  const [used, limit] = [quantity(receipt.gasUsed), quantity(transaction?.gas)];
  const fee = feeWei(receipt);
  const feeToken = receipt.feeToken ?? transaction?.feeCurrency;
  const [, ...parts] = feeParts(receipt) ?? [];
  const share = used !== undefined && limit ? `, ${percentOf(used, limit)} of the limit ${grouped(limit)}` : "";
  const refund = quantity(trace?.gasRefund);
  const fields: readonly (Field | undefined)[] = [
    used === undefined ? undefined : field("used", { text: `${grouped(used)}${share}`, raw: String(receipt.gasUsed) }),
    refund === undefined ? undefined : field("refund", { text: grouped(refund) }, `from ${traceSource(facts)}`),
    wei("price", receipt.effectiveGasPrice),
    fee === undefined ? undefined : field("fee", weiShown(fee)),
    isAddress(feeToken) ? field("fee", { text: `paid in the token ${checksummed(feeToken)}` }) : undefined,
    ...parts.map(({ name, wei: part }) =>
      part === 0n || !fee
        ? undefined
        : field(name, { ...weiShown(part), text: `${weiShown(part).text}, ${percentOf(part, fee)} of the fee` }),
    ),
    parts.some(({ name }) => name === "blobs") ? wei("blob price", receipt.blobGasPrice) : undefined,
  ];
  const known = fields.filter((one) => one !== undefined);
  return known.length === 0 ? [] : [{ kind: "fields", title: "Gas", fields: known }];
}

function fieldFrom(name: string, value: Shown, from: string): Field {
  return { name, value: { ...value, also: [...(value.also ?? []), from] } };
}

/** The place of the transaction in the row of its sender, and what took that place. */
export function nonceSections(facts: CaseFacts, { labels }: ViewContext): readonly Section[] {
  const { transaction, nonces, replacement } = facts;
  const nonce = quantity(transaction?.nonce);
  if (!transaction || nonce === undefined) return [];
  const counts: readonly (Field | undefined)[] = [
    fieldFrom("nonce", { text: nonce.toString() }, fromTransaction),
    nonces?.latest === undefined
      ? undefined
      : fieldFrom("sender's next nonce", { text: nonces.latest.toString() }, 'from eth_getTransactionCount("latest")'),
    nonces?.pending === undefined
      ? undefined
      : fieldFrom("including pending", { text: nonces.pending.toString() }, 'from eth_getTransactionCount("pending")'),
    replacement?.found
      ? fieldFrom("replaced by", hashShown(replacement.found.hash), `in block ${grouped(replacement.found.block)}`)
      : undefined,
  ];
  const sender = addressShown(transaction.from ?? null, labels).text;
  return [
    { kind: "fields", title: "Nonce", fields: counts.filter((one) => one !== undefined) },
    ...noteOf(facts, nonce, sender),
  ];
}

function noteOf(facts: CaseFacts, nonce: bigint, sender: string): readonly Section[] {
  const { nonces, replacement } = facts;
  if (isInBlock(facts) || nonces?.latest === undefined) return [];
  const note = (text: string): readonly Section[] => [{ kind: "note", text }];
  if (replacement) {
    const { found, searched } = replacement;
    const [block, unseen] = found
      ? [`, in block ${grouped(found.block)}`, ""]
      : ["", ` It is not in the last ${plural(searched, "block")}.`];
    return note(
      `Nonce ${nonce} of ${sender} is used by another transaction${block}: this one can no longer be executed.${unseen}`,
    );
  }
  if (nonce > nonces.latest)
    return note(`It waits for ${plural(nonce - nonces.latest, "transaction")} of ${sender} with a lower nonce.`);
  return note(`It is next for ${sender}: it waits for a block.`);
}
