import { RpcNotebookError } from "../base/error.ts";
import { oneLine, type Paint, type Style, visible, withoutKeys } from "../base/text.ts";

/** `stopped` and `pipe` are the codes that shells give to Ctrl-C, and to a program whose reader has gone. */
export const exitCodes = { ok: 0, failed: 1, usage: 2, stopped: 130, pipe: 141 } as const;

/**
 * Writes to standard output and standard error; nothing else in the command line does. Of control characters, only ends of
 * lines, tabs and the styles of {@link Terminal.paint} reach the screen. All others, and marks that reorder a line, are
 * made visible. In JSON the result means the same.
 */
export interface Terminal {
  /** Columns; `undefined` if output goes to a file or another program. */
  readonly width: number | undefined;
  /** Styles text before it is printed. Returns it unchanged if output has no colours. */
  readonly paint: Paint;
  print(text: string): void;
  /** Waits until a slow reader has taken what was printed: it would pile up in memory. */
  drained(): Promise<void>;
  /** Reports an error on standard error: what is wrong and what to do, one line each. */
  complain(what: string, todo?: string): void;
  /** Prints information on standard error, on one line. */
  note(text: string): void;
  /** Clears the screen if output goes to a terminal. */
  clear(): void;
  /** Shows a line on standard error until something else is printed. Does nothing if that is not a terminal. */
  progress(text: string): void;
}

interface Stream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly writableNeedDrain?: boolean;
  /** @param written - Called when all before it is written, or cannot be. */
  write(text: string, written?: () => void): unknown;
}

/** @see https://no-color.org */
export function terminal(out: Stream, err: Stream, env: Readonly<Record<string, string | undefined>>): Terminal {
  const tty = out.isTTY === true && env.TERM !== "dumb";
  const paintOn = (stream: Stream): Paint => {
    const { FORCE_COLOR: forced, NO_COLOR: refused, TERM: kind } = env;
    const usual = stream.isTTY === true && !refused && kind !== "dumb";
    return (forced === undefined ? usual : forced !== "0" && forced !== "false") ? marked : plain;
  };
  const [paint, errorPaint] = [paintOn(out), paintOn(err)];
  const width = (): number | undefined => (out.isTTY === true ? Math.max(40, out.columns ?? 80) : undefined);
  const erase = "\r\u001b[K";
  let shown = false;
  const clear = (): void => {
    if (shown) err.write(erase);
    shown = false;
  };
  const write = (stream: Stream, text: string): void => {
    clear();
    stream.write(`${safe(text)}\n`);
  };
  return {
    get width() {
      return width();
    },
    paint,
    print: (text) => write(out, text),
    drained: () => new Promise((resolve) => (out.writableNeedDrain ? out.write("", () => resolve()) : resolve())),
    complain(what, todo) {
      const lines = [`${errorPaint("red", "✗")} ${oneLine(withoutKeys(what), maxLineCharacters)}`];
      write(err, [...lines, ...(todo ? [`  ${oneLine(withoutKeys(todo), maxLineCharacters)}`] : [])].join("\n"));
    },
    note: (text) => write(err, oneLine(withoutKeys(text), maxLineCharacters)),
    clear() {
      clear();
      if (tty) out.write("\u001b[2J\u001b[3J\u001b[H");
    },
    progress(text) {
      if (err.isTTY !== true || env.TERM === "dumb") return;
      const room = Math.max(40, err.columns ?? 80);
      const line = oneLine(withoutKeys(text)).slice(0, room - 1); // a line that wraps cannot be erased
      err.write(`${erase}${safe(errorPaint("dim", line))}`);
      shown = true;
    },
  };
}

/** Characters of an error or a note. */
const maxLineCharacters = 10_000;

export const plain: Paint = (_, text) => text;

/** @see https://en.wikipedia.org/wiki/ANSI_escape_code#Select_Graphic_Rendition_parameters */
const codes: Readonly<Record<Style, readonly [begin: number, end: number]>> = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
};

/** Marks the beginning and end of a style until the text is written. It is random, so that text from outside cannot contain it. */
let mark: string | undefined;

const marked: Paint = (style, text) => {
  mark ??= `\u001b${crypto.randomUUID()}:`;
  const [begin, end] = codes[style];
  return `${mark}${begin}m${text}${mark}${end}m`;
};

/** Returns text as it is written: our styles as terminal codes, all other control characters made visible. */
function safe(text: string): string {
  const [first = "", ...styled] = mark === undefined ? [text] : text.split(mark);
  const pieces = styled.map((piece) => {
    const end = piece.indexOf("m") + 1;
    return `\u001b[${piece.slice(0, end)}${visible(piece.slice(end))}`;
  });
  return visible(first) + pieces.join("");
}

/** The command line has a mistake. The process ends with exit code 2. */
export class UsageError extends RpcNotebookError {
  readonly code = "cli.usage";
}
