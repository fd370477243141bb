// Makes `dist/rpc-notebook-<version>.vsix`, minified; with `--built`, from the minified build in `dist`. The `files` of `package.json` go in, as they do with `npm pack`.
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { ensure, root, testPackages } from "./lib/install.mjs";
import { endChildrenOnSignal, run } from "./lib/processes.mjs";

process.chdir(root);
endChildrenOnSignal();
process.exitCode = (await main()) ? 0 : 1;

async function main() {
  const missing = await ensure([testPackages]);
  if (missing) return explain(missing);
  if (!process.argv.includes("--built")) {
    rmSync("dist", { recursive: true, force: true }); // otherwise files of an earlier build would be packaged too
    const build = await run(process.execPath, ["esbuild.mjs", "--minify"]);
    if (!build.ok) return explain(build.output);
  }
  const { name, version } = JSON.parse(readFileSync("package.json", "utf8"));
  const file = path.join("dist", `${name}-${version}.vsix`);
  const readme = "dist/readme.md";
  writeFileSync(readme, withPictures(readFileSync("README.md", "utf8")));
  // Nothing may ask: no dependencies to look up, no repository to link to.
  const flags = ["--no-dependencies", "--allow-missing-repository", "--no-rewrite-relative-links"];
  flags.push("--readme-path", readme);
  const made = await run(process.execPath, ["node_modules/@vscode/vsce/vsce", "package", ...flags, "--out", file]);
  if (!made.ok) return explain(made.output);
  console.log(made.output.trim());
  return true;
}

/**
 * Puts the pictures into a page: the page of an extension in VS Code shows no files.
 *
 * @param {string} page
 */
function withPictures(page) {
  return page.replace(/(?<=!\[[^\]]*\]\()[^):]+\.png(?=\))/g, (file) => {
    return `data:image/png;base64,${readFileSync(file, "base64")}`;
  });
}

/** @param {string} why */
function explain(why) {
  console.error(why);
  return false;
}
