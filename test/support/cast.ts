import { execFile, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { promisify } from "node:util";

const platforms: Readonly<Record<string, string>> = { darwin: "darwin", linux: "linux", win32: "win32" };
const architectures: Readonly<Record<string, string>> = { arm64: "arm64", x64: "amd64" };

/** The platform's own binary: the package's launcher would be a process in between. */
export function castBinary(): string {
  const name = `cast-${platforms[process.platform]}-${architectures[process.arch]}`;
  const launcher = createRequire(import.meta.url).resolve("@foundry-rs/cast/package.json");
  const path = join(dirname(launcher), "..", name, "bin", process.platform === "win32" ? "cast.exe" : "cast");
  if (existsSync(path)) return path;
  throw new Error(`@foundry-rs/${name} is not installed. Run npm ci.`);
}

/** Runs `cast` and returns what it prints. Its own failures are returned as text too. */
export async function cast(url: string, ...args: readonly string[]): Promise<string> {
  return castAlone(...args, "--rpc-url", url);
}

/** Runs `cast` without an endpoint, for what it works out by itself. */
export async function castAlone(...args: readonly string[]): Promise<string> {
  try {
    return (await promisify(execFile)(castBinary(), args)).stdout;
  } catch (error) {
    return (error as { readonly stderr: string }).stderr; // what execFile rejects with
  }
}

/** The logs that `cast logs --subscribe` prints, as they come. */
export interface CastLogs {
  /** One text for each log. */
  readonly logs: readonly string[];
  /** Waits until so many have come. */
  reached(count: number): Promise<void>;
  stop(): void;
}

/** Subscribes to the logs of a contract until it is stopped. */
export function castLogs(url: string, address: string): CastLogs {
  const child = spawn(castBinary(), ["logs", "--subscribe", "--address", address, "--rpc-url", url]);
  let text = "";
  let logs: readonly string[] = [];
  let failure = "";
  let changed = (): void => {};
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    text += chunk;
    // The last line of a log ends it; the next log may be on its way.
    logs = text.match(/^- address:[\s\S]*?transactionIndex: .*$/gm) ?? [];
    changed();
  });
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
    failure += chunk;
  });
  child.once("close", () => changed());
  return {
    get logs() {
      return logs;
    },
    reached: (count) =>
      new Promise((resolve, reject) => {
        changed = () => {
          if (logs.length >= count) resolve();
          else if (child.exitCode !== null) reject(new Error(`cast has ended: ${failure}`));
        };
        changed();
      }),
    stop: () => void child.kill(),
  };
}
