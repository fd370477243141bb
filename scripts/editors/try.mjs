// Tries docs/editors.md word by word in newer editors: `node scripts/editors/try.mjs [neovim] [emacs] [helix]`.
// They come from Debian's unstable suite; with `--installed`, they are those on the `PATH` (nvim, emacs, hx, and tmux).
import path from "node:path";
import { root } from "../lib/install.mjs";
import { endChildrenOnSignal, run } from "../lib/processes.mjs";
import { unpackEditors } from "./unpack.mjs";

const tests = {
  neovim: "test/e2e/neovim/neovim.test.ts",
  emacs: "test/e2e/editors/emacs.test.ts",
  helix: "test/e2e/editors/helix.test.ts",
};

process.chdir(root);
endChildrenOnSignal();
process.exitCode = (await main(process.argv.slice(2))) ? 0 : 1;

/** @param {readonly string[]} args */
async function main(args) {
  const names = args.filter((each) => each !== "--installed");
  const unknown = names.find((each) => !(each in tests));
  if (unknown) return explain(`Unknown editor ${unknown}. There are: ${Object.keys(tests).join(", ")}.`);
  const chosen = Object.entries(tests).filter(([name]) => names.length === 0 || names.includes(name));
  const found = args.includes("--installed") ? undefined : await unpackEditors();
  if (found && "why" in found) return explain(`${found.why}\nWith --installed, the editors on your PATH are tried.`);
  const env = { PATH: [...(found ? [found.bin] : []), process.env.PATH].join(path.delimiter) };
  const build = await run(process.execPath, ["esbuild.mjs"]);
  if (!build.ok) return explain(build.output);
  for (const command of ["nvim", "emacs", "hx"]) {
    console.log((await run(command, ["--version"], { env })).output.split("\n")[0]);
  }
  const mocha = ["node_modules/mocha/bin/mocha.js", "--exit", "--forbid-pending", ...chosen.map(([, file]) => file)];
  return (await run(process.execPath, mocha, { env, onOutput: (text) => process.stdout.write(text) })).ok;
}

/** @param {string} why */
function explain(why) {
  console.error(why);
  return false;
}
