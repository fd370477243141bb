import { continuations } from "../abi/storageContinuations.ts";
import type { StoragePlace } from "../abi/storagePlace.ts";
import { layoutNames, layoutsNamed } from "../abi/storageScope.ts";
import { bytesTaken, partsInSlot, type SlotPart, storedWord } from "../abi/storageSearch.ts";
import type { ValueContext } from "../analysis/cursorContext.ts";
import type { Scope } from "../analysis/scope.ts";
import { storageScope } from "../analysis/storage.ts";
import { memberOf, type TypedToken, textOf } from "../analysis/typedTokens.ts";
import { fieldAt } from "../analysis/types.ts";
import { toWord } from "../base/hex.ts";
import { code, escaped, joined, type Markdown, markdown } from "../base/markdown.ts";
import { brief } from "../base/text.ts";
import type { Cell } from "../notebook/cell.ts";
import { sourceText } from "./abiLookup.ts";
import { addressNames } from "./addressNames.ts";
import { stop, string } from "./snippet.ts";
import type { Suggestion } from "./suggestion.ts";

/** Suggests contracts with a storage layout, and the paths of their variables. */
export function storedVariables(cell: Cell, place: ValueContext, scope: Scope): readonly Suggestion[] | undefined {
  const { key, owner } = place;
  if (owner.kind !== "typed" || (key !== "contract" && key !== "variable" && key !== "type")) return undefined;
  if (!fieldAt(owner.type, "variable") || !fieldAt(owner.type, "contract")) return undefined;
  const { layouts, keys } = storageScope(cell, scope);
  if (key === "contract") {
    return layoutNames(layouts).map((label) => {
      const [layout] = layoutsNamed(layouts, label);
      return { label, kind: "value", detail: layout?.source, insert: string(label) };
    });
  }
  const contract = textOf(memberOf(place.path.at(-1)?.container, "contract"));
  const [layout] = contract === undefined ? [] : layoutsNamed(layouts, contract);
  if (!layout) return [];
  if (key === "type") {
    const structs = [...layout.types.values()].filter(({ kind }) => kind === "struct");
    return structs.map(({ label }) => ({
      label: brief(label.replace(/^struct /, ""), 80),
      kind: "value",
      insert: string(label.replace(/^struct /, "")),
    }));
  }
  return continuations(layout, place.text ?? "", keys).map(({ path, type, needsKey }) => ({
    label: needsKey ? `${path}…]` : path,
    kind: "value",
    detail: brief(type.label, 80),
    insert: needsKey ? `"${string(path).slice(1, -1)}${stop(1, needsKey === "index" ? "0" : "")}]"` : string(path),
    typed: path,
  }));
}

/** Suggests places by the name of a variable where a slot is expected: one for each contract with a layout. */
export function contractPlaces(cell: Cell, scope: Scope): readonly Suggestion[] {
  return layoutNames(storageScope(cell, scope).layouts).map((name) => ({
    label: `${name}: a variable`,
    kind: "value",
    detail: "A storage slot, by the name of its variable",
    insert: `{ "contract": ${string(name)}, "variable": "${stop(1)}" \\}`,
    typed: name,
  }));
}

/** Explains a stored value: its type, its slot and what else is in the slot. */
export function storedPlaceDocs({ layout, path, slot, offset, type, formula, frame }: StoragePlace): Markdown {
  const taken = bytesTaken({ type, offset });
  const own = ({ type: other, offset: at }: SlotPart): boolean => other === type && at === offset;
  const neighbours = partsInSlot(layout, frame, slot).filter((part) => !own(part));
  return joined(
    [
      joined(
        [
          code(path, 200),
          code(type.label, 80),
          taken === undefined ? undefined : markdown`${escaped(taken)} of its slot`,
          sourceText(layout.source),
        ],
        " · ",
      ),
      markdown`Slot ${code(formula, 300)}`,
      neighbours.length === 0 ? undefined : markdown`In the same slot:\n\n${partLines(neighbours)}`,
    ],
    "\n\n",
  );
}

/** Names in a slot that a hover lists. */
const maxParts = 16;

function partLines(parts: readonly SlotPart[]): Markdown {
  const more = parts.length - maxParts;
  const lines = parts.slice(0, maxParts).map((part) => {
    const taken = bytesTaken(part);
    return joined(
      [
        markdown`- ${code(part.path, 120)}`,
        code(part.type.label, 80),
        taken === undefined ? undefined : escaped(taken),
      ],
      " · ",
    );
  });
  return joined([...lines, more > 0 ? markdown`- … and ${more} more` : undefined], "\n");
}

/** Names what a contract keeps in a slot that is written as it is, beside the contract's address. */
export function slotDocs(text: string, path: TypedToken["path"], cell: Cell, scope: Scope): Markdown | undefined {
  const params = path.at(-1)?.container;
  const written = params?.kind === "array" ? textOf(params.slots[0]?.value) : undefined;
  const name = /^\{\{\s*([\w$]+)\s*\}\}$/.exec(written ?? "")?.[1];
  const address = name === undefined ? written : scope.variables.get(name);
  if (address === undefined || !/^0x[0-9a-fA-F]{1,64}$/.test(text)) return undefined;
  const { layouts } = storageScope(cell, scope);
  const found = storedWord(layouts, undefined, [address, toWord(BigInt(text))], addressNames(scope));
  if (!found) return undefined;
  const by = found.byLabel ? markdown`, if the contract is what its label says` : markdown``;
  return markdown`${escaped(found.layout.contract, 80)} has in this slot${by}:\n\n${partLines(found.parts)}`;
}
