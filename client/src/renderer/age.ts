import { plural } from "../../../server/src/base/text.ts";

/** An element whose text is an age. */
interface Aged {
  readonly element: HTMLElement;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly text: (ageMs: number) => string;
}

const shown = new Set<Aged>();
let timer: ReturnType<typeof setTimeout> | undefined;
let isListening = false;

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** Milliseconds after which every age is written again, by the youngest of them: never faster than it can be read. */
const periods = [
  [minute, 5 * second],
  [hour, minute],
  [Number.POSITIVE_INFINITY, hour],
] as const;

/**
 * Shows how long ago something was, and keeps that up to date while the page is visible.
 *
 * @param at - Milliseconds since 1970.
 * @param text - Makes the text of an age in milliseconds.
 */
export function keepAge(element: HTMLElement, at: number, text: (ageMs: number) => string): void {
  const aged = { element, at, text };
  shown.add(aged);
  show(aged);
  if (!isListening) document.addEventListener("visibilitychange", () => (document.hidden ? plan() : write()));
  isListening = true;
  plan();
}

function plan(): void {
  clearTimeout(timer);
  if (document.hidden) return;
  const age = Date.now() - Math.max(...[...shown].map(({ at }) => at));
  const [, period = hour] = periods.find(([limit]) => age < limit) ?? [];
  timer = setTimeout(write, period);
}

function write(): void {
  for (const aged of shown) {
    if (aged.element.isConnected) show(aged);
    else shown.delete(aged);
  }
  if (shown.size > 0) plan();
}

function show({ element, at, text }: Aged): void {
  element.textContent = text(Math.max(0, Date.now() - at));
}

const days = [Number.POSITIVE_INFINITY, "day", day] as const;
const units = [
  [minute, "second", second],
  [hour, "minute", minute],
  [day, "hour", hour],
] as const;

/** @example ageText(125_000) //=> "2 minutes ago" */
export function ageText(ageMs: number): string {
  if (ageMs < 2 * second) return "now";
  const [, unit, length] = units.find(([limit]) => ageMs < limit) ?? days;
  return `${plural(Math.floor(ageMs / length), unit)} ago`;
}

/** Returns the longest usual text of an age, to keep room for it. */
export function widestAge(blockMs: number | undefined): string {
  const texts = [59 * second, 59 * minute, 23 * hour].map((age) => ageText(age) + blocksText(age, blockMs));
  return texts.reduce((widest, text) => (text.length > widest.length ? text : widest));
}

/** @example blocksText(120_000, 2000) //=> ", about 60 blocks" */
export function blocksText(ageMs: number, blockMs: number | undefined): string {
  const blocks = blockMs === undefined || blockMs <= 0 ? 0 : Math.floor(ageMs / blockMs);
  return blocks === 0 ? "" : `, about ${plural(blocks, "block")}`;
}
