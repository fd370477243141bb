import { styleText } from "node:util";
import { type JsonValue, printJson } from "../base/json.ts";
import { visible } from "../base/text.ts";

export const exitCodes = { ok: 0, failed: 1, usage: 2 } as const;

/** Where the command line writes. */
export interface Terminal {
  /** Columns of a real terminal; `undefined` where output goes into a file or another program. */
  readonly width: number | undefined;
  readonly color: boolean;
  print(text: string): void;
  /** Something went wrong: what, and what to do. Goes to standard error. */
  complain(what: string, todo?: string): void;
  /** Something to know meanwhile. Goes to standard error. */
  note(text: string): void;
  /** Takes away what stands on a terminal; nothing elsewhere. */
  clear(): void;
  /** A passing line on standard error, replaced by the next; nothing where that is no terminal. */
  progress(text: string): void;
}

/** JSON for another program, which may be a terminal: marks that are not seen stand as escapes. */
export function printedJson(value: JsonValue): string {
  return visible(printJson(value, 2));
}

type Style = Parameters<typeof styleText>[0];

export function styled(terminal: Terminal, style: Style, text: string): string {
  return terminal.color ? paint(style, text) : text;
}

/** The decision on colours has been made, so `styleText` is not to make its own. */
function paint(style: Style, text: string): string {
  return styleText(style, text, { validateStream: false });
}

interface Stream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

/** @see https://no-color.org */
export function terminal(out: Stream, err: Stream, env: Readonly<Record<string, string | undefined>>): Terminal {
  const tty = out.isTTY === true && env.TERM !== "dumb";
  const colorOn = (stream: Stream): boolean => {
    const forced = env.FORCE_COLOR;
    if (forced !== undefined) return forced !== "0" && forced !== "false";
    return stream.isTTY === true && !env.NO_COLOR && env.TERM !== "dumb";
  };
  const [color, errorColor] = [colorOn(out), colorOn(err)];
  const width = (): number | undefined => (tty ? Math.max(40, out.columns ?? 80) : undefined);
  const erase = "\r\u001b[K";
  let shown = false;
  const clear = (): void => {
    if (shown) err.write(erase);
    shown = false;
  };
  return {
    get width() {
      return width();
    },
    color,
    print(text) {
      clear();
      out.write(`${text}\n`);
    },
    complain(what, todo) {
      clear();
      const mark = errorColor ? paint("red", "✗") : "✗";
      err.write(`${mark} ${visible(`${what}${todo ? `\n  ${todo}` : ""}`)}\n`);
    },
    note(text) {
      clear();
      err.write(`${visible(text)}\n`);
    },
    clear() {
      clear();
      if (tty) out.write("\u001b[2J\u001b[3J\u001b[H");
    },
    progress(text) {
      if (err.isTTY !== true || env.TERM === "dumb") return;
      const room = Math.max(40, err.columns ?? 80);
      const line = visible(text).slice(0, room - 1); // one that wraps could not be erased
      err.write(`${erase}${errorColor ? paint("dim", line) : line}`);
      shown = true;
    },
  };
}
