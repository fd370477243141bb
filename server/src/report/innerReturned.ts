import { innerReason } from "../abi/decodeRevert.ts";
import type { InnerReturned } from "../abi/innerReturns.ts";
import { isAddress } from "../base/hex.ts";
import { oneLine, plural } from "../base/text.ts";
import { guessOf, sourceText } from "./call.ts";
import type { Section, Shown } from "./report.ts";
import { returnShown, valueFields, valuesText } from "./returnedValues.ts";
import { revertText } from "./revertText.ts";
import { addressShown, inlineText } from "./shown.ts";
import { filled, nothing, table } from "./table.ts";
import { returnsAmount } from "./tokens.ts";
import type { ViewContext } from "./view.ts";

/** The result of a call inside another one, and the path of that call. */
export interface InnerRow {
  /** `3`, and `3 › 0` for the first call inside of that one. */
  readonly place: string;
  readonly returned: InnerReturned;
}

/** All of them in order, those inside of others behind them. */
export function innerRows(inner: readonly InnerReturned[], prefix = ""): readonly InnerRow[] {
  return inner.flatMap((returned, at) => {
    const [, found] = returned.path.filter((step) => typeof step === "number");
    const place = `${prefix}${found ?? at}`;
    return [{ place, returned }, ...innerRows(returned.inner, `${place} › `)];
  });
}

/** A table of the results of inner calls, a row each; empty if there are none. */
export function innerSections(rows: readonly InnerRow[], context: ViewContext): readonly Section[] {
  if (rows.length === 0) return [];
  const columns = filled<InnerRow>(rows, [
    { name: "Call", align: "right", of: ({ place }) => ({ text: place }) },
    {
      name: "Contract",
      of: ({ returned: { asked } }) => (asked.to === undefined ? nothing : addressShown(asked.to, context.labels)),
    },
    { name: "Function", of: ({ returned }) => functionShown(returned) },
    { name: "Result", of: ({ returned }) => resultShown(returned, context) },
  ]);
  return [table(rows, columns, "Returned by the calls inside")];
}

/** How they went on one line: `2 calls inside, 1 failed: balanceOf 7, transfer reverted: too small`. */
export function innerText(inner: readonly InnerReturned[], context: ViewContext): string {
  const failed = inner.filter(({ revert }) => revert).length;
  const each = inner.slice(0, 20).map((one) => {
    const below =
      one.inner.length > 0 ? ` (${innerText(one.inner, context)})` : ` ${inlineText(resultShown(one, context))}`;
    return functionShown(one).text + below;
  });
  const all = `${plural(inner.length, "call")} inside${failed > 0 ? `, ${failed} failed` : ""}`;
  return oneLine(`${all}: ${each.join(", ")}`, 200);
}

function functionShown({ asked: { call, data } }: InnerReturned): Shown {
  if (call) {
    const also = [`${oneLine(call.signature, 200)} ${sourceText(call.source, call.guess)}`];
    return { text: oneLine(call.name, 60), also, ...guessOf(call), role: "name" };
  }
  return { text: data.length < 10 ? "no function" : `unknown function ${data.slice(0, 10)}`, role: "bytes" };
}

function resultShown({ revert, returned, data, asked, inner }: InnerReturned, context: ViewContext): Shown {
  const raw = data.length <= 4096 ? { raw: data } : {};
  if (revert)
    return { text: oneLine(`reverted: ${revertText(revert, context, asked.to, innerReason)}`), ...raw, role: "bad" };
  if (inner.length > 0) return { text: innerText(inner, context), ...raw };
  if (returned) {
    const { item, values } = returned;
    const token = returnsAmount(item.signature) && isAddress(asked.to) ? asked.to.toLowerCase() : undefined;
    const fields = valueFields(item.outputs, values, context, token, item.signature);
    const [only] = fields;
    return only && fields.length === 1 ? { ...only.value, ...raw } : { text: valuesText(fields), ...raw };
  }
  if (data !== "0x") return returnShown(data, context);
  return { text: asked.call?.item.outputs.length === 0 ? "succeeded" : "no data returned" };
}
