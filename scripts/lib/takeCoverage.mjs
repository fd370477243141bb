import { takeCoverage } from "node:v8";

/** Files of tests after which a worker writes its coverage: Mocha ends workers too soon for what Node writes at their end. */
const every = 3;
let files = 0;

/** Root hooks: in a parallel run they frame each file. */
export const mochaHooks = {
  afterAll() {
    files++;
    if (process.env.NODE_V8_COVERAGE && files % every === 0) takeCoverage();
  },
};
