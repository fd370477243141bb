/** Bytes converted at once: every engine takes as many arguments. */
const pieceBytes = 0x8000;

/** Encodes bytes. Works in web workers too, which have no `Buffer`. */
export function base64(bytes: Uint8Array): string {
  let binary = "";
  for (let start = 0; start < bytes.length; start += pieceBytes)
    binary += String.fromCharCode(...bytes.subarray(start, start + pieceBytes));
  return btoa(binary);
}
