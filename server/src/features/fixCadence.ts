import { notAhead } from "../analysis/cellEndpoint.ts";
import type { ProblemWith } from "../analysis/problem.ts";
import { replace } from "./edits.ts";
import { type Fix, type Site, write } from "./fix.ts";

/** Fixes for chains without pre-confirmed state: at this place, and at all places of the notebook at once. */
export function fixNotAhead(site: Site, { span, instead }: ProblemWith<"not-ahead">): readonly Fix[] {
  const edits = site.scope.cells.flatMap((cell) =>
    notAhead(cell, site.scope).flatMap((one) =>
      one.code === "not-ahead" ? [{ cell, ...replace(one.span, JSON.stringify(one.instead)) }] : [],
    ),
  );
  const all = { title: `Use sealed state in the whole notebook (${edits.length} places)`, preferred: false, edits };
  return [...write(site, span, JSON.stringify(instead)), ...(edits.length > 1 ? [all] : [])];
}
