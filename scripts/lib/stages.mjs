/**
 * One part of `npm test`.
 *
 * @typedef {object} Stage
 * @property {string} name
 * @property {readonly string[]} command Run by this Node, in the project's folder.
 * @property {readonly string[]} [needs] Stages without whose success it cannot run.
 * @property {readonly ("tools" | "vscode" | "chromium" | "neovim" | "tokens" | "duckdb")[]} [components] What has to be installed for it, besides the packages.
 * @property {boolean} [counts] It prints how many tests passed and failed; without, it counts as one.
 * @property {boolean} [thorough] Only a thorough run has it.
 * @property {number} [processors] How many it keeps busy, 1 by default.
 * @property {boolean} [inWindow] Its tests use a window of VS Code, where what is slow is not only ours.
 */

const profiles = "coverage/profiles";
const mocha = ["node_modules/mocha/bin/mocha.js", "--forbid-pending", "--reporter=scripts/lib/reporter.mjs"];

/**
 * In the order in which they begin, as far as there are processors for them.
 *
 * @param {{ thorough: boolean, processors: number }} options
 * @returns {readonly Stage[]}
 */
export function stages({ thorough, processors }) {
  /** @type {readonly Stage[]} */
  const all = [
    { name: "build", command: ["esbuild.mjs", "--minify"] },
    {
      name: "types",
      command: thorough ? ["node_modules/typescript/bin/tsc", "-b", "--force"] : ["scripts/types.mjs"],
    },
    { name: "lint", command: ["node_modules/@biomejs/biome/bin/biome", "ci", "--error-on-warnings", "--colors=off"] },
    { name: "package", command: ["scripts/package.mjs", "--built"], needs: ["build"] },
    {
      name: "unit",
      command: ["scripts/unit.mjs", ...(thorough ? [`--coverage=${profiles}`] : [])],
      needs: ["build"],
      components: ["tools", ...(thorough ? /** @type {const} */ (["tokens", "duckdb"]) : [])],
      counts: true,
      processors,
    },
    { name: "deadcode", command: ["node_modules/knip/bin/knip.js", "--no-progress"] },
    {
      name: "grammar",
      command: ["node_modules/vscode-tmgrammar-test/dist/unit.js", "test/syntaxes/**/*.rpc"],
    },
    {
      name: "browser",
      command: [...mocha, "test/e2e/browser/**/*.test.ts"],
      components: ["chromium"],
      counts: true,
    },
    {
      name: "e2e-ui",
      command: [
        ...mocha,
        ...(thorough ? [] : ["--ignore=**/*.thorough.test.ts"]),
        "test/e2e/package.test.ts",
        "test/e2e/ui/**/*.test.ts",
      ],
      needs: ["package"],
      components: ["vscode", "chromium"],
      counts: true,
      inWindow: true,
    },
    {
      name: "e2e-suite",
      command: ["--import=tsx", "test/e2e/runSuite.ts"],
      needs: ["package"],
      ...(!process.env.TEST_VSCODE && { components: ["vscode", "chromium"] }),
      counts: true,
      inWindow: true,
    },
    {
      name: "e2e-neovim",
      command: [...mocha, "test/e2e/neovim/**/*.test.ts"],
      needs: ["build"],
      components: ["neovim"],
      counts: true,
    },
    {
      name: "e2e-host",
      command: [...mocha, "test/e2e/host.test.ts", "test/e2e/start.thorough.test.ts"],
      components: ["vscode", "chromium"],
      counts: true,
      inWindow: true,
      thorough: true,
    },
    { name: "coverage", command: ["scripts/lib/coverage.mjs", profiles], needs: ["unit"], thorough: true },
  ];
  return all.filter((stage) => thorough || !stage.thorough);
}
