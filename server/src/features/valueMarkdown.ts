import type { Decoded } from "../abi/decode.ts";
import { code, escaped, figure, joined, type Markdown, markdown } from "../base/markdown.ts";
import { formatUnits } from "../base/units.ts";
import type { Shown } from "../report/report.ts";
import { abiShown, type Labels } from "../report/shown.ts";

const greatest = 2n ** 256n - 1n;

/** A decoded ABI value as Markdown: names of addresses before them, amounts also with the decimals that tokens have. */
export function abiValueMarkdown(value: Decoded, type: string, names: Labels): Markdown {
  const shown = shownMarkdown(abiShown(value, type, names));
  if (!/^u?int\d*$/.test(type) || typeof value !== "string" || !/^\d{13,}$/.test(value)) return shown;
  const amount = BigInt(value);
  if (amount === greatest) return markdown`${code("2^256 - 1")} (the largest value: no limit)`;
  return markdown`${shown} (${figure(formatUnits(amount, 18))} with 18 decimals)`;
}

/** The value as a report would show it, on a line of Markdown. */
export function shownMarkdown({ text, raw, role, also = [] }: Shown): Markdown {
  const first = role === "name" && raw !== undefined ? markdown`${escaped(text)} ${code(raw)}` : code(text, 200);
  return joined([first, ...also.map((one) => escaped(one))], " · ");
}
