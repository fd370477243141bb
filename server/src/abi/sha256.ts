import { sha256 } from "viem/utils";

/** Returns the SHA-256 of bytes: 64 hex digits. */
export function sha256Of(bytes: Uint8Array): string {
  return sha256(bytes).slice(2);
}
