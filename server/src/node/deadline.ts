/**
 * Does the work of one exchange and always settles, whatever the sockets do: when the work does, at its deadline, or when
 * it is cancelled.
 *
 * @param work - Its signal aborts in all three cases, so that nothing that it opened and did not give away stays open.
 */
export async function withDeadline<Answer>(
  timeoutMs: number,
  signal: AbortSignal,
  work: (over: AbortSignal) => Promise<Answer>,
): Promise<Answer | "cancelled" | "timeout"> {
  const over = new AbortController();
  let end: (why: "cancelled" | "timeout") => void = () => {};
  const ended = new Promise<"cancelled" | "timeout">((resolve) => {
    end = resolve;
  });
  const cancel = (): void => end("cancelled");
  const timer = setTimeout(() => end("timeout"), Math.min(timeoutMs, 2 ** 31 - 1));
  signal.addEventListener("abort", cancel, { once: true });
  try {
    return signal.aborted ? "cancelled" : await Promise.race([work(over.signal), ended]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", cancel);
    over.abort();
  }
}
