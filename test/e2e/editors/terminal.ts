import { execFile } from "node:child_process";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";

const limitMs = 60_000;

/** A separate terminal that runs a program. */
export interface Terminal {
  /** Presses keys by their names in tmux, such as `Escape` and `C-x`. */
  press(...keys: readonly string[]): Promise<void>;
  type(text: string): Promise<void>;
  /** Waits until the screen is right, and returns it. @throws With the screen if that does not come. */
  until(what: string, isRight: (screen: string) => boolean, limitMs?: number): Promise<string>;
  /** Waits until the program has ended. */
  ended(): Promise<void>;
  close(): Promise<void>;
}

/** @param command - For a shell. */
export async function openTerminal(
  command: string,
  cwd: string,
  env: Readonly<Record<string, string>>,
): Promise<Terminal> {
  const socket = `${cwd}/../tmux`;
  const tmux = async (...args: readonly string[]): Promise<string> =>
    (await promisify(execFile)("tmux", ["-S", socket, "-f", "/dev/null", ...args], { cwd, env })).stdout;
  const until: Terminal["until"] = async (what, isRight, limit = limitMs) => {
    const latest = performance.now() + limit;
    for (;;) {
      const screen = await tmux("capture-pane", "-p");
      if (isRight(screen)) return screen;
      if (performance.now() > latest) throw new Error(`no ${what} within ${limit} ms:\n${screen}`);
      await wait(50); // polls the screen, because no event reports a change
    }
  };
  await tmux("new-session", "-d", "-x", "160", "-y", "50", `${command}; echo ended; exec cat`);
  return {
    until,
    press: async (...keys) => void (await tmux("send-keys", ...keys)),
    type: async (text) => void (await tmux("send-keys", "-l", text)),
    ended: async () => void (await until("end", (screen) => /^ended$/m.test(screen), 2 * limitMs)),
    close: async () => void (await tmux("kill-server")),
  };
}
