import { readdirSync, rmSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { thorough } from "../support/depth.ts";

const suite = fileURLToPath(new URL("suite/", import.meta.url));
const out = fileURLToPath(new URL("../../.cache/e2e/", import.meta.url));

/** Bundles the suite for the Node extension host: each test file by itself, and the runner. @returns the file that VS Code loads. */
export async function bundleSuite(): Promise<string> {
  rmSync(out, { recursive: true, force: true });
  await build({
    entryPoints: [path.join(suite, "run.ts"), ...testFiles(suite)],
    outdir: out,
    outExtension: { ".js": ".cjs" },
    bundle: true,
    platform: "node",
    format: "cjs",
    target: "node20",
    sourcemap: "inline",
    external: ["vscode", "mocha"],
    logLevel: "warning",
  });
  return path.join(out, "run.cjs");
}

/** Bundles the suite for the extension host in a web worker, which loads one file, into the extension's own folder. */
export async function bundleWebSuite(extension: string): Promise<string> {
  const outfile = path.join(extension, "suite.js");
  const web = path.join(suite, "web");
  await build({
    stdin: {
      contents: [
        `import { setup, run } from "./run.ts";`,
        "setup();",
        `export { run };`,
        // `require` keeps the order: Mocha's functions must be there first.
        ...testFiles(web).map((file) => `require(${JSON.stringify(file)});`),
      ].join("\n"),
      resolveDir: web,
    },
    outfile,
    bundle: true,
    platform: "browser",
    format: "cjs",
    target: "es2022",
    external: ["vscode"],
    alias: { mocha: "mocha/mocha.js" },
    // Else Mocha's bundle, which counts as a module, would put itself in the place of our own exports.
    define: { module: "undefined" },
    logLevel: "warning",
  });
  return outfile;
}

/** A quick run leaves out `*.thorough.test.ts`. */
function testFiles(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith(".test.ts") && (thorough || !name.endsWith(".thorough.test.ts")))
    .map((name) => path.join(folder, name));
}
