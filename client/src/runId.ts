let count = 0;

/** Returns a new id for a run of this session. The server sends it back with each event of the run. */
export function nextRunId(): string {
  return `run-${++count}`;
}
