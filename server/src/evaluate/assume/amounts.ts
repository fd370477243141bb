import { wholeNumber } from "../../abi/encode.ts";
import { quantity } from "../../base/hex.ts";
import type { JsonValue } from "../../base/json.ts";
import { amountInWei } from "../../base/units.ts";
import { exactValue, type JsonNode } from "../../notebook/json.ts";

/**
 * Reads an amount of whole tokens.
 *
 * @param places - Decimals of the token.
 * @returns The amount in the smallest unit, or a clause that says what is wrong.
 * @example tokenUnits("1,000.5", 6); //=> 1000500000n
 */
export function tokenUnits(text: string, places: number): bigint | string {
  const [all, whole = "", fraction = ""] = amountParts.exec(text.length > 120 ? "" : text) ?? [];
  if (all === undefined) return "expected an amount of whole tokens, such as `1000` or `0.5`";
  const digits = fraction.replace(/0+$/, "");
  if (digits.length > places)
    return `it has ${digits.length} digits after the point, and the token has ${places === 0 ? "none" : places}`;
  return BigInt(whole.replaceAll(",", "") + digits.padEnd(places, "0"));
}

const amountParts = /^\s*(\d{1,3}(?:,\d{3})+|\d+)(?:\.(\d+))?\s*$/;

/** Reads an amount of the native currency that is written in a cell. */
export function wei(text: string, node: JsonNode): bigint | string {
  return weiOf(exactValue(text, node) ?? null);
}

/** Reads an amount of the native currency: a quantity, a number or text such as `"10 ether"`; else a clause. */
export function weiOf(value: JsonValue): bigint | string {
  const read = quantity(value) ?? (typeof value === "string" ? amountInWei(value.trim()) : wholeNumber(value));
  if (typeof read === "bigint") return read < 0n || read >> 256n > 0n ? "it is out of range" : read;
  switch (read) {
    case "unit":
      return "its unit is unknown: write `ether`, `gwei` or `wei`";
    case "precision":
      return "it has a fraction of a wei";
    case "negative":
      return "it is negative";
    case undefined:
      return "expected an amount such as `10 ether`";
  }
}

export type AssumedTime = { readonly at: bigint } | { readonly after: bigint };

const units = { s: 1, sec: 1, second: 1, min: 60, minute: 60, h: 3600, hour: 3600, day: 86_400, week: 604_800 };

/**
 * Reads the time of a block, in seconds: after the block that is asked about, or since 1970.
 *
 * @example assumedTime("+1 day"); //=> { after: 86400n }
 */
export function assumedTime(text: string): AssumedTime | undefined {
  const [, sign, count = "", unit = ""] = /^\s*([+-])\s*(\d{1,9}(?:\.\d{1,3})?)\s*([a-z]+)\s*$/.exec(text) ?? [];
  if (sign !== undefined) {
    const name = Object.hasOwn(units, unit) ? unit : unit.replace(/s$/, "");
    const factor = Object.hasOwn(units, name) ? units[name as keyof typeof units] : undefined; // hasOwn says so
    const seconds = factor === undefined ? undefined : BigInt(Math.round(Number(count) * factor));
    return seconds === undefined ? undefined : { after: sign === "-" ? -seconds : seconds };
  }
  if (/^\s*\d{1,15}\s*$/.test(text)) return { at: BigInt(text.trim()) };
  const [, day, clock = "T00:00"] =
    /^\s*(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2})?(?:\.\d+)?)Z?)?\s*$/.exec(text) ?? [];
  const date = isDay(day) ? Date.parse(`${day}T${clock.replace(/^T/, "")}Z`) : Number.NaN;
  return Number.isNaN(date) || date < 0 ? undefined : { at: BigInt(Math.floor(date / 1000)) };
}

/** Whether a calendar has a day: `Date` takes February 31 for March 3. */
function isDay(day: string | undefined): boolean {
  const start = day === undefined ? Number.NaN : Date.parse(`${day}T00:00Z`);
  return !Number.isNaN(start) && new Date(start).toISOString().slice(0, 10) === day;
}
