/** Where long hashes in a path are public. */
const publicHosts = /(?:^|\.)(?:github\.com|githubusercontent\.com|ipfs\.io|localhost)$/;

/**
 * What of an address is a secret: credentials, a key by its name in the query, a long random part of the path. As it is
 * written, in order.
 */
export function secretParts(address: string): readonly string[] {
  if (!URL.canParse(address)) return [];
  const credentials = /^[a-z][\w+.-]*:\/\/([^/?#@]+)@/i.exec(address)?.[1];
  if (credentials !== undefined) return [credentials];
  if (publicHosts.test(new URL(address).hostname)) return [];
  const [path = "", query = ""] = address.replace(/^[a-z][\w+.-]*:\/\/[^/?#]*/i, "").split(/\?(.*)/s);
  const named = [...`?${query}`.matchAll(/[?&][^=&]*(?:key|token|secret|auth)[^=&]*=([^&#]{8,})/gi)];
  return [...path.split("/").filter(isRandom), ...named.flatMap(([, value]) => value ?? [])];
}

export function isRandom(part: string): boolean {
  return /^(?!0x)[A-Za-z0-9_-]{20,}$/i.test(part) && /[A-Za-z]/.test(part) && (part.match(/\d/g)?.length ?? 0) > 1;
}
