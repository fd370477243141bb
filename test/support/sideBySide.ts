/**
 * Declares tests that begin together, since each of them waits for most of its time. They share nothing that changes.
 *
 * @param tests - By title.
 */
export function sideBySide(tests: Readonly<Record<string, () => Promise<void>>>): void {
  const running = new Map<string, Promise<void>>();
  before(() => {
    for (const [title, test] of Object.entries(tests)) {
      const ended = test();
      ended.catch(() => {}); // the test below reports it
      running.set(title, ended);
    }
  });
  for (const title of Object.keys(tests)) it(title, () => running.get(title));
}
