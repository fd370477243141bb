import { type SpawnSyncOptions, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { startOf } from "../../scripts/lib/processes.mjs";
import { thorough } from "./depth.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Folders that a fresh clone does not have. */
const leftOut = new Set([".cache", ".git", ".tsbuild", "coverage", "node_modules", "dist"]);

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
 * Packs this project, and installs the package globally. A thorough run builds and packs a fresh copy, and installs with
 * npm; a quick run packs the bundles that are built already, and only unpacks the package where npm would.
 *
 * @param folder - An empty folder.
 * @returns The folder that has the command `rpc-notebook`.
 */
export function installCommand(folder: string): string {
  const [bin, packed] = [path.join(folder, "bin"), path.join(folder, "packed")];
  mkdirSync(packed);
  const pack = ["pack", "--pack-destination", packed];
  if (thorough) npm(pack, freshCopy(path.join(folder, "copy")));
  else npm([...pack, "--ignore-scripts"], root);
  const [name = ""] = readdirSync(packed);
  const file = path.join(packed, name);
  if (thorough) npm(["install", "--global", "--offline", file], packed, folder);
  else {
    mkdirSync(bin);
    started("tar", ["-xzf", file], { cwd: packed });
    const { bin: commands } = JSON.parse(readFileSync(path.join(packed, "package/package.json"), "utf8"));
    for (const [command, target] of Object.entries<string>(commands))
      symlinkSync(path.join(packed, "package", target), path.join(bin, command));
  }
  return bin;
}

function freshCopy(copy: string): string {
  cpSync(root, copy, { recursive: true, filter: (from) => !leftOut.has(path.basename(from)) });
  symlinkSync(path.join(root, "node_modules"), path.join(copy, "node_modules"));
  return copy;
}

/** The environment of a shell that knows Node and one other folder of commands. */
export function shellWith(bin: string): Record<string, string> {
  return { PATH: [bin, path.dirname(process.execPath), "/usr/bin", "/bin"].join(path.delimiter) };
}

function npm(args: readonly string[], cwd: string, prefix?: string): void {
  const { NODE_OPTIONS: _, ...env } = process.env;
  started("npm", args, { cwd, env: { ...env, ...(prefix && { npm_config_prefix: prefix }) } });
}

function started(command: string, args: readonly string[], options: SpawnSyncOptions): void {
  const start = startOf(command, args);
  const { status, stderr, error } = spawnSync(start.file, start.args, {
    ...options,
    encoding: "utf8",
    ...start.options,
  });
  if (status !== 0) throw error ?? new Error(`${command} ${args.join(" ")}: ${stderr}`);
}
