import type { CellFinished } from "../../server/src/protocol/runs.ts";

const line = "─".repeat(72);

/**
 * Writes the results of a run as one text.
 *
 * @param indices - Ordinals of the cells to run; `undefined` for all. The results of cells that they refer to are shown only
 *   if none of these has one.
 * @returns `undefined` without a result.
 */
export function resultText(
  finished: readonly CellFinished[],
  indices: readonly number[] | undefined,
  answerTitle: string,
): string | undefined {
  const chosen = finished.filter(
    ({ cell }) => indices === undefined || ("index" in cell && indices.includes(cell.index)),
  );
  const shown = chosen.length > 0 ? chosen : finished;
  if (shown.length === 0) return undefined;
  return shown.map((cell) => resultBlock(cell, answerTitle)).join(`\n\n${line}\n\n`);
}

function resultBlock({ output }: CellFinished, answerTitle: string): string {
  const json = output.json === "" ? "" : `\n\n${answerTitle}\n${output.json}`;
  return `${output.text.trimEnd()}${json}`;
}
