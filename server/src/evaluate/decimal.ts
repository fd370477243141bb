/** A decimal number of any size: `units / 10 ** places`, with as few places as it needs. */
export interface Decimal {
  readonly units: bigint;
  readonly places: number;
}

/** The most digits of a number, including those that its exponent adds. Chains have no longer ones, and they take time. */
const maxDigits = 10_000;

/**
 * Reads decimal digits as JSON writes them, exactly.
 *
 * @returns `undefined` for other text, and for numbers that no chain has.
 * @example decimalOf("1.50") //=> { units: 15n, places: 1 }
 */
export function decimalOf(text: string): Decimal | undefined {
  if (text.length > maxDigits) return undefined;
  const [, sign, whole = "", fraction = "", exponent = "0"] =
    /^(-?)(0|[1-9]\d*)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  const shift = Number(exponent);
  if (sign === undefined || Math.abs(shift) > maxDigits) return undefined;
  const places = fraction.length - shift;
  const digits = whole + fraction + "0".repeat(Math.max(-places, 0));
  const kept = places > 0 ? digits.slice(0, -places) + digits.slice(-places).replace(/0+$/, "") : digits;
  return {
    units: BigInt(kept) * (sign === "-" ? -1n : 1n),
    places: Math.max(places - (digits.length - kept.length), 0),
  };
}

/** Below zero if the first number is less than the second, zero if they are equal. */
export function difference(a: Decimal, b: Decimal): bigint {
  const places = Math.max(a.places, b.places);
  return scaled(a, places) - scaled(b, places);
}

function scaled({ units, places }: Decimal, to: number): bigint {
  return units * 10n ** BigInt(to - places);
}
