const decimals = { wei: 0, gwei: 9, ether: 18 } as const;
type Unit = keyof typeof decimals;

/**
 * Writes an amount exactly for people, without trailing zeros: nothing is rounded.
 *
 * @param amount - In the smallest unit (wei for ether).
 * @param places - Decimal places of the unit.
 * @example formatUnits(1500000000000000000n, 18); //=> "1.5"
 */
export function formatUnits(amount: bigint, places: number): string {
  return grouped(decimalText(amount, places));
}

/**
 * Writes an amount as {@link formatUnits} does, but for programs: no groups, and an ASCII minus.
 *
 * @param amount - If a text, decimal digits.
 */
export function decimalText(amount: bigint | string, places: number): string {
  const text = `${amount}`;
  const sign = text.startsWith("-") ? "-" : "";
  const digits = text.slice(sign.length).padStart(places + 1, "0");
  const whole = digits.slice(0, digits.length - places);
  const fraction = digits.slice(digits.length - places).replace(/0+$/, "");
  return `${sign}${whole}${fraction && `.${fraction}`}`;
}

/**
 * Writes an amount in six significant digits, rounded; digits before the point and two after it are kept. What has fewer
 * digits then, so that it looks exact, has `≈` in front.
 *
 * @returns `undefined` if the exact form is not longer.
 * @example roundedUnits(10000169975414871553527n, 18); //=> "10,000.17"
 */
export function roundedUnits(amount: bigint, places: number): string | undefined {
  const size = amount < 0n ? -amount : amount;
  const beforePoint = size.toString().length - places;
  const kept = Math.max(significantDigits, beforePoint > 0 ? beforePoint + 2 : 0);
  const dropped = Math.min(places, beforePoint + places - kept);
  if (dropped <= 0) return undefined;
  const unit = 10n ** BigInt(dropped);
  if (size % unit === 0n) return undefined;
  const rounded = ((size + unit / 2n) / unit) * unit;
  const written = formatUnits(amount < 0n ? -rounded : rounded, places);
  return rounded % (unit * 10n) === 0n ? `≈${written}` : written;
}

const significantDigits = 6;

/** @example formatUnit(30000000000n, "gwei"); //=> "30 gwei" */
export function formatUnit(wei: bigint, unit: Unit): string {
  return `${formatUnits(wei, decimals[unit])} ${unit}`;
}

/** A problem with an amount: an unknown unit or a fraction without one, a fraction of a wei, a sign. */
type AmountFault = "unit" | "precision" | "negative";

/**
 * Reads an amount as people write it, and as {@link formatUnit} does: `"1.5 ether"`, `"30 gwei"`, `"1,000 wei"`,
 * `"21000"` (bare is wei). Nothing is rounded.
 *
 * @returns Wei; `undefined` for what does not begin as an amount.
 * @example amountInWei("1.5 ether"); //=> 1500000000000000000n
 */
export function amountInWei(text: string): bigint | AmountFault | undefined {
  const [all, sign, whole = "", fraction = "", word] = amountParts.exec(text.length > 120 ? "" : text) ?? [];
  if (all === undefined) return undefined;
  const unit = (word ?? (fraction ? "" : "wei")).toLowerCase();
  if (!isUnit(unit)) return "unit";
  if (sign) return "negative";
  const places = decimals[unit];
  const digits = fraction.replace(/0+$/, "");
  if (digits.length > places) return "precision";
  return BigInt(whole.replaceAll(",", "") + digits.padEnd(places, "0"));
}

/** The parts of an amount. Hexadecimal, with or without `0x`, is not an amount: `0Xa`, `5ff`. */
const amountParts = /^(?![-−]?0[xX]|\d+[a-fA-F][\da-fA-F]*$)([-−])?(\d{1,3}(?:,\d{3})+|\d+)(?:\.(\d+))? ?([A-Za-z]+)?$/;

function isUnit(word: string): word is Unit {
  return Object.hasOwn(decimals, word);
}

/**
 * Names an amount of wei in the unit that people would pick: ether from a millionth upwards, gwei from a thousandth
 * upwards, wei below.
 */
export function formatWei(wei: bigint): string {
  return formatUnit(wei, unitOf(wei));
}

/** Formats as {@link formatWei} does, in six significant digits. */
export function roundedWei(wei: bigint): string | undefined {
  const unit = unitOf(wei);
  const rounded = roundedUnits(wei, decimals[unit]);
  return rounded === undefined ? undefined : `${rounded} ${unit}`;
}

function unitOf(wei: bigint): Unit {
  const size = wei < 0n ? -wei : wei;
  if (size === 0n || size >= 10n ** 12n) return "ether";
  return size >= 10n ** 6n ? "gwei" : "wei";
}

/**
 * Writes a share, rounded. What looks exact but is not has `≈` in front, and a share that is not zero never reads `0%`.
 *
 * @param places - Decimal places, at most.
 * @example percentOf(9997n, 10000n); //=> "≈100%"
 */
export function percentOf(part: bigint, whole: bigint, places = 1): string {
  const unit = 10n ** BigInt(places);
  const rounded = (part * 100n * unit + whole / 2n) / whole;
  if (rounded === 0n && part > 0n) return `<${decimalText(1n, places)}%`;
  const isExact = rounded * whole === part * 100n * unit;
  const isRounder = places === 0 ? rounded === 100n : rounded % unit === 0n;
  return `${isExact || !isRounder ? "" : "≈"}${formatUnits(rounded, places)}%`;
}

/**
 * Writes a number for people: digits in groups, and a minus sign (U+2212) before a negative one, never a hyphen.
 *
 * @param digits - A decimal number; other text stays as it is.
 * @example grouped("-1234567.5"); //=> "−1,234,567.5"
 */
export function grouped(digits: string | bigint | number): string {
  const text = String(digits);
  if (!/^-?\d+(?:\.\d+)?$/.test(text)) return text;
  const start = text.startsWith("-") ? 1 : 0;
  const point = text.includes(".") ? text.indexOf(".") : text.length;
  const parts: string[] = [];
  for (let end = point; end > start; end -= 3) parts.push(text.slice(Math.max(start, end - 3), end));
  return withMinus(text.slice(0, start) + parts.reverse().join(",") + text.slice(point));
}

/** Puts a minus sign in place of the hyphen before a negative number: people see no hyphen. */
export function withMinus(number: string): string {
  return number.replace(/^-(?=\d)/, "−");
}

/** As seconds since 1970, a time in the year 5138; as milliseconds, one in 1973. */
export const firstMilliseconds = 100_000_000_000n;

/** Seconds since 1970 as people read them; times beyond what a calendar holds stay numbers. */
export function formatTime(seconds: bigint): string {
  const limit = 8_640_000_000_000n; // the last second a Date can name, ECMA-262 §21.4.1.1
  if (seconds > limit || seconds < -limit) return `${grouped(seconds)} s`;
  return new Date(Number(seconds) * 1000)
    .toISOString()
    .replace("T", " ")
    .replace(/\.000Z$/, " UTC");
}

/** Formats as {@link formatTime} does, but takes milliseconds. */
export function formatTimeMs(ms: bigint): string {
  const limit = 8_640_000_000_000_000n;
  if (ms > limit || ms < -limit) return `${grouped(ms)} ms`;
  return new Date(Number(ms)).toISOString().replace("T", " ").replace("Z", " UTC");
}

/** @example formatBytes(63_000_000); //=> "63 MB" */
export function formatBytes(count: number): string {
  if (count < 1000) return `${count} B`;
  const [size, unit] = count < 1_000_000 ? [count / 1000, "kB"] : [count / 1_000_000, "MB"];
  return `${size < 10 ? size.toFixed(1).replace(/\.0$/, "") : Math.round(size)} ${unit}`;
}

/** @example formatDuration(1530); //=> "1.5 s" */
export function formatDuration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  const [unit, length] = units.find(([, length]) => ms >= 2 * length) ?? ["s", 1000];
  return `${(ms / length).toFixed(1).replace(/\.0$/, "")} ${unit}`;
}

/** Milliseconds of each; a unit is used from two of it on, so that a short time stays exact. */
const units = [
  ["years", 31_556_952_000],
  ["days", 86_400_000],
  ["h", 3_600_000],
  ["min", 60_000],
] as const;

/**
 * Reads a block as people write it: a tag or a quantity as it is, a number as a quantity.
 *
 * @returns `undefined` for other texts.
 * @example readBlock("1200000"); //=> "0x124f80"
 */
export function readBlock(text: string): string | undefined {
  if (/^\d{1,18}$/.test(text)) return `0x${BigInt(text).toString(16)}`;
  return /^(?:pending|latest|safe|finalized|earliest|0x[0-9a-f]{1,16})$/i.test(text) ? text.toLowerCase() : undefined;
}

/** The greatest count of decimals that a token can have: its contract returns a byte. */
export const maxDecimals = 255;

export function isDecimals(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= maxDecimals;
}
