import { assumptionsIn } from "../analysis/assume.ts";
import type { Scope } from "../analysis/scope.ts";
import { type Span, span } from "../base/span.ts";
import { brief, shortHex } from "../base/text.ts";
import { formatTime } from "../base/units.ts";
import type { Assumption } from "../evaluate/assume/assumption.ts";
import type { Cell } from "../notebook/cell.ts";

/** A short note after an assumption. */
interface AssumptionHint {
  /** Empty: the position of the hint. */
  readonly span: Span;
  readonly label: string;
}

/** Says what each assumption becomes: the word of storage, the time. The word of a token is known after a run. */
export function assumptionHints(cell: Cell, scope: Scope): readonly AssumptionHint[] {
  return assumptionsIn(cell, scope)
    .flatMap(({ list }) => list)
    .flatMap(({ override, span: at }): readonly AssumptionHint[] => {
      const label = labelOf(override);
      return label === undefined ? [] : [{ span: span(at.end, at.end), label: brief(label, 60) }];
    });
}

function labelOf(override: Assumption["override"]): string | undefined {
  switch (override.kind) {
    case "slot":
      return `= ${shortNumber(override.value)} in slot ${shortHex(override.slot)}`;
    case "time":
      return `= ${formatTime(BigInt(override.value))}`;
    case "balance":
    case "code":
      return undefined;
  }
}

/** @example shortNumber("0x0…0a"); //=> "0xa" */
function shortNumber(word: string): string {
  const hex = `0x${BigInt(word).toString(16)}`;
  return hex.length > 20 ? shortHex(hex) : hex;
}
