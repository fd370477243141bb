import path from "node:path";
import Mocha from "mocha";
import { countLine, durationLine, failedLine, progressLine } from "./report.mjs";

const { EVENT_TEST_END, EVENT_TEST_FAIL, EVENT_TEST_PENDING, EVENT_RUN_END } = Mocha.Runner.constants;

/** Mocha's own report, with lines for `scripts/test.mjs`. A skipped test counts as failed. */
class Reporter extends Mocha.reporters.Spec {
  /** @param {Mocha.Runner} runner @param {Mocha.MochaOptions} options */
  constructor(runner, options) {
    super(runner, options);
    let done = 0;
    let begun = performance.now();
    /** Durations with those of hooks, which belong to no test. @type {Map<string, number>} */
    const byFile = new Map();
    runner.on(EVENT_TEST_END, (/** @type {Mocha.Test} */ test) => {
      const file = fileOf(test);
      byFile.set(file, (byFile.get(file) ?? 0) + performance.now() - begun);
      begun = performance.now();
      console.log(progressLine(++done, runner.total, "tests"));
    });
    for (const event of [EVENT_TEST_FAIL, EVENT_TEST_PENDING])
      runner.on(event, (/** @type {Mocha.Test} */ test) => console.log(failedLine(fileOf(test), test.fullTitle())));
    runner.once(EVENT_RUN_END, () => {
      const { passes, failures, pending } = this.stats;
      for (const [file, ms] of byFile) console.log(durationLine(file, ms));
      console.log(countLine({ passed: passes, failed: failures + pending }));
    });
  }
}

/** @param {Mocha.Test} test */
function fileOf(test) {
  return test.file ? path.relative(process.cwd(), test.file) : "";
}

// biome-ignore lint/style/noDefaultExport: Mocha takes a reporter's default export
export default Reporter;
