import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, symlinkSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { startOf } from "../../scripts/lib/processes.mjs";
import { thorough } from "./depth.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Folders that a fresh clone does not have. A quick run takes the bundles that are built already. */
const leftOut = [".cache", ".git", ".tsbuild", "coverage", "node_modules", ...(thorough ? ["dist"] : [])];

/**
 * Runs `npm link` in this project, as README.md says, with a separate prefix instead of the system's.
 *
 * @param folder - An empty folder.
 * @returns The folder that has the command `rpc-notebook`.
 */
export function linkCommand(folder: string): string {
  npm(["link"], root, folder);
  return path.join(folder, "bin");
}

/**
 * Packs a fresh copy of this project, and installs the package globally.
 *
 * @param folder - An empty folder.
 * @returns The folder that has the command `rpc-notebook`.
 */
export function installCommand(folder: string): string {
  const [copy, packed] = [path.join(folder, "copy"), path.join(folder, "packed")];
  cpSync(root, copy, { recursive: true, filter: (from) => !leftOut.includes(path.relative(root, from)) });
  symlinkSync(path.join(root, "node_modules"), path.join(copy, "node_modules"));
  mkdirSync(packed);
  npm(["pack", ...(thorough ? [] : ["--ignore-scripts"]), "--pack-destination", packed], copy);
  const [name = ""] = readdirSync(packed);
  npm(["install", "--global", "--offline", path.join(packed, name)], packed, folder);
  return path.join(folder, "bin");
}

/** The environment of a shell that knows Node and one other folder of commands. */
export function shellWith(bin: string): Record<string, string> {
  return { PATH: [bin, path.dirname(process.execPath), "/usr/bin", "/bin"].join(path.delimiter) };
}

function npm(args: readonly string[], cwd: string, prefix?: string): void {
  const { NODE_OPTIONS: _, ...env } = process.env;
  const options = { cwd, encoding: "utf8", env: { ...env, ...(prefix && { npm_config_prefix: prefix }) } } as const;
  const start = startOf("npm", args);
  const { status, stderr, error } = spawnSync(start.file, start.args, { ...options, ...start.options });
  if (status !== 0) throw error ?? new Error(`npm ${args.join(" ")}: ${stderr}`);
}
