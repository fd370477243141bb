import type { AbiEvent } from "./item.ts";

/** Ways that are tried for one event. */
const maxWays = 16;

/**
 * Returns an event with so many indexed arguments, in each way that is possible: first with the first of the declared ones, or with
 * the first of the others too.
 *
 * @returns Empty if it has fewer arguments.
 */
export function reindexings(event: AbiEvent, count: number): readonly AbiEvent[] {
  if (count > event.inputs.length) return [];
  const ways = new Map<string, AbiEvent>();
  const add = (isIndexed: (at: number) => boolean): void => {
    const inputs = event.inputs.map((input, at) => ({ ...input, indexed: isIndexed(at) }));
    ways.set(inputs.map(({ indexed }) => Number(indexed)).join(""), { ...event, inputs });
  };
  const declared = event.inputs.flatMap(({ indexed }, at) => (indexed ? at : []));
  const others = event.inputs.flatMap(({ indexed }, at) => (indexed ? [] : at));
  const first = new Set([...declared, ...others].slice(0, count));
  add((at) => first.has(at));
  for (const chosen of choices(event.inputs.length, count)) {
    if (ways.size >= maxWays) break;
    add((at) => chosen.includes(at));
  }
  return [...ways.values()];
}

/** Counts all sets of so many places, the first places first. */
function* choices(places: number, count: number, from = 0): Generator<readonly number[]> {
  if (count === 0) return yield [];
  for (let at = from; at <= places - count; at++)
    for (const rest of choices(places, count - 1, at + 1)) yield [at, ...rest];
}

export function sameIndexing(a: AbiEvent, b: AbiEvent): boolean {
  return a.signature === b.signature && a.inputs.every(({ indexed }, i) => indexed === b.inputs[i]?.indexed);
}
