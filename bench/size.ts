import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import type { Row } from "./row.ts";

const dist = path.resolve("dist") + path.sep; // scripts/bench.mjs starts this in the project's folder

/** Sizes of the minified bundles, in thousands of bytes. The budgets are a little above those of November 2026: what grows is to be seen. */
export async function size(): Promise<readonly Row[]> {
  return [
    row("server and what it loads", 2500, closure("server/main.mjs")),
    row("server for the web", 1950, ["server/worker.js"]),
    row("thread that computes traces", 330, ["server/trace.mjs"]),
    row("thread that reads code", 470, ["server/code.mjs", "server/evmole_bg.wasm"]),
    row("client", 620, ["client/extension.cjs"]),
    row("client for the web", 590, ["client/extension.web.js"]),
    row("renderer", 62, ["renderer.js"]),
    row("script of exported pages", 62, ["page.js"]),
    row("command line and what it loads", 2700, closure("cli.mjs")),
    row("all that ships in dist", 6300, everything()),
  ];
}

function row(name: string, budget: number | undefined, files: readonly string[]): Row {
  const bytes = files.reduce((sum, file) => sum + statSync(`${dist}${file}`).size, 0);
  return {
    area: "size",
    name,
    value: Math.round(bytes / 100) / 10,
    unit: "kB",
    ...(budget !== undefined && { budget }),
  };
}

/** A bundle and every chunk that it may come to load. */
function closure(entry: string): readonly string[] {
  const seen = new Set<string>();
  const open = [entry];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (seen.has(file)) continue;
    seen.add(file);
    const text = readFileSync(`${dist}${file}`, "utf8");
    for (const [, target] of text.matchAll(/["'](\.{1,2}\/[^"']+\.mjs)["']/g)) {
      open.push(new URL(target ?? "", `file:///${file}`).pathname.slice(1));
    }
  }
  return [...seen];
}

function everything(): readonly string[] {
  return readdirSync(dist, { recursive: true, encoding: "utf8" }).filter((name) => /\.(c|m)?js$/.test(name));
}
