import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { cases } from "./case.ts";
import { commands } from "./command.ts";
import { decode } from "./decode.ts";
import { peakOf } from "./decodeContenders.ts";
import { edit } from "./edit.ts";
import { live } from "./live.ts";
import { lookups } from "./lookup.ts";
import { recordings } from "./recording.ts";
import { render } from "./render.ts";
import { type Area, areas, isOk, type Row } from "./row.ts";
import { runs } from "./run.ts";
import { size } from "./size.ts";
import { start } from "./start.ts";
import { traces } from "./trace.ts";

/** The measurement of each area; an area without a measurement has no rows. */
const measurements: Readonly<Partial<Record<Area, () => Promise<readonly Row[]>>>> = {
  decode,
  run: async () => [...(await runs()), ...(await lookups())],
  edit,
  start,
  size,
  live,
  render: async () => [...(await render()), ...(await cases())],
  recording: recordings,
  trace: traces,
  command: () => commands(values.logs === undefined ? undefined : [Number(values.logs)]),
};

const text = { type: "string" } as const;
const { values } = parseArgs({
  options: { json: { type: "boolean" }, area: text, logs: text, peak: text, set: text, file: text },
});
if (values.peak !== undefined) {
  console.log(peakOf(values.set ?? "", values.peak, readFileSync(values.file ?? "", "utf8")));
  process.exit();
}
if (values.area !== undefined && !areas.some((area) => area === values.area)) {
  console.error(`Unknown area ${values.area}. Areas: ${areas.join(", ")}.`);
  process.exit(2);
}

const rows: Row[] = [];
for (const area of areas) {
  if (values.area !== undefined && values.area !== area) continue;
  if (!values.json && measurements[area]) console.error(`▸ ${area}`);
  rows.push(...((await measurements[area]?.()) ?? []));
}

if (values.json) {
  console.log(
    JSON.stringify(
      rows.map((row) => ({
        area: row.area,
        name: row.name,
        value: row.value,
        unit: row.unit,
        budget: row.budget ?? null,
        ok: isOk(row),
      })),
      null,
      2,
    ),
  );
} else {
  print(rows);
}

function print(all: readonly Row[]): void {
  const lines = all.map((row) => [
    row.area,
    row.name,
    `${row.value} ${row.unit}`,
    row.budget === undefined ? "" : `${row.atLeast ? "≥" : "≤"} ${row.budget} ${row.unit}`,
    isOk(row) ? "ok" : "OVER",
    row.baseline ?? "",
  ]);
  const table = [["area", "what", "measured", "budget", "", "beside"], ...lines];
  const widths = [0, 1, 2, 3, 4].map((column) => Math.max(...table.map((line) => line[column]?.length ?? 0)));
  for (const line of table) {
    console.log(
      line
        .map((text, column) =>
          column === 2 || column === 3 ? text.padStart(widths[column] ?? 0) : text.padEnd(widths[column] ?? 0),
        )
        .join("  ")
        .trimEnd(),
    );
  }
}
