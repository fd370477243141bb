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

/** A kind of file that says near its beginning which content it had when it was written. */
export interface SealedKind {
  /** Matches its beginning, up to the place of the seal. */
  readonly begins: RegExp;
  seal(hash: string): string;
}

/** The same text with its seal; a text of another kind comes back as it is. */
export function sealed(text: string, { begins, seal }: SealedKind): string {
  const [beginning] = begins.exec(text) ?? [];
  return beginning === undefined ? text : beginning + seal(hash64(text.trimEnd())) + text.slice(beginning.length);
}

/**
 * Whether a text is a file of this kind as it was written: a person who has changed it may want to keep that. Other line
 * ends do not count, since Git changes them on Windows.
 */
export function isUnchanged(text: string, kind: SealedKind): boolean {
  const written = text.replaceAll("\r\n", "\n").trimEnd();
  const [beginning] = kind.begins.exec(written) ?? [];
  if (beginning === undefined) return false;
  const { length } = kind.seal(hash64(""));
  return sealed(beginning + written.slice(beginning.length + length), kind) === written;
}
