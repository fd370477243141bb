import Mocha from "mocha";
import { countLine } from "./counts.mjs";

/** Mocha's own report, with a last line for `scripts/test.mjs`. A skipped test counts as failed. */
class CountingReporter extends Mocha.reporters.Spec {
  /** @param {Mocha.Runner} runner @param {Mocha.MochaOptions} options */
  constructor(runner, options) {
    super(runner, options);
    runner.once(Mocha.Runner.constants.EVENT_RUN_END, () => {
      const { passes, failures, pending } = this.stats;
      console.log(countLine({ passed: passes, failed: failures + pending }));
    });
  }
}

// biome-ignore lint/style/noDefaultExport: Mocha takes a reporter's default export
export default CountingReporter;
