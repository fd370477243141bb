import type { WatchesChanged } from "../../server/src/protocol/background.ts";

type Value = WatchesChanged["changed"][number];

/** The line of a watched value: its difference and the value first, then the drawing, then how old it is. */
export function watchLine({ value, detail, spark }: Value, old: string | undefined): string {
  return [detail, value, spark, old].filter((part) => part).join("  ");
}

/** The name of a watched value for screen readers and its tooltip, without the drawing: label, difference, exact value. */
export function watchName(title: string, { value, exact = value, detail }: Value, old: string | undefined): string {
  return [title, detail, exact, old].filter((part) => part).join(", ");
}

/** Milliseconds without a head of an endpoint, after which its values are shown as old. */
export const staleMs = 5000;

/** Returns the milliseconds since an endpoint last reported its head; `undefined` while its values hold. */
export function staleAge(heardAt: number | undefined, now: number): number | undefined {
  const age = heardAt === undefined ? 0 : now - heardAt;
  return age > staleMs ? age : undefined;
}

/** Returns the `name` of a request, or its method. Searches the text, which may not be valid JSON. */
export function titleInText(text: string): string | undefined {
  const match = /"name"\s*:\s*"([^"]{1,40})"/.exec(text) ?? /"method"\s*:\s*"([^"]{1,40})"/.exec(text);
  return match?.[1];
}
