/** Starts to count. Returns the milliseconds that this process has worked since, which other programs do not lengthen. */
export function cpuTime(): () => number {
  const begun = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(begun);
    return (user + system) / 1000;
  };
}
