import type { WatchesChanged } from "../../server/src/protocol/background.ts";

type Value = Pick<WatchesChanged["changed"][number], "value" | "exact" | "detail" | "spark">;

/** The line of a watched value: its difference and the value first, then the drawing, then how old it is. */
export function watchLine({ value, detail, spark }: Value, old: string | undefined): string {
  return [detail, value, spark, old].filter((part) => part).join("  ");
}

/** The name of a watched value for screen readers and its tooltip, without the drawing: label, difference, exact value. */
export function watchName(title: string, { value, exact = value, detail }: Value, old: string | undefined): string {
  return [title, detail, exact, old].filter((part) => part).join(", ");
}
