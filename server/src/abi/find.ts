import { memoByObject } from "../base/memo.ts";
import { type AbiItem, parseItem, selectorOf } from "./item.ts";
import { wellKnownAbis, wellKnownNamed, wellKnownNames } from "./wellKnownAbis.ts";

/**
 * Finds the functions or events that a text names: by a name (`transfer`), a signature
 * (`transfer(address,uint256) returns (bool)`), a selector or a topic 0. Well-known ABIs count only if the project's have
 * none. The table of signatures does not count: what a request sends must not depend on what has been loaded.
 *
 * @param own - ABIs of the project, the nearer first.
 * @returns All overloads, the likelier first. An unknown signature is its own declaration. Empty for unknown names and
 *   texts that are not a signature.
 */
export function itemsCalled(kind: "event" | "function", written: string, own: readonly AbiItem[]): readonly AbiItem[] {
  const text = written.trim().replace(new RegExp(`^${kind}\\s+`), "");
  const fits = fitting(kind, text);
  if (!fits) return [];
  const project = (fits.name === undefined ? own : (byName(own).get(fits.name) ?? [])).filter(
    (item) => item.kind === kind && fits.test(item),
  );
  const known = project.length > 0 ? project : fits.bundled().filter(fits.test);
  const { declared } = fits;
  if (!declared) return known;
  // what is written out counts as it is written; what it leaves open, others may know
  return saysMore(declared) || known.length === 0 ? [declared] : known;
}

/** By name, in order: a project may have ten thousand items, and every cell looks for some. */
const byName = memoByObject((own: readonly AbiItem[]): ReadonlyMap<string, readonly AbiItem[]> => {
  const groups = new Map<string, AbiItem[]>();
  for (const item of own) {
    const group = groups.get(item.name);
    if (group) group.push(item);
    else groups.set(item.name, [item]);
  }
  return groups;
});

interface Fitting {
  /** The name that all have which fit; `undefined` where they may have any. */
  readonly name: string | undefined;
  readonly declared: AbiItem | undefined;
  test(item: AbiItem): boolean;
  bundled(): readonly AbiItem[];
}

function fitting(kind: "event" | "function", text: string): Fitting | undefined {
  if (/^0x[0-9a-fA-F]*$/.test(text)) {
    const hash = text.toLowerCase();
    const hashOf = kind === "event" ? (item: AbiItem): string => item.hash : selectorOf;
    const bundled = () => (kind === "event" ? wellKnownAbis.events(hash) : wellKnownAbis.functions(hash));
    return { name: undefined, declared: undefined, test: (item) => hashOf(item) === hash, bundled };
  }
  if (/^[A-Za-z_$][\w$]*$/.test(text)) {
    const test = ({ name }: AbiItem): boolean => name === text;
    return { name: text, declared: undefined, test, bundled: () => wellKnownNamed(kind, text) };
  }
  const declared = parseItem(`${kind} ${text}`, "as written");
  if (!declared) return undefined;
  const test = ({ signature }: AbiItem): boolean => signature === declared.signature;
  return { name: declared.name, declared, test, bundled: () => wellKnownNamed(kind, declared.name) };
}

/** More than the types of its arguments: which are indexed, or what it returns. */
function saysMore({ inputs, outputs, anonymous }: AbiItem): boolean {
  return outputs.length > 0 || anonymous || inputs.some(({ indexed }) => indexed);
}

/** Names of functions or events, those of the project first. */
export function namesOf(kind: "event" | "function", own: readonly AbiItem[]): readonly string[] {
  return [...new Set([...own.flatMap((item) => (item.kind === kind ? item.name : [])), ...wellKnownNames(kind)])];
}
