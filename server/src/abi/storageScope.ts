import { brief, nearest } from "../base/text.ts";
import type { Keys } from "./storageKey.ts";
import type { StorageLayout } from "./storageLayout.ts";

/** A layout of the project, and the contract that it is given for. */
export interface ScopedLayout {
  readonly layout: StorageLayout;
  /** In lower case; `undefined` if none is named. */
  readonly address: string | undefined;
}

/** The layouts and names that a place in storage can refer to. */
export interface StorageScope {
  /** The more trusted ones first. */
  readonly layouts: readonly ScopedLayout[];
  /** Contracts of the project whose artifacts have no layout. */
  readonly without: readonly string[];
  readonly keys: Keys;
}

/** The advice if a compiler has written no layouts. */
export const layoutSetting =
  'set `extra_output = ["storageLayout"]` in foundry.toml, or add `"storageLayout"` to `outputSelection` of solc in the Hardhat configuration, and compile again';

/** Returns the layouts of a contract by its name, or by its file and name: `src/Vault.sol:Vault`. */
export function layoutsNamed(layouts: readonly ScopedLayout[], name: string): readonly StorageLayout[] {
  const found = ownFirst(layouts.filter(({ layout }) => layout.contract === name || layout.qualified === name));
  return [...new Set(found.map(({ layout }) => layout))];
}

/** Names of the contracts that have variables, each once. */
export function layoutNames(layouts: readonly ScopedLayout[]): readonly string[] {
  return [...new Set(layouts.flatMap(({ layout }) => (layout.variables.length > 0 ? layout.contract : [])))];
}

/**
 * Returns the layouts of the contract at an address: those that are given for it, else those of a contract with its
 * label.
 */
export function layoutsAt(
  layouts: readonly ScopedLayout[],
  address: string,
  labels: ReadonlyMap<string, string>,
): { readonly layouts: readonly StorageLayout[]; readonly byLabel: boolean } {
  const key = address.toLowerCase();
  const given = ownFirst(layouts.filter((one) => one.address === key)).map(({ layout }) => layout);
  if (given.length > 0) return { layouts: given, byLabel: false };
  const label = labels.get(key)?.toLowerCase();
  const labelled = ownFirst(layouts.filter(({ layout }) => layout.contract.toLowerCase() === label));
  const named = labelled.map(({ layout }) => layout);
  return { layouts: [...new Set(named)], byLabel: true };
}

/** What a lookup host said counts only if the project has nothing. */
function ownFirst(layouts: readonly ScopedLayout[]): readonly ScopedLayout[] {
  const own = layouts.filter(({ layout }) => !layout.isRemembered);
  return own.length > 0 ? own : layouts;
}

/** Says why a contract has no layout, and what to do: a clause. */
export function noLayout(name: string, { layouts, without }: StorageScope): string {
  const shown = brief(name, 60);
  if (without.includes(name) || layouts.length === 0)
    return `no storage layout of \`${shown}\` was found: ${layoutSetting}`;
  const names = layoutNames(layouts);
  const near = nearest(name.slice(0, 100), names, 1)[0];
  const known = names.slice(0, 8).join(", ");
  return `no contract \`${shown}\` has a storage layout: ${near === undefined ? `known are ${known}` : `a similar name is \`${near}\``}`;
}

/** Says that several contracts have one name: a clause. */
export function severalLayouts(layouts: readonly StorageLayout[]): string {
  const names = layouts.slice(0, 4).map(({ qualified, source }) => `\`${qualified ?? source}\``);
  return `several contracts have this name: write the file too, as one of ${names.join(", ")}`;
}
