import { isWord } from "../base/hex.ts";
import type { JsonValue } from "../base/json.ts";

/** Returns the hash that a request asks about; `undefined` if it is not one. */
export function askedHash(params: JsonValue | undefined): string | undefined {
  const [hash] = Array.isArray(params) ? params : [];
  return isWord(hash) ? hash : undefined;
}
