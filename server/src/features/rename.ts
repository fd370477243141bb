import { headerLabels } from "../analysis/labels.ts";
import { accountsIn, declarationsOf, mentionsOf, type NamedThing, thingAt } from "../analysis/names.ts";
import { dependencies } from "../analysis/references.ts";
import type { Scope } from "../analysis/scope.ts";
import { code } from "../base/markdown.ts";
import { type Span, touches } from "../base/span.ts";
import { brief } from "../base/text.ts";
import { builtIn } from "../endpoints/named.ts";
import type { Cell } from "../notebook/cell.ts";
import { parsePath } from "../notebook/placeholder.ts";
import type { CellEdit, CellSpan } from "./location.ts";

/** A name that can be renamed. */
export interface Renameable {
  readonly span: Span;
  /** The name as it is; that of an address is its label. */
  readonly name: string;
}

/** The name of a variable, cell or endpoint, or an address with a label; not the rest of a placeholder's path. */
export function renameable(cell: Cell, offset: number, scope: Scope): Renameable | undefined {
  const found = renamed(cell, offset, scope);
  return found && { span: found.thing.at.span, name: found.name };
}

/**
 * Renames a variable, a cell, the label of an address, or an endpoint that no file declares, everywhere at once.
 *
 * @returns The edits, or a sentence that says why not: a clash, a name that placeholders cannot spell.
 */
export function rename(
  cell: Cell,
  offset: number,
  name: string,
  scope: Scope,
): readonly CellEdit[] | { readonly refused: string } {
  const found = renamed(cell, offset, scope);
  if (!found) return { refused: "There is nothing to rename here." };
  const { thing } = found;
  if (name === found.name) return [];
  const refused = refusal(thing, name, scope);
  if (refused !== undefined) return { refused };
  const places = [
    ...mentionsOf(thing, scope).filter(({ declares }) => thing.kind !== "address" || declares === "label"),
    ...(thing.kind === "address" ? usesOfLabel(found.name, scope) : []),
  ];
  const insert = JSON.stringify(name).slice(1, -1);
  return places.map(({ cell, span }) => ({ cell, span, insert }));
}

/** The places of the cells that name an account by its label. */
function usesOfLabel(label: string, { cells }: Scope): readonly CellSpan[] {
  return cells.flatMap((cell) => accountsIn(cell).filter(({ name }) => name === label));
}

function renamed(
  cell: Cell,
  offset: number,
  scope: Scope,
): { readonly thing: NamedThing; readonly name: string } | undefined {
  const thing = thingAt(cell, offset, scope);
  if (!thing || thing.kind === "unknown" || !touches(thing.at.span, offset)) return undefined;
  const name = thing.kind === "address" ? headerLabels(scope.header).get(thing.name) : thing.name;
  return name === undefined ? undefined : { thing, name };
}

/** Says why a thing cannot take a name, in a sentence. */
function refusal(thing: NamedThing, name: string, scope: Scope): string | undefined {
  if (name.trim() === "") return "A name has at least one character.";
  switch (thing.kind) {
    case "address":
    case "unknown":
      return undefined;
    case "endpoint":
      return namedElsewhere(thing.name, scope);
    case "variable":
    case "cell":
    case "row":
      return badName(name) ?? taken(name, scope);
  }
}

function badName(name: string): string | undefined {
  if (name.startsWith("$")) return "A name cannot begin with `$`, as `$env` and `$secret` do.";
  if (parsePath(name)?.length === 1) return undefined;
  return `${code(name)} cannot be used in a placeholder: a name has letters, digits, \`_\` and \`-\`, and begins with a letter or \`_\`.`;
}

function taken(name: string, scope: Scope): string | undefined {
  const [holder] = declarationsOf("name", name, scope);
  if (holder) return `A ${holder.declares} is already called ${code(name)}.`;
  // a name that nothing gives yet would come to mean this
  const used = scope.cells.some((cell) => dependencies(cell).some((one) => one.name === name));
  return used ? `${code(`{{${name}}}`)} is already in the notebook and would then mean this.` : undefined;
}

function namedElsewhere(name: string, { endpoints }: Scope): string | undefined {
  const known = endpoints.find((one) => one.name === name);
  if (!known) return undefined;
  if (known.origin === builtIn) return `${code(name)} is built in and keeps its name.`;
  return `${code(name)} is named in ${brief(known.origin)}: rename it there.`;
}
