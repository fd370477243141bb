import { countLine } from "../../../scripts/lib/report.mjs";

/**
 * Waits for a run to end and reports its result, in the form that `npm test` reads.
 *
 * @throws Error unless there were tests and all passed; VS Code then fails the suite.
 */
export async function finish(start: (whenDone: () => void) => Mocha.Runner): Promise<void> {
  const { passes, failures, pending } = await new Promise<Mocha.Stats>((resolve, reject) => {
    const runner = start(() => (runner.stats ? resolve(runner.stats) : reject(new Error("Mocha did not count."))));
  });
  const failed = failures + pending;
  console.log(countLine({ passed: passes, failed }));
  if (failed > 0 || passes === 0) throw new Error(`${failed} tests failed, ${passes} passed.`);
}
