import { grouped } from "../base/units.ts";
/** A step from a variable to a part of it. Offsets are of the path's text. */
export type PathStep =
  | { readonly kind: "member"; readonly name: string; readonly start: number; readonly end: number }
  | KeyStep;

/** The text between brackets: the key of a mapping, or the index of an item. */
export interface KeyStep {
  readonly kind: "key";
  /** Without its quotes. */
  readonly text: string;
  /** Whether it was in quotes: text, and not a name. */
  readonly quoted: boolean;
  readonly start: number;
  readonly end: number;
}

export type ParsedPath =
  | { readonly steps: readonly PathStep[]; readonly fault?: undefined }
  /** The steps before the fault. */
  | { readonly steps: readonly PathStep[]; readonly fault: string; readonly at: number };

const most = { characters: 2_000, steps: 32 };

/**
 * Parses the path of a stored value: `balances[alice].amount`, `orders[3].items[0]`, `names["x"]`. The first step is the
 * variable.
 */
export function parseStoragePath(text: string): ParsedPath {
  if (text.length > most.characters)
    return { steps: [], fault: `it has more than ${grouped(most.characters)} characters`, at: 0 };
  const steps: PathStep[] = [];
  let at = 0;
  const name = (): boolean => {
    const [found] = /^\s*[A-Za-z_$][\w$]*\s*/.exec(text.slice(at)) ?? [];
    if (found === undefined) return false;
    const start = at + (found.length - found.trimStart().length);
    steps.push({ kind: "member", name: found.trim(), start, end: start + found.trim().length });
    at += found.length;
    return true;
  };
  if (!name()) return { steps, fault: "expected the name of a variable", at };
  while (at < text.length) {
    if (steps.length >= most.steps) return { steps, fault: `it has more than ${most.steps} steps`, at };
    const sign = text[at];
    at += 1;
    if (sign === ".") {
      if (!name()) return { steps, fault: "expected the name of a member after `.`", at };
    } else if (sign === "[") {
      const key = keyAt(text, at);
      if (typeof key === "string") return { steps, fault: key, at };
      steps.push(key.step);
      at = key.next;
    } else return { steps, fault: "expected `.` and a member, or `[` and a key", at: at - 1 };
  }
  return { steps };
}

/** @param from - After the bracket. */
function keyAt(text: string, from: number): { readonly step: KeyStep; readonly next: number } | string {
  const rest = text.slice(from);
  const [quoted, , inside = ""] = /^\s*(["'])((?:\\.|(?!\1)[^\\])*)\1\s*\]\s*/s.exec(rest) ?? [];
  const start = from + (rest.length - rest.trimStart().length);
  if (quoted !== undefined) {
    const end = from + quoted.lastIndexOf("]");
    return {
      step: { kind: "key", text: inside.replace(/\\(.)/gs, "$1"), quoted: true, start, end },
      next: from + quoted.length,
    };
  }
  const [bare] = /^[^\]]*\]\s*/.exec(rest) ?? [];
  if (bare === undefined) return "expected `]` after the key";
  const key = bare.slice(0, bare.lastIndexOf("]"));
  if (key.trim() === "") return "expected a key between `[` and `]`";
  const step: KeyStep = { kind: "key", text: key.trim(), quoted: false, start, end: start + key.trim().length };
  return { step, next: from + bare.length };
}
