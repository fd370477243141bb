let count = 0;

/** Tells the runs of this session apart; the server sends it back with all that it tells of a run. */
export function nextRunId(): string {
  return `run-${++count}`;
}
