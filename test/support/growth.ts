/** Milliseconds of CPU time. Work that takes less is fast on any machine, and its noise is too large for a ratio. */
const short = 250;

/** Linear work takes eight times as long for a text eight times as long, quadratic work 64 times. */
const most = 24;

/**
 * Fails if work grows much faster than its size. Only a ratio is measured, so that a slow machine, other programs and the
 * measuring of coverage change nothing.
 *
 * @param size - The largest. The work is also run at an eighth of it, except if it is short.
 * @param what - Names the work where a test has several.
 */
export async function expectLinear(size: number, work: (size: number) => unknown, what = ""): Promise<void> {
  let large = await cpuTime(size, work);
  if (large < short) return;
  const eighth = Math.ceil(size / 8);
  const small = await least(eighth, work);
  const isLinear = (): boolean => large < short || large <= small * most;
  if (!isLinear()) large = await least(size, work);
  const took = (ms: number): string => `${Math.round(ms)} ms`;
  if (!isLinear()) throw new Error(`${what} ${took(large)} at size ${size}, but ${took(small)} at size ${eighth}`);
}

/** Measures three times: code is slower before it is compiled, and memory is freed now and then. */
async function least(size: number, work: (size: number) => unknown): Promise<number> {
  const times: number[] = [];
  while (times.length < 3) times.push(await cpuTime(size, work));
  return Math.min(...times);
}

/** Other programs do not lengthen it. */
async function cpuTime(size: number, work: (size: number) => unknown): Promise<number> {
  const begun = process.cpuUsage();
  await work(size);
  const { user, system } = process.cpuUsage(begun);
  return (user + system) / 1000;
}
