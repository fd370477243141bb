/** A time on the reader's clock, with the date if that is another day. */
export function clockText(at: number, now = Date.now()): string {
  const [then, today] = [new Date(at), new Date(now)];
  const time = then.toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });
  return then.toDateString() === today.toDateString() ? time : `${then.toLocaleDateString("en-CA")} ${time}`;
}
