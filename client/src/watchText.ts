import type { WatchesChanged } from "../../server/src/protocol/background.ts";

type Value = Pick<WatchesChanged["changed"][number], "value" | "detail" | "spark">;

/** The line of a watched value: the value and its difference first, then the drawing, then how old it is. */
export function watchLine({ value, detail, spark }: Value, old: string | undefined): string {
  return [value, detail, spark, old].filter((part) => part).join("  ");
}

/** The name of a watched value for screen readers, without the drawing: label, value, difference. */
export function watchName(title: string, { value, detail }: Value, old: string | undefined): string {
  return [title, value, detail, old].filter((part) => part).join(", ");
}
