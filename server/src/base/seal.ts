import { hash64 } from "./hash.ts";

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
 * ends, as Git makes them on Windows, are no change.
 */
export function isUnchanged(text: string, kind: SealedKind): boolean {
  const written = text.replaceAll("\r\n", "\n").trimEnd();
  const [beginning] = kind.begins.exec(written) ?? [];
  if (beginning === undefined) return false;
  const { length } = kind.seal(hash64(""));
  return sealed(beginning + written.slice(beginning.length + length), kind) === written;
}
