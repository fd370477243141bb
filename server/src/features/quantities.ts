import type { ValueContext } from "../analysis/cursorContext.ts";
import { quantity } from "../base/hex.ts";
import { grouped } from "../base/units.ts";
import type { QuantityType } from "../catalog/spec.ts";
import { type Snippet, stop, string } from "./snippet.ts";
import type { Suggestion } from "./suggestion.ts";
import { usualParams } from "./usualParams.ts";

/** Suggests quantities by what they count: amounts with their unit, usual limits of gas, small numbers. */
export function quantities({ unit }: QuantityType, place: ValueContext): readonly Suggestion[] {
  switch (unit) {
    case "wei":
      return isPrice(place) ? [amount("30", "gwei"), nothing] : [amount("1", "ether"), amount("1", "gwei"), nothing];
    case "gas":
      return [hex(21_000n, "a plain transfer"), hex(1_000_000n), hex(30_000_000n)];
    case "index":
      return [hex(0n), hex(1n)];
    case "count":
    case "none":
      return [ofExample(place) ?? hex(1n)];
    case "block":
    case "seconds":
    case "milliseconds":
      return [];
  }
}

/** Whether a quantity is a price of gas. */
function isPrice({ role }: ValueContext): boolean {
  return role.kind === "typed" && /gas|fee/i.test(role.field?.name ?? "");
}

function amount(number: string, unit: string): Suggestion {
  return {
    label: `${number} ${unit}`,
    kind: "value",
    detail: "Sent in wei, as hex",
    insert: `"${stop(1, number)} ${unit}"`,
  };
}

const nothing: Suggestion = { label: "0x0", kind: "value", detail: "0", insert: string("0x0") };

function hex(value: bigint, note?: string): Suggestion {
  const wire = `0x${value.toString(16)}`;
  const insert: Snippet = `"${stop(1, wire)}"`;
  const decimal = grouped(value);
  return {
    label: wire,
    kind: "value",
    detail: note ? `${decimal}: ${note}` : decimal,
    insert,
    typed: `${wire} ${value}`,
  };
}

/** Suggests the value of the catalogue's example. */
function ofExample({ spec, param, owner }: ValueContext): Suggestion | undefined {
  const example = owner.kind === "params" && spec && param !== undefined ? usualParams(spec)[param] : undefined;
  const value = quantity(example);
  return value === undefined ? undefined : hex(value);
}
