import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
export const commandLine = join(root, "dist/cli.mjs");

/** Builds the command line if it is missing or older than its sources. */
export function buildCommandLine(): void {
  const sources = readdirSync(join(root, "server/src"), { recursive: true, encoding: "utf8" });
  const newest = Math.max(...sources.map((name) => statSync(join(root, "server/src", name)).mtimeMs));
  if (existsSync(commandLine) && statSync(commandLine).mtimeMs > newest) return;
  const { status, stderr } = spawnSync(process.execPath, ["esbuild.mjs"], { cwd: root, encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
}

export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export interface Started {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
}

export interface Restrictions {
  /** Run by the shell before, such as `ulimit -f 8`. */
  readonly limit?: string;
  /** The user and group to run as; only root can choose another one. */
  readonly uid?: number;
}

/** Starts `rpc-notebook` as a shell would, its output piped. */
export function startCommandLine(
  args: readonly string[],
  cwd: string,
  variables: Readonly<Record<string, string>> = {},
  { limit, uid }: Restrictions = {},
): Started {
  const { NODE_OPTIONS: _, ...rest } = process.env; // a test runner's loader is none of its business
  const env = { ...rest, NODE_V8_COVERAGE: undefined, ...variables }; // nor is its coverage, which takes longer than it does
  const options = { cwd, env, ...(uid !== undefined && { uid, gid: uid }) };
  const child =
    limit === undefined
      ? spawn(process.execPath, [commandLine, ...args], options)
      : spawn("sh", ["-c", `${limit}; exec "$0" "$@"`, process.execPath, commandLine, ...args], options);
  let [out, err] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text) => {
    out += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text) => {
    err += text;
  });
  const ended = new Promise<Ended>((resolve) => child.once("close", (code) => resolve({ code, out, err })));
  return { child, ended };
}
