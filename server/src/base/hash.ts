/**
 * Two 32-bit FNV-1a hashes side by side, the second over the text with its places mixed in. Not for secrets.
 * @see http://www.isthe.com/chongo/tech/comp/fnv/
 */
export function hash64(text: string): string {
  const prime = 0x01000193;
  let first = 0x811c9dc5;
  let second = 0x811c9dc5 ^ text.length;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    first = Math.imul(first ^ code, prime);
    second = Math.imul(second ^ (code + Math.imul(i + 1, 0x9e3779b1)), prime);
  }
  return [first, second].map((part) => (part >>> 0).toString(16).padStart(8, "0")).join("");
}
