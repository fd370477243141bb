/** A half-open range of UTF-16 code units: `start` is in it, `end` is not. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export function span(start: number, end: number): Span {
  return { start, end };
}

export function shift(at: Span, by: number): Span {
  return { start: at.start + by, end: at.end + by };
}

/** The cursor may be on either edge, as it does when one types. */
export function touches(at: Span, offset: number): boolean {
  return at.start <= offset && offset <= at.end;
}

export function slice(text: string, at: Span): string {
  return text.slice(at.start, at.end);
}
