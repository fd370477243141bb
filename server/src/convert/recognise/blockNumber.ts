import { grouped } from "../../base/units.ts";
import { tags } from "../../catalog/tags.ts";
import { blockCell } from "./cells.ts";
import { type Reading, reading } from "./reading.ts";

/** Larger numbers are amounts, times in milliseconds or identities. */
const maxBlock = 1_000_000_000_000n;

export function blockReading(number: bigint, note = ""): Reading {
  const text = grouped(number);
  if (number >= maxBlock) return reading(`Number ${text}`, `Too large for a block number.${note}`);
  const time = 1_400_000_000n < number && number < 2_200_000_000n ? timeNote(Number(number)) : "";
  return reading(`Block ${text}`, `The block with this number.${time}${note}`, blockCell(number));
}

function timeNote(seconds: number): string {
  return ` As a time it is ${new Date(seconds * 1000).toISOString().replace(".000Z", " UTC").replace("T", " ")}.`;
}

/** Groups of three digits, with the marks that people put between them. */
const decimal = /^\d{1,3}(?:([,_.'’ \u00a0\u2009\u202f])\d{3})(?:\1\d{3})*$|^\d+$/;

/**
 * Reads a text that is a block: `21000000`, `21,000,000`, `0x1406f40`, `block 21_000_000`, `#21000000`, `latest`.
 *
 * @returns `undefined` for other texts.
 */
export function blockOf(text: string): Reading | undefined {
  if (text.length > 100) return undefined;
  const [, word = "", rest = ""] =
    /^(?:the )?(block(?:\s*(?:number|height|no\.?|tag))?\s*(?:#|:|=|is)?\s*|#\s*)?(.+)$/i.exec(text) ?? [];
  const tag = tags.find((one) => one.tag === rest.toLowerCase());
  if (tag) return reading(`Block ${tag.tag}`, tag.summary, blockCell(tag.tag));
  if (word !== "" && /^0x[\da-f]{1,16}$/i.test(rest)) return blockReading(BigInt(rest));
  if (!decimal.test(rest)) return undefined;
  return blockReading(BigInt(rest.replace(/\D/g, "")));
}
