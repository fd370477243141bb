import { Limiter } from "../rpc/limiter.ts";
import type { Terminal } from "./terminal.ts";

export interface Screen {
  print(text: (terminal: Terminal) => string): void;
  progress(text: string): void;
}

/**
 * Runs a task for each notebook, some at once. Each prints to its own screen, and the screens appear in order.
 *
 * @param maxTasks - Tasks that run at once.
 * @param isShown - Whether the screens print anything.
 */
export async function inOrder<Result>(
  tasks: readonly ((screen: Screen) => Promise<Result>)[],
  titles: readonly string[],
  maxTasks: number,
  terminal: Terminal,
  isShown: boolean,
): Promise<readonly Result[]> {
  const limiter = new Limiter(maxTasks);
  const started = tasks.map((task, at) => {
    const title = titles.length > 1 ? `${at > 0 ? "\n" : ""}${terminal.paint("bold", titles[at] ?? "")}\n` : undefined;
    const screen = heldScreen(terminal, title, isShown);
    const result = limiter.run(() => task(screen));
    result.catch(() => {}); // a bug is reported after the results of the notebooks before
    return { screen, result };
  });
  const results: Result[] = [];
  for (const { screen, result } of started) {
    screen.release();
    results.push(await result);
  }
  return results;
}

/** A screen that keeps its text until the screens before it are done. */
function heldScreen(terminal: Terminal, title: string | undefined, isShown: boolean) {
  const held: ((terminal: Terminal) => string)[] = [];
  let isReleased = false;
  return {
    print(text: (terminal: Terminal) => string): void {
      if (!isShown) return;
      if (isReleased) terminal.print(text(terminal));
      else held.push(text);
    },
    progress(text: string): void {
      if (isReleased) terminal.progress(text);
    },
    /** Prints the text so far, and from now on everything at once. */
    release(): void {
      isReleased = true;
      if (isShown && title !== undefined) terminal.print(title);
      for (const text of held.splice(0)) terminal.print(text(terminal));
    },
  };
}
