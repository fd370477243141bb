import { isAddress, isWord, quantity } from "../base/hex.ts";
import { isArray, isObject, type JsonObject, type JsonValue } from "../base/json.ts";
import { plural } from "../base/text.ts";
import { grouped, percentOf } from "../base/units.ts";
import { type LogRow, logSections } from "./logs.ts";
import { objectSections } from "./object.ts";
import type { Field, HeadlinePart, NoteSection, Section, Shown } from "./report.ts";
import {
  addressShown,
  badShown,
  briefText,
  hashShown,
  isUnsealed,
  type Labels,
  placeOf,
  quantityShown,
  statusShown,
  unsealedText,
  weiShown,
} from "./shown.ts";
import { partiesText, partyName } from "./simulatedCall.ts";
import { type Cells, filled, logCounts, nonZero, nothing, present, quantities, series, table } from "./table.ts";
import { statePart } from "./transaction.ts";
import { answerSection, foldedTable, type View, type ViewContext } from "./view.ts";

/** The result of `eth_getBlockReceipts`. */
export function receiptsView(receipts: readonly JsonValue[], context: ViewContext): View {
  if (receipts.length === 0) return { summary: "no receipts: the block has no transactions", sections: [] };
  const objects = receipts.filter(isObject);
  const failed = objects.filter(({ status }) => status === "0x0").length;
  const gas = objects.reduce((sum, { gasUsed }) => sum + (quantity(gasUsed) ?? 0n), 0n);
  const logs = receipts.flatMap((receipt, index) => logRows(receipt, index));
  return {
    summary: [
      plural(receipts.length, "receipt"),
      ...(failed > 0 ? [`${failed} failed`] : []),
      plural(logs.length, "log"),
      `${grouped(gas)} gas`,
    ].join(", "),
    sections: [
      table(receipts, filled(receipts, columns(context)), "Receipts", { json: (row) => row }),
      ...gasSeries(objects),
      ...logSections(logs, ["#"], context),
    ],
  };
}

function gasSeries(receipts: readonly JsonObject[]): readonly Section[] {
  const points = receipts.flatMap(({ gasUsed }, at) => {
    const gas = quantity(gasUsed);
    return gas === undefined ? [] : [{ at: String(at), value: Number(gas), text: `${grouped(gas)} gas` }];
  });
  return series("Gas by transaction", "bars", "transaction", points).map((section) => ({ ...section, folded: true }));
}

function logRows(receipt: JsonValue, index: number): readonly LogRow[] {
  const logs = isObject(receipt) && isArray(receipt.logs) ? receipt.logs : [];
  return logs.map((log) => ({ log, place: [indexOf(receipt, index)] }));
}

function indexOf(receipt: JsonValue, index: number): Shown {
  if (!isObject(receipt)) return badShown(receipt, "not a receipt");
  return receipt.transactionIndex === undefined
    ? { text: String(index) }
    : quantityShown(receipt.transactionIndex, "index");
}

function columns(context: ViewContext): readonly Cells<JsonValue>[] {
  const { labels, sealed } = context;
  const of = (show: (receipt: JsonObject) => Shown): Cells<JsonValue>["of"] => {
    return (receipt) => (isObject(receipt) ? show(receipt) : nothing);
  };
  const member = (name: string) => (receipt: JsonValue) => (isObject(receipt) ? receipt[name] : undefined);
  return [
    { name: "#", align: "right", of: indexOf },
    { name: "Status", of: of(({ status }) => statusShown(status)) },
    { name: "State", of: of((one) => (isUnsealed(placeOf(one), sealed) ? { text: unsealedText(context) } : nothing)) },
    { name: "Transaction", of: of(({ transactionHash }) => present(transactionHash, hashShown)) },
    { name: "From", of: of(({ from }) => present(from, (value) => addressShown(value, labels))) },
    { name: "To", of: of((receipt) => targetShown(receipt, labels)) },
    quantities("Gas", "gas", member("gasUsed")),
    { name: "Fee", align: "right", of: of(feeShown) },
    logCounts(member("logs")),
    quantities("Gas price", "wei", member("effectiveGasPrice")),
    quantities("Blob gas", "gas", (receipt) => nonZero(member("blobGasUsed")(receipt))),
  ];
}

/** The result of `eth_getTransactionReceipt`. */
export function receiptView(receipt: JsonObject, context: ViewContext): View {
  const { status, gasUsed, logs } = receipt;
  const fee = feeShown(receipt);
  const created = createdShown(receipt, context.labels);
  const [fields, ...rest] = objectSections("receipt", receipt, context);
  const paid: readonly Field[] = fee.text === "" ? [] : [{ name: "fee paid", value: fee }];
  return {
    summary: [
      status === undefined || status === null ? "receipt" : statusShown(status).text,
      ...(created.text === "" ? [] : [`created ${created.text}`]),
      ...(quantity(gasUsed) === undefined ? [] : [`${quantityShown(gasUsed ?? null, "gas").text} gas`]),
      ...(fee.text === "" ? [] : [`fee ${fee.text}`]),
      ...(isArray(logs) ? [plural(logs.length, "log")] : []),
    ].join(", "),
    headline: headlineOf(receipt, fee, context),
    sections: [
      ...whySections(receipt),
      ...rest.map((section) => (section.kind === "table" && section.rows.length > 20 ? foldedTable(section) : section)),
      ...(fields?.kind === "fields"
        ? [{ ...fields, title: "All fields", fields: [...fields.fields, ...paid], folded: true as const }]
        : []),
      answerSection(receipt),
    ],
  };
}

/** A receipt does not say why its transaction reverted. */
function whySections({ status, transactionHash }: JsonObject): readonly NoteSection[] {
  if (status !== "0x0" || !isWord(transactionHash)) return [];
  const text = 'A receipt does not say why it reverted. Add `"explain": true` to the request for the reason.';
  return [{ kind: "note", text, actions: [{ kind: "explain", label: "Explain", text: transactionHash }] }];
}

/** Returns whether it succeeded and who took part; gas and fee are quiet. */
function headlineOf(receipt: JsonObject, fee: Shown, context: ViewContext): readonly HeadlinePart[] {
  const { status, from, to, gasUsed, blockNumber } = receipt;
  const created = createdShown(receipt, context.labels);
  const called = partyName(to, context) || "new contract";
  const target = created.text === "" ? called : `new contract ${briefText(created)}`;
  const failed = status === "0x0";
  const l1 = quantity(receipt.l1Fee);
  const all = feeWei(receipt);
  const share = l1 && all ? `, ${percentOf(l1, all, 0)} of it L1` : "";
  const about = [
    ...(quantity(gasUsed) === undefined ? [] : [`${quantityShown(gasUsed ?? null, "gas").text} gas`]),
    ...(fee.text === "" ? [] : [`fee ${briefText(fee)}${share}`]),
    ...(quantity(blockNumber) === undefined ? [] : [`block ${quantityShown(blockNumber ?? null, "block").text}`]),
  ];
  return [
    { text: failed ? "Reverted" : status === "0x1" ? "Succeeded" : "Receipt", ...(failed && { role: "bad" as const }) },
    { text: partiesText(partyName(from, context), target), role: "plain" },
    ...statePart(receipt, context),
    { text: about.join(" · "), exact: [...about, fee.text].join(" · "), role: "quiet" },
  ];
}

/** Who was called, or the contract that came to be. */
function targetShown(receipt: JsonObject, labels: Labels): Shown {
  const { to } = receipt;
  if (to !== undefined && to !== null) return addressShown(to, labels);
  const created = createdShown(receipt, labels);
  return created.role === "address" ? { ...created, text: `${created.text} (new)`, raw: created.text } : created;
}

/**
 * The contract that came to be. Nodes name one for a creation that failed too, and some name the zero address for every
 * other transaction.
 */
function createdShown({ status, to, contractAddress }: JsonObject, labels: Labels): Shown {
  const isCall = to !== undefined && to !== null;
  return isCall || status === "0x0" ? nothing : present(contractAddress, (value) => addressShown(value, labels));
}

/**
 * The fee that the sender paid: execution, blobs, and on layer 2 the data on layer 1 and the operator.
 * @see https://docs.optimism.io/stack/transactions/fees
 */
function feeShown(receipt: JsonObject): Shown {
  const wei = feeWei(receipt);
  return wei === undefined ? nothing : weiShown(wei);
}

/** Returns the fee that the sender paid, in wei. */
export function feeWei(receipt: JsonObject): bigint | undefined {
  return feeParts(receipt)?.reduce((sum, { wei }) => sum + wei, 0n);
}

/** A part of a fee, in wei. */
export interface FeePart {
  readonly name: "execution" | "blobs" | "L1 part" | "operator part";
  readonly wei: bigint;
}

/**
 * Returns everything that a fee consists of, each part that a receipt has; `undefined` if it does not tell, or if the fee
 * is not, or may not be, in the native currency.
 */
export function feeParts(receipt: JsonObject): readonly FeePart[] | undefined {
  if (receipt.type === paidInToken || isAddress(receipt.feeToken)) return undefined;
  const [used, price] = [quantity(receipt.gasUsed), quantity(receipt.effectiveGasPrice)];
  if (used === undefined || price === undefined) return undefined;
  const parts: readonly { readonly name: FeePart["name"]; readonly wei: bigint | undefined }[] = [
    { name: "execution", wei: used * price },
    { name: "blobs", wei: blobFeeWei(receipt) },
    { name: "L1 part", wei: quantity(receipt.l1Fee) },
    { name: "operator part", wei: operatorFeeWei(receipt) },
  ];
  return parts.flatMap(({ name, wei }) => (wei === undefined ? [] : [{ name, wei }]));
}

/**
 * The type of transactions of Celo whose fee can be in a token, which only the transaction names. A receipt of Tempo names
 * the token.
 *
 * @see https://github.com/celo-org/celo-proposals/blob/master/CIPs/cip-0064.md
 * @see https://docs.tempo.xyz/protocol/fees/spec-fee
 */
const paidInToken = "0x7b";

/** After Jovian, the gas of blobs is the footprint of the data, which is not paid for. */
function blobFeeWei(receipt: JsonObject): bigint | undefined {
  const [used, price] = [quantity(receipt.blobGasUsed), quantity(receipt.blobGasPrice)];
  return used === undefined || price === undefined || isJovian(receipt) ? undefined : used * price;
}

/**
 * Returns the part of a fee that an OP stack chain takes for its operator, in wei; `undefined` if the receipt has none.
 *
 * @see https://specs.optimism.io/protocol/isthmus/exec-engine.html
 * @see https://specs.optimism.io/protocol/jovian/exec-engine.html
 */
function operatorFeeWei(receipt: JsonObject): bigint | undefined {
  const { operatorFeeScalar, operatorFeeConstant, gasUsed } = receipt;
  const [scalar, constant] = [quantity(operatorFeeScalar), quantity(operatorFeeConstant)];
  if (scalar === undefined && constant === undefined) return undefined;
  if (receipt.type === "0x7e") return 0n; // a deposit is paid for on layer 1
  const scaled = (quantity(gasUsed) ?? 0n) * (scalar ?? 0n);
  return (isJovian(receipt) ? scaled * 100n : scaled / 1_000_000n) + (constant ?? 0n);
}

function isJovian({ daFootprintGasScalar }: JsonObject): boolean {
  return quantity(daFootprintGasScalar) !== undefined;
}
