import { appendFileSync, mkdirSync } from "node:fs";
import path from "node:path";

/** The functions of `@vscode/spdlog` that the VS Code server calls. Its own logger knows the level. */
export function setFlushOn() {}

/** @param {string} _name @param {string} file */
export async function createAsyncRotatingLogger(_name, file) {
  mkdirSync(path.dirname(file), { recursive: true });
  let isPlain = false;
  /** @param {string} level */
  const write = (level) => (/** @type {string} */ message) => {
    const time = new Date().toISOString().replace("T", " ").slice(0, -1);
    appendFileSync(file, isPlain ? message : `${time} [${level}] ${message}\n`);
  };
  return {
    trace: write("trace"),
    debug: write("debug"),
    info: write("info"),
    warn: write("warning"),
    error: write("error"),
    critical: write("critical"),
    clearFormatters: () => {
      isPlain = true;
    },
    setPattern() {},
    setLevel() {},
    flush() {},
    drop() {},
  };
}
