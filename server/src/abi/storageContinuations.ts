import { memberPath } from "./slots.ts";
import { type Keys, namedKeys } from "./storageKey.ts";
import {
  type StorageLayout,
  type StorageType,
  type StorageVariable,
  type StoredMapping,
  storedType,
} from "./storageLayout.ts";
import { type PathStep, parseStoragePath } from "./storagePath.ts";

/** A path that may be written, as a whole. */
export interface Continuation {
  /** `balances[alice].amount`; of an open one the part before the key: `balances[`. */
  readonly path: string;
  readonly type: StorageType;
  /** The key of a mapping or the index of an item is to be written after it. */
  readonly needsKey?: "key" | "index";
}

/** Limits of one list. */
const most = { paths: 300, keys: 12, depth: 4, visits: 5_000 };

/** Lists the paths that a text may become: those of all variables, or of the part that it names already. */
export function continuations(layout: StorageLayout, text: string, keys: Keys): readonly Continuation[] {
  const lister = new Lister(layout, keys);
  const cut = Math.max(text.lastIndexOf("."), text.lastIndexOf("]") + 1, text.lastIndexOf("["));
  const before = cut > 0 ? text.slice(0, cut) : "";
  const type = before === "" ? undefined : typeAlong(layout, parseStoragePath(before).steps);
  if (type) lister.below(before, type, 0);
  else lister.members("", layout.variables, 0);
  return lister.found;
}

/** The type at the end of a path, whatever its keys are. */
function typeAlong(layout: StorageLayout, steps: readonly PathStep[]): StorageType | undefined {
  let members: readonly StorageVariable[] = layout.variables;
  let type: StorageType | undefined;
  for (const step of steps) {
    if (step.kind === "member") {
      const found = members.find(({ name }) => name === step.name);
      if (!found) return undefined;
      type = storedType(layout, found.type);
    } else if (type?.kind === "mapping") type = storedType(layout, type.value);
    else if (type?.kind === "array") type = storedType(layout, type.item);
    else return undefined;
    members = type.kind === "struct" ? type.members : [];
  }
  return type;
}

class Lister {
  readonly found: Continuation[] = [];
  readonly #layout: StorageLayout;
  readonly #keys: Keys;
  #visits = 0;

  constructor(layout: StorageLayout, keys: Keys) {
    this.#layout = layout;
    this.#keys = keys;
  }

  members(path: string, list: readonly StorageVariable[], depth: number): void {
    for (const { name, type } of list) {
      if (this.found.length >= most.paths) return;
      this.below(memberPath(path, name), storedType(this.#layout, type), depth);
    }
  }

  below(path: string, type: StorageType, depth: number): void {
    this.#visits += 1;
    if (this.found.length >= most.paths || depth > most.depth || this.#visits > most.visits) return;
    switch (type.kind) {
      case "struct":
        this.members(path, type.members, depth + 1);
        return;
      case "mapping":
        this.#withKeys(path, type, depth);
        return;
      case "array":
        this.found.push({ path: `${path}[`, type: storedType(this.#layout, type.item), needsKey: "index" });
        if (type.length === undefined) this.found.push({ path: `${path}.length`, type });
        return;
      default:
        this.found.push({ path, type });
    }
  }

  #withKeys(path: string, type: StoredMapping, depth: number): void {
    const value = storedType(this.#layout, type.value);
    const keyType = storedType(this.#layout, type.key);
    this.found.push({ path: `${path}[`, type: value, needsKey: "key" });
    for (const { name } of namedKeys(keyType, this.#keys).slice(0, most.keys))
      this.below(`${path}[${name}]`, value, depth + 1);
  }
}
