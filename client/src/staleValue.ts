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
