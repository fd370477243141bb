import { continuations } from "../abi/storageContinuations.ts";
import type { Keys } from "../abi/storageKey.ts";
import type { StorageLayout, StorageType } from "../abi/storageLayout.ts";
import { assumeScope } from "../analysis/assume.ts";
import type { KeyContext, ValueContext } from "../analysis/cursorContext.ts";
import type { Scope } from "../analysis/scope.ts";
import { layoutsAreRead, storageScope } from "../analysis/storage.ts";
import type { TypedToken } from "../analysis/typedTokens.ts";
import { mapAt } from "../analysis/types.ts";
import { isAddress } from "../base/hex.ts";
import type { Markdown } from "../base/markdown.ts";
import { brief } from "../base/text.ts";
import { layoutsOf, placeOfVariable } from "../evaluate/assume/namedSlot.ts";
import type { Cell } from "../notebook/cell.ts";
import { addressCard } from "./addressNames.ts";
import { type Snippet, stop, string } from "./snippet.ts";
import { storedPlaceDocs } from "./storedVariables.ts";
import type { Choice } from "./suggestion.ts";

/** A variable that `assume.storage` can name, and a value to begin with. */
interface AssumedVariable extends Choice {
  readonly key: Snippet;
  readonly value: Snippet;
}

/** Suggests the variables of the contract whose storage is assumed; without its layout, those of all contracts. */
export function assumedVariables(cell: Cell, place: KeyContext, scope: Scope): readonly AssumedVariable[] {
  const address = accountNamed(place.path.at(-2)?.key, cell, scope);
  const storage = storageScope(cell, scope);
  const written = place.text ?? "";
  const { layouts, path } = layoutsOf(written, address ?? "", storage);
  const [own] = layouts;
  if (own) return variablesOf(own, written.slice(0, written.length - path.length), path, storage.keys);
  return storage.layouts.flatMap(({ layout }) => variablesOf(layout, `${layout.contract}.`, "", storage.keys));
}

function variablesOf(layout: StorageLayout, prefix: string, text: string, keys: Keys): readonly AssumedVariable[] {
  return continuations(layout, text, keys).flatMap(({ path, type, needsKey }) => {
    if (needsKey === undefined && type.kind !== "value") return [];
    const full = prefix + path;
    const open = `"${string(full).slice(1, -1)}${stop(1, needsKey === "index" ? "0" : "")}]"`;
    return {
      label: needsKey ? `${full}…]` : full,
      kind: "key",
      detail: brief(type.label, 80),
      key: needsKey ? open : string(full),
      typed: full,
      value: firstValue(type, needsKey ? 2 : 1),
    };
  });
}

function firstValue(type: StorageType, number: number): Snippet {
  switch (type.kind === "value" ? type.abi.kind : undefined) {
    case "bool":
      return stop(number, "true");
    case "uint":
    case "int":
      return stop(number, "0");
    default:
      return `"0x${stop(number)}"`;
  }
}

/** Returns the type of the variable whose value is assumed at a place. */
export function assumedType(cell: Cell, { owner, path }: ValueContext, scope: Scope): StorageType | undefined {
  if (owner.kind !== "typed" || mapAt(owner.type)?.keys !== "slotName") return undefined;
  const found = placeAt(path, cell, scope);
  return typeof found === "object" ? found.type : undefined;
}

/** Explains a key of `assume`: the address behind the name of an account, the place of a variable. */
export function assumedKeyDocs({ text, path, owner }: TypedToken, cell: Cell, scope: Scope): Markdown | undefined {
  const keys = owner.kind === "typed" ? mapAt(owner.type)?.keys : undefined;
  if (keys === "account") {
    const address = accountNamed(text, cell, scope);
    return address === undefined ? undefined : addressCard(address, scope);
  }
  if (keys !== "slotName" || !layoutsAreRead(cell, scope)) return undefined;
  const found = placeAt(path, cell, scope);
  return typeof found === "object" ? storedPlaceDocs(found) : undefined;
}

function placeAt(path: TypedToken["path"], cell: Cell, scope: Scope): ReturnType<typeof placeOfVariable> | undefined {
  const [address, variable] = [accountNamed(path.at(-2)?.key, cell, scope), path.at(-1)?.key];
  if (address === undefined || variable === undefined) return undefined;
  return placeOfVariable(variable, address, storageScope(cell, scope));
}

/** Returns the address of an account as `assume` names it, in lower case. */
function accountNamed(name: string | undefined, cell: Cell, scope: Scope): string | undefined {
  if (name === undefined) return undefined;
  if (isAddress(name)) return name.toLowerCase();
  const addresses = new Set(assumeScope(cell, scope).addressesOf(/^\{\{\s*([\w$]+)\s*\}\}$/.exec(name)?.[1] ?? name));
  return addresses.size === 1 ? [...addresses][0] : undefined;
}
