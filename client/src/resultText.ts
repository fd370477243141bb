import type { CellFinished } from "../../server/src/protocol/runs.ts";

const line = "─".repeat(72);

/**
 * Lays out the results of a run as one text.
 *
 * @param indices - Ordinals of the cells that were asked for; `undefined` for all. Cells that they refer to ran too and are
 *   shown only if none of those has a result.
 * @returns `undefined` if nothing came.
 */
export function resultText(
  finished: readonly CellFinished[],
  indices: readonly number[] | undefined,
  answerTitle: string,
): string | undefined {
  const asked = finished.filter(
    ({ cell }) => indices === undefined || ("index" in cell && indices.includes(cell.index)),
  );
  const shown = asked.length > 0 ? asked : finished;
  if (shown.length === 0) return undefined;
  return shown.map((cell) => resultBlock(cell, answerTitle)).join(`\n\n${line}\n\n`);
}

function resultBlock({ output }: CellFinished, answerTitle: string): string {
  const json = output.json === "" ? "" : `\n\n${answerTitle}\n${output.json}`;
  return `${output.text.trimEnd()}${json}`;
}
