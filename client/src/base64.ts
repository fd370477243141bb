/** Bytes a piece: as many arguments as a call takes everywhere. */
const piece = 0x8000;

/** The same in Node and in a web worker, where there is no `Buffer`. */
export function base64(bytes: Uint8Array): string {
  let binary = "";
  for (let start = 0; start < bytes.length; start += piece)
    binary += String.fromCharCode(...bytes.subarray(start, start + piece));
  return btoa(binary);
}
