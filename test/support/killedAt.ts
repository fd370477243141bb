import { type Ended, startCommandLine } from "./commandLine.ts";

const preload = new URL("killAtChange.mjs", import.meta.url).href;

/** Starts a command that is killed before, or within, the nth change that it makes to files of a folder. */
export function killedAt(change: number, args: readonly string[], folder: string): Promise<Ended> {
  const variables = { NODE_OPTIONS: `--import=${preload}`, KILL_AT: String(change), KILL_FOLDER: folder };
  return startCommandLine(args, folder, variables).ended;
}
