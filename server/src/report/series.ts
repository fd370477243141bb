import { grouped } from "../base/units.ts";
import type { SeriesSection } from "./report.ts";

/** A value of a series, and the name of its place: a block, a transaction. */
export interface Point {
  readonly at: string;
  readonly value: number;
  /** The value with its unit, as people read it. */
  readonly text: string;
}

/** Points below which a chart says no more than the numbers. */
const minPoints = 3;
/** Points of a chart: more do not fit on a screen. */
const maxPoints = 2000;

/**
 * A chart of numbers in their order; empty if there are too few, or too many.
 *
 * @param title - What is counted: `Base fee`.
 * @param place - The name of the places: `block`.
 */
export function series(
  title: string,
  shape: SeriesSection["shape"],
  place: string,
  points: readonly Point[],
): readonly SeriesSection[] {
  const [first, last] = [points[0], points.at(-1)];
  if (points.length < minPoints || points.length > maxPoints || !first || !last) return [];
  return [{ kind: "series", title, shape, place, points, text: seriesText(title, place, points, first, last) }];
}

/** Says what the chart shows: where it begins and ends, and its extremes. */
function seriesText(title: string, place: string, points: readonly Point[], first: Point, last: Point): string {
  const lowest = points.reduce((least, point) => (point.value < least.value ? point : least));
  const highest = points.reduce((most, point) => (point.value > most.value ? point : most));
  if (lowest.value === highest.value) return `${title}: ${first.text} at all ${grouped(points.length)} ${place}s.`;
  const extremes = [
    `highest ${highest.text} at ${place} ${highest.at}`,
    `lowest ${lowest.text} at ${place} ${lowest.at}`,
  ];
  return `${title}: from ${first.text} at ${place} ${first.at} to ${last.text} at ${place} ${last.at}; ${extremes.join(", ")}.`;
}
