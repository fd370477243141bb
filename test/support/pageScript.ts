import { fileURLToPath } from "node:url";
import { build } from "esbuild";

let bundled: Promise<string> | undefined;

/** The script of exported pages, as `esbuild.mjs` bundles it. */
export function pageScript(): Promise<string> {
  bundled ??= build({
    entryPoints: [fileURLToPath(new URL("../../client/src/renderer/page.ts", import.meta.url))],
    bundle: true,
    write: false,
    minify: true,
    target: "es2022",
    format: "iife",
  }).then(({ outputFiles }) => outputFiles[0]?.text ?? "");
  return bundled;
}
