import { quantity } from "../base/hex.ts";
import type { JsonObject, JsonValue } from "../base/json.ts";
import { isArray, isObject } from "../base/json.ts";
import { plural } from "../base/text.ts";
import { grouped } from "../base/units.ts";
import type { LogRow } from "./logs.ts";
import { logSections } from "./logs.ts";
import { objectSections } from "./object.ts";
import type { Field, Shown } from "./report.ts";
import type { Labels } from "./shown.ts";
import { addressShown, badShown, hashShown, isUnsealed, quantityShown, statusShown, weiShown } from "./shown.ts";
import type { Cells } from "./table.ts";
import { filled, nothing, table } from "./table.ts";
import type { View, ViewContext } from "./view.ts";

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
      table(receipts, filled(receipts, columns(context)), "Receipts"),
      ...logSections(logs, ["#"], context, { mined: false }, "Logs"),
    ],
  };
}

function logRows(receipt: JsonValue, index: number): readonly LogRow[] {
  const logs = isObject(receipt) && isArray(receipt.logs) ? receipt.logs : [];
  return logs.map((log) => ({ log, place: [placeOf(receipt, index)] }));
}

function placeOf(receipt: JsonValue, index: number): Shown {
  if (!isObject(receipt)) return badShown(receipt, "not a receipt");
  return receipt.transactionIndex === undefined
    ? { text: String(index) }
    : quantityShown(receipt.transactionIndex, "index");
}

function columns({ labels }: ViewContext): readonly Cells<JsonValue>[] {
  const of = (show: (receipt: JsonObject) => Shown): Cells<JsonValue>["of"] => {
    return (receipt) => (isObject(receipt) ? show(receipt) : nothing);
  };
  return [
    { name: "#", align: "right", of: placeOf },
    { name: "Status", of: of(({ status }) => statusShown(status)) },
    { name: "State", of: of(({ blockHash }) => (isUnsealed(blockHash) ? { text: "pre-confirmed" } : nothing)) },
    { name: "Transaction", of: of(({ transactionHash }) => present(transactionHash, hashShown)) },
    { name: "From", of: of(({ from }) => present(from, (value) => addressShown(value, labels))) },
    { name: "To", of: of((receipt) => targetShown(receipt, labels)) },
    { name: "Gas", align: "right", of: of(({ gasUsed }) => present(gasUsed, (value) => quantityShown(value, "gas"))) },
    { name: "Fee", align: "right", of: of(feeShown) },
    { name: "Logs", align: "right", of: of(({ logs }) => (isArray(logs) ? { text: String(logs.length) } : nothing)) },
    {
      name: "Gas price",
      align: "right",
      of: of(({ effectiveGasPrice }) => present(effectiveGasPrice, (value) => quantityShown(value, "wei"))),
    },
    {
      name: "Blob gas",
      align: "right",
      of: of(({ blobGasUsed }) => (quantity(blobGasUsed) ? quantityShown(blobGasUsed ?? null, "gas") : nothing)),
    },
  ];
}

/** The result of `eth_getTransactionReceipt`. */
export function receiptView(receipt: JsonObject, context: ViewContext): View {
  const { status, gasUsed, contractAddress, logs } = receipt;
  const fee = feeShown(receipt);
  const created = present(contractAddress, (value) => addressShown(value, context.labels));
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
    sections:
      fields?.kind === "fields"
        ? [{ ...fields, fields: [...fields.fields, ...paid] }, ...rest]
        : [fields, ...rest].filter((one) => one !== undefined),
  };
}

/** Who was called, or the contract that came to be. */
function targetShown({ to, contractAddress }: JsonObject, labels: Labels): Shown {
  if (to !== undefined && to !== null) return addressShown(to, labels);
  const created = present(contractAddress, (value) => addressShown(value, labels));
  return created.role === "address" ? { ...created, text: `${created.text} (new)`, raw: created.text } : created;
}

/**
 * The fee that the sender paid: execution, blobs, and on layer 2 the data on layer 1.
 * @see https://docs.optimism.io/stack/transactions/fees
 */
function feeShown(receipt: JsonObject): Shown {
  const [used, price] = [quantity(receipt.gasUsed), quantity(receipt.effectiveGasPrice)];
  if (used === undefined || price === undefined) return nothing;
  const blobs = (quantity(receipt.blobGasUsed) ?? 0n) * (quantity(receipt.blobGasPrice) ?? 0n);
  return weiShown(used * price + blobs + (quantity(receipt.l1Fee) ?? 0n));
}

function present(value: JsonValue | undefined, show: (value: JsonValue) => Shown): Shown {
  return value === undefined || value === null ? nothing : show(value);
}
