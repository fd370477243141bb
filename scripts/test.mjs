// All checks of the project. `--only=unit,e2e` runs those alone whose names begin so, and what they need.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { testCounts } from "./lib/counts.mjs";
import { ensure, hasApt, neovimComponents, packages, root, vscodeComponents } from "./lib/install.mjs";
import { endChildrenOnSignal, run } from "./lib/processes.mjs";
import { announce, tail } from "./lib/progress.mjs";
import { stages } from "./lib/stages.mjs";

/** @typedef {import("./lib/stages.mjs").Stage} Stage */

const logs = path.join(root, ".cache/test");
const started = performance.now();
const total = { passed: 0, failed: 0 };
/** Whose success others may need. @type {Set<string>} */
const succeeded = new Set();

process.chdir(root);
endChildrenOnSignal();
await main();
console.log(
  `\n${Math.round((performance.now() - started) / 1000)} s in all; everything that was printed is in .cache/test.`,
);
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed === 0 ? 0 : 1;

async function main() {
  const chosen = chooseStages(process.argv.slice(2));
  if (typeof chosen === "string") return fail("options", chosen);
  rmSync(logs, { recursive: true, force: true });
  rmSync(path.join(root, "coverage"), { recursive: true, force: true });
  mkdirSync(logs, { recursive: true });
  const withVSCode = chosen.some((stage) => stage.vscode);
  const withNeovim = chosen.some((stage) => stage.neovim) && (hasApt() || neovimComponents.every((it) => it.isThere()));
  const [missing, missingForNeovim, ...forVSCode] = await Promise.all(
    [[packages], withNeovim ? neovimComponents : [], ...(withVSCode ? vscodeComponents : [])].map(ensure),
  );
  if (missing) return fail("installation", missing);
  const missingForVSCode = forVSCode.filter((reason) => reason !== undefined).join("\n");
  for (const stage of chosen) {
    const lacks = stage.needs?.filter((name) => !succeeded.has(name)) ?? [];
    if (lacks.length > 0) fail(stage.name, `It did not run: ${lacks.join(", ")} failed.`);
    else if (stage.vscode && missingForVSCode) fail(stage.name, missingForVSCode);
    else if (stage.neovim && missingForNeovim) fail(stage.name, missingForNeovim);
    else if (stage.neovim && !withNeovim) console.log(`- ${stage.name} is left out: there is no Neovim (nvim) here.`);
    else await runStage(stage);
  }
}

/** @param {Stage} stage */
async function runStage(stage) {
  const done = announce(stage.name);
  const { ok, output } = await run(process.execPath, stage.command);
  writeFileSync(path.join(logs, `${stage.name}.log`), output);
  const { passed, failed } = outcome(stage, ok, output);
  total.passed += passed;
  total.failed += failed;
  if (failed === 0) succeeded.add(stage.name);
  done(failed === 0, stage.counts ? `${passed} passed${failed > 0 ? `, ${failed} failed` : ""}` : undefined);
  if (failed > 0) console.log(indent(tail(output, 120)));
}

/** What a stage adds to the total. A bad end is a failure, whatever the count says, and so is a run without a test. */
function outcome(/** @type {Stage} */ stage, /** @type {boolean} */ ok, /** @type {string} */ output) {
  const counts = stage.counts ? testCounts(output) : { passed: ok ? 1 : 0, failed: ok ? 0 : 1 };
  if (!counts || counts.passed + counts.failed === 0) return { passed: 0, failed: 1 };
  return !ok && counts.failed === 0 ? { ...counts, failed: 1 } : counts;
}

/** @param {string} name @param {string} why */
function fail(name, why) {
  announce(name)(false);
  console.log(indent(why));
  total.failed += 1;
}

/**
 * @param {readonly string[]} args
 * @returns {readonly Stage[] | string} What is wrong with the arguments, if anything.
 */
function chooseStages(args) {
  const names = stages.map((stage) => stage.name);
  const only = args.flatMap((argument) => argument.match(/^--only=(.+)$/)?.[1]?.split(",") ?? []);
  const unknown = only.find((prefix) => !names.some((name) => name.startsWith(prefix)));
  if (unknown) return `No stage is called ${unknown}. There are: ${names.join(", ")}.`;
  const other = args.find((argument) => !argument.startsWith("--only="));
  if (other) return `${other} is no option. There is --only=${names.join(",")}.`;
  if (only.length === 0) return stages;
  const wanted = new Set(names.filter((name) => only.some((prefix) => name.startsWith(prefix))));
  for (const stage of stages.slice().reverse())
    if (wanted.has(stage.name)) for (const name of stage.needs ?? []) wanted.add(name);
  return stages.filter((stage) => wanted.has(stage.name));
}

/** @param {string} text */
function indent(text) {
  return text.replaceAll(/^(?=.)/gm, "    ");
}
