/**
 * Shortens long hex to its start, its end and, for long data, its size.
 *
 * @param limit - Characters that fit. Shorter text and text that is not hex are returned as they are.
 * @example shortened("0x70997970C51812dc3A010C7d01b50e0d17dc79C8", 14); //=> "0x7099…79C8"
 */
export function shortened(text: string, limit: number): string {
  if (text.length <= limit || !/^0x[0-9a-fA-F]+$/.test(text)) return text;
  const kept = Math.max(8, limit - 4);
  const tail = Math.max(4, Math.floor(kept / 4));
  const short = `${text.slice(0, limit <= 14 ? 6 : kept - tail)}…${text.slice(limit <= 14 ? -4 : -tail)}`;
  const bytes = (text.length - 2) / 2;
  return bytes > 32 ? `${short} (${Math.ceil(bytes).toLocaleString("en")} bytes)` : short;
}

/** A time on the reader's clock, with the date if that is another day. */
export function clockText(at: number, now = Date.now()): string {
  const [then, today] = [new Date(at), new Date(now)];
  const time = then.toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });
  return then.toDateString() === today.toDateString() ? time : `${then.toLocaleDateString("en-CA")} ${time}`;
}
