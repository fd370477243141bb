const reserved: ReadonlySet<string> = new Set(
  "break case catch class const continue debugger default delete do else enum export extends false finally for function if import in instanceof new null return super switch this throw true try typeof var void while with let static yield await implements interface package private protected public arguments eval undefined NaN Infinity client createPublicClient http parseAbi process Wire BigInt Promise Error failureOf async".split(
    " ",
  ),
);

/**
 * Gives names of TypeScript to what goes by other names, each its own.
 *
 * @returns A function that makes a name; the same `key` has the same name again.
 */
export function identifiers(): (wanted: string, key?: string) => string {
  const taken = new Set<string>();
  const known = new Map<string, string>();
  return (wanted, key) => {
    const before = key === undefined ? undefined : known.get(key);
    if (before !== undefined) return before;
    const plain = wanted.replace(/[^A-Za-z0-9_$]+/g, "_").replace(/^(?=\d)/, "_") || "_";
    let name = plain;
    for (let next = 2; taken.has(name) || reserved.has(name); next++) name = `${plain}${next}`;
    taken.add(name);
    if (key !== undefined) known.set(key, name);
    return name;
  };
}
