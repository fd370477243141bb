// Builds every bundle that ships. `--minify` for packages, `--watch` while developing.
import { chmodSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { context } from "esbuild";
import { bundledPackages, noticesOf } from "./scripts/lib/notices.mjs";

const minify = process.argv.includes("--minify");
const watch = process.argv.includes("--watch");

/** @satisfies {import("esbuild").BuildOptions} */
const common = {
  bundle: true,
  minify,
  sourcemap: minify ? false : "linked",
  target: "es2022",
  legalComments: "none", // THIRD-PARTY-NOTICES.txt has them
  metafile: true,
  logLevel: "warning",
  mainFields: ["module", "main"], // jsonc-parser's `main` is UMD, which cannot be bundled
};

/** Packages in CommonJS call `require` for Node's own modules, which ECMAScript modules lack. */
const requireForCommonJs = `import { createRequire as requireFrom } from "node:module"; const require = requireFrom(import.meta.url);`;

/** A shell starts the command line by its first line, `#!/usr/bin/env node`, which esbuild keeps. */
const executable = {
  name: "executable",
  /** @param {import("esbuild").PluginBuild} build */
  setup: (build) => build.onEnd(() => chmodSync("dist/cli.mjs", 0o755)),
};

/** What viem would load for things that are never asked of it; a bundler that splits keeps every `import()` it has seen. */
const neverLoaded = ["isows", "*/utils/ccip.js"];

/** Takes random bytes from the platform; its form for Node loads all of `node:crypto` at a start. */
const lightCrypto = {
  name: "light crypto",
  /** Each copy of the package has both forms. @param {import("esbuild").PluginBuild} build */
  setup: (build) =>
    build.onResolve({ filter: /^@noble\/hashes\/crypto$/ }, ({ resolveDir }) => ({
      path: path.join(resolveDir, "crypto.js"),
    })),
};

/** The EVM has a state of ours, so none of the library's is needed; and the curves that two of its packages have are one copy. */
const lightEvm = {
  name: "light EVM",
  /** @param {import("esbuild").PluginBuild} build */
  setup(build) {
    const once = { pluginData: "resolved", kind: /** @type {const} */ ("import-statement") };
    build.onResolve(
      { filter: /^@(?:ethereumjs\/statemanager$|noble\/)/ },
      async ({ path: name, resolveDir, pluginData }) => {
        if (pluginData === once.pluginData) return undefined;
        const isShared = name.startsWith("@noble/") && resolveDir.includes(path.join("@ethereumjs", "util"));
        const from = isShared ? path.resolve("node_modules/@ethereumjs/evm") : resolveDir;
        const found = await build.resolve(name, { resolveDir: from, ...once });
        return { ...found, ...(name.startsWith("@ethereumjs/") && { sideEffects: false }) };
      },
    );
  },
};

/** @satisfies {Record<string, import("esbuild").BuildOptions>} */
export const bundles = {
  client: {
    ...common,
    entryPoints: { "client/extension": "client/src/extension.node.ts" },
    outExtension: { ".js": ".cjs" },
    platform: "node",
    format: "cjs",
    external: ["vscode"],
  },
  "client for the web": {
    ...common,
    entryPoints: { "client/extension.web": "client/src/extension.web.ts" },
    mainFields: ["browser", "module", "main"],
    platform: "browser",
    format: "cjs",
    external: ["vscode"],
  },
  renderer: {
    ...common,
    entryPoints: { renderer: "client/src/renderer/renderer.ts" },
    platform: "browser",
    format: "esm",
  },
  "script of exported pages": {
    ...common,
    entryPoints: { page: "client/src/renderer/page.ts" },
    platform: "browser",
    format: "iife",
    sourcemap: false, // a page has no other file
  },
  "server and command line": {
    ...common,
    entryPoints: { "server/main": "server/src/node/server.ts", cli: "server/src/node/cli.ts" },
    outExtension: { ".js": ".mjs" },
    platform: "node",
    format: "esm",
    splitting: true, // what a start does not need stays unread
    chunkNames: "server/chunks/[name]-[hash]",
    banner: { js: requireForCommonJs },
    external: neverLoaded,
    plugins: [executable, lightCrypto],
  },
  "thread that computes traces": {
    ...common,
    entryPoints: { "server/trace": "server/src/node/traceThread.ts" },
    outExtension: { ".js": ".mjs" },
    platform: "node",
    format: "esm",
    banner: { js: requireForCommonJs },
    plugins: [lightCrypto, lightEvm],
  },
  "thread that reads code": {
    ...common,
    entryPoints: { "server/code": "server/src/node/codeThread.ts" },
    outExtension: { ".js": ".mjs" },
    platform: "node",
    format: "esm",
  },
  "worker that computes traces": {
    ...common,
    entryPoints: { "server/trace": "server/src/browser/traceThread.ts" },
    mainFields: ["browser", "module", "main"],
    platform: "browser",
    format: "iife",
    sourcemap: false, // it is made from a text
    plugins: [lightEvm],
  },
  "files that are read": {
    entryPoints: {
      "server/evmole_bg": "node_modules/evmole/dist/evmole_bg.wasm",
      "server/abi/signatures": "server/src/abi/signatures.txt",
      quickstart: "examples/quickstart.recorded.rpc.json",
    },
    loader: { ".txt": "copy", ".json": "copy", ".wasm": "copy" },
  },
  "server for the web": {
    ...common,
    entryPoints: { "server/worker": "server/src/browser/main.ts" },
    mainFields: ["browser", "module", "main"],
    platform: "browser",
    format: "iife",
    external: [...neverLoaded, "hyparquet/*", "hyparquet-writer/*"], // a worker writes no files that grow
  },
};

if (!watch) rmSync("dist/server/chunks", { recursive: true, force: true });
const metafiles = [];
for (const options of Object.values(bundles)) {
  const build = await context({ ...options, outdir: "dist" });
  if (watch) {
    await build.watch();
  } else {
    const { metafile } = await build.rebuild();
    if (metafile) metafiles.push(metafile);
    await build.dispose();
  }
}
if (!watch) {
  const folders = new Set(metafiles.flatMap((metafile) => bundledPackages(metafile)));
  writeFileSync("dist/THIRD-PARTY-NOTICES.txt", noticesOf([...folders]));
  writeFileSync("dist/metafiles.json", JSON.stringify(metafiles)); // does not ship: a test compares the notices with it
}
