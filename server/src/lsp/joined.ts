/** The part of an answer that is about one cell. */
type Piece = readonly unknown[];

/** An answer as it was printed: its pieces, and the bytes of each group of them. */
interface Printed {
  readonly pieces: readonly Piece[];
  readonly groups: readonly Uint8Array[];
}

/** Pieces that are printed together. After an edit one group is printed, and the others are only compared. */
const groupSize = 50;

const printers = new WeakMap<Piece, () => readonly Uint8Array[]>();

/**
 * Returns a function that makes an answer of pieces. What of it was already in the last answer about the same text is not
 * printed again.
 */
export function joinedAnswers(): <Item>(text: object, pieces: readonly (readonly Item[])[]) => Item[] {
  const lasts = new WeakMap<object, Printed>();
  return <Item>(text: object, pieces: readonly (readonly Item[])[]) => {
    const all: Item[] = [];
    for (const piece of pieces) for (const item of piece) all.push(item); // `flat` takes ten times as long
    printers.set(all, () => {
      const printed = printedAfter(lasts.get(text), pieces);
      lasts.set(text, printed);
      return printed.groups;
    });
    return all;
  };
}

function printedAfter(last: Printed | undefined, pieces: readonly Piece[]): Printed {
  const groups: Uint8Array[] = [];
  for (let start = 0; start < pieces.length; start += groupSize) {
    const known = last?.groups[start / groupSize];
    groups.push(known && isSameGroup(last.pieces, pieces, start) ? known : printedGroup(pieces, start));
  }
  return { pieces, groups };
}

function isSameGroup(before: readonly Piece[], after: readonly Piece[], start: number): boolean {
  for (let at = start; at < start + groupSize; at++) if (before[at] !== after[at]) return false;
  return true;
}

/** @returns The items, each with a comma before it. */
function printedGroup(pieces: readonly Piece[], start: number): Uint8Array {
  const items = JSON.stringify(pieces.slice(start, start + groupSize).flat());
  return encoder.encode(items === "[]" ? "" : `,${items.slice(1, -1)}`);
}

/** Prints a message as JSON, in parts. */
export function printed(message: object): readonly Uint8Array[] {
  const printer = "result" in message && Array.isArray(message.result) ? printers.get(message.result) : undefined;
  if (!printer) return [encoder.encode(JSON.stringify(message))];
  const [first, ...others] = printer().filter(({ length }) => length > 0);
  const before = `${JSON.stringify({ ...message, result: undefined }).slice(0, -1)},"result":[`;
  return [encoder.encode(before), ...(first ? [first.subarray(1), ...others] : []), encoder.encode("]}")];
}

const encoder = new TextEncoder();
