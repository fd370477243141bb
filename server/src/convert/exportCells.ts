import type { Cell } from "../notebook/cell.ts";
import type { Exported, ExportScope, ExportTarget } from "./exportModel.ts";
import { type ShellHost, shells, shellsFor } from "./shells.ts";
import { toShell } from "./toShell.ts";
import { toViem } from "./toViem.ts";

/**
 * Writes cells for another tool. Never throws. What could not be written is a note, and a comment in the text.
 *
 * @param cells - Some of those of the scope, the header not among them.
 */
export function exportCells(
  cells: readonly Cell[],
  { to, shell = "bash" }: ExportTarget,
  around: ExportScope,
): Exported {
  return to === "viem" ? toViem(cells, around) : toShell(cells, to, shell, around);
}

/** Lists what cells can be written as, with names for people. What fits the host comes first. */
export function exportTargets(host: ShellHost): readonly (ExportTarget & { readonly label: string })[] {
  const [first, ...others] = shellsFor(host).map((shell) =>
    (["curl", "cast"] as const).map((to) => ({ to, shell, label: `${to} for ${shells[shell].label}` })),
  );
  return [...(first ?? []), { to: "viem", label: "viem" }, ...others.flat()];
}
