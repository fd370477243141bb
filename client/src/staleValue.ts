/** Milliseconds without news of an endpoint, after which its values are shown as old. */
export const staleMs = 5000;

/** @returns Milliseconds since an endpoint last told its head; `undefined` while its values are known to hold. */
export function staleAge(heardAt: number | undefined, now: number): number | undefined {
  const age = heardAt === undefined ? 0 : now - heardAt;
  return age > staleMs ? age : undefined;
}

/** Names a request by its `name`, else by its method, as the text has them: the cell may be broken. */
export function titleInText(text: string): string | undefined {
  const named = /"name"\s*:\s*"([^"]{1,40})"/.exec(text) ?? /"method"\s*:\s*"([^"]{1,40})"/.exec(text);
  return named?.[1];
}
