import { bundledNamed, bundledNames, bundledScope } from "./abiScope.ts";
import { type AbiItem, parseItem, selectorOf } from "./item.ts";

/**
 * What people mean by a name (`transfer`), a signature (`transfer(address,uint256) returns (bool)`), a selector or a
 * topic 0. The project's ABIs are asked first; what is bundled counts only where they know none.
 *
 * @param own - ABIs of the project, the nearer first.
 * @returns All overloads, the likelier first. A signature that nobody knows is its own declaration. None where nothing
 *   is called so, or the text is no signature.
 */
export function itemsCalled(kind: "event" | "function", written: string, own: readonly AbiItem[]): readonly AbiItem[] {
  const text = written.trim().replace(new RegExp(`^${kind}\\s+`), "");
  const fits = fitting(kind, text);
  if (!fits) return [];
  const project = (fits.name === undefined ? own : named(own, fits.name)).filter(
    (item) => item.kind === kind && fits.test(item),
  );
  const known = project.length > 0 ? project : fits.bundled().filter(fits.test);
  const { declared } = fits;
  if (!declared) return known;
  // what is written out counts as it is written; what it leaves open, others may know
  return saysMore(declared) || known.length === 0 ? [declared] : known;
}

const byName = new WeakMap<readonly AbiItem[], ReadonlyMap<string, readonly AbiItem[]>>();

/** Those with a name, in order: a project may have ten thousand, and every cell asks. */
function named(own: readonly AbiItem[], name: string): readonly AbiItem[] {
  const known = byName.get(own) ?? grouped(own);
  byName.set(own, known);
  return known.get(name) ?? [];
}

function grouped(own: readonly AbiItem[]): ReadonlyMap<string, readonly AbiItem[]> {
  const groups = new Map<string, AbiItem[]>();
  for (const item of own) {
    const group = groups.get(item.name);
    if (group) group.push(item);
    else groups.set(item.name, [item]);
  }
  return groups;
}

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
    const bundled = () => (kind === "event" ? bundledScope.events(hash) : bundledScope.functions(hash));
    return { name: undefined, declared: undefined, test: (item) => hashOf(item) === hash, bundled };
  }
  if (/^[A-Za-z_$][\w$]*$/.test(text)) {
    const test = ({ name }: AbiItem): boolean => name === text;
    return { name: text, declared: undefined, test, bundled: () => bundledNamed(kind, text) };
  }
  const declared = parseItem(`${kind} ${text}`, "as written");
  if (!declared) return undefined;
  const test = ({ signature }: AbiItem): boolean => signature === declared.signature;
  return { name: declared.name, declared, test, bundled: () => bundledNamed(kind, declared.name) };
}

/** More than the types of its arguments: which are indexed, or what it returns. */
function saysMore({ inputs, outputs, anonymous }: AbiItem): boolean {
  return outputs.length > 0 || anonymous || inputs.some(({ indexed }) => indexed);
}

/** What functions or events are called, those of the project first. */
export function namesOf(kind: "event" | "function", own: readonly AbiItem[]): readonly string[] {
  return [...new Set([...own.flatMap((item) => (item.kind === kind ? item.name : [])), ...bundledNames(kind)])];
}
