const bars = "▁▂▃▄▅▆▇█";

/** Draws values as a line of bars; empty if all are the same. */
export function sparkline(values: readonly bigint[]): string {
  const sorted = [...values].sort((a, b) => (a < b ? -1 : 1));
  const [least = 0n, greatest = 0n] = [sorted[0], sorted.at(-1)];
  if (greatest === least) return "";
  return values.map((value) => bars[Number(((value - least) * 7n) / (greatest - least))]).join("");
}
