/**
 * One part of `npm test`.
 *
 * @typedef {object} Stage
 * @property {string} name
 * @property {readonly string[]} command Run by this Node, in the project's folder.
 * @property {readonly string[]} [needs] Stages without whose success it cannot run.
 * @property {boolean} [vscode] It needs a VS Code.
 * @property {boolean} [neovim] It needs a Neovim; it is left out where there is none and none can be installed.
 * @property {boolean} [counts] It prints how many tests passed and failed; without, it counts as one.
 */

const profiles = "coverage/profiles";
const mocha = ["node_modules/mocha/bin/mocha.js", "--forbid-pending", "--reporter=scripts/lib/countingReporter.mjs"];

/** In the order they run. @type {readonly Stage[]} */
export const stages = [
  { name: "lint", command: ["node_modules/@biomejs/biome/bin/biome", "ci", "--error-on-warnings", "--colors=off"] },
  { name: "types", command: ["node_modules/typescript/bin/tsc", "-b", "--force"] },
  { name: "deadcode", command: ["node_modules/knip/bin/knip.js", "--no-progress"] },
  { name: "build", command: ["esbuild.mjs"] },
  {
    name: "unit",
    command: ["scripts/unit.mjs", `--coverage=${profiles}`],
    needs: ["build"],
    counts: true,
  },
  { name: "coverage", command: ["scripts/lib/coverage.mjs", profiles], needs: ["unit"] },
  { name: "grammar", command: ["node_modules/vscode-tmgrammar-test/dist/unit.js", "test/syntaxes/**/*.rpc"] },
  { name: "package", command: ["scripts/package.mjs"] },
  {
    name: "e2e-package",
    command: [...mocha, "test/e2e/package.test.ts"],
    needs: ["package"],
    vscode: true,
    counts: true,
  },
  {
    name: "e2e-neovim",
    command: [...mocha, "test/e2e/neovim/**/*.test.ts"],
    needs: ["build"],
    neovim: true,
    counts: true,
  },
  { name: "e2e-host", command: [...mocha, "test/e2e/host.test.ts"], vscode: true, counts: true },
  {
    name: "e2e-suite",
    command: ["--import=tsx", "test/e2e/runSuite.ts"],
    needs: ["package"],
    vscode: true,
    counts: true,
  },
  { name: "e2e-ui", command: [...mocha, "test/e2e/ui/**/*.test.ts"], needs: ["package"], vscode: true, counts: true },
];
