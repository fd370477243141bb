/** Decodes base64; what does not belong to it is passed over. */
export function bytesOf(base64: string): Uint8Array {
  const digits = base64.replace(/[^A-Za-z0-9+/]/g, "");
  const bytes = new Uint8Array((digits.length * 3) >> 2);
  for (let at = 0, bits = 0, buffer = 0, next = 0; at < digits.length; at++) {
    buffer = ((buffer << 6) | alphabet.indexOf(digits.charAt(at))) & 0xffffff;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes[next++] = (buffer >> bits) & 0xff;
  }
  return bytes;
}

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
