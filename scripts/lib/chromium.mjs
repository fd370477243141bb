import { accessSync, constants } from "node:fs";
import path from "node:path";

const NAMES = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "microsoft-edge"];
/** Where they are installed on macOS and Windows, which do not put them on `PATH`. Windows comes with Edge. */
const INSTALLED = [
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
  "C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe",
];

/**
 * The Chromium that shows the workbench in tests: `TEST_HOST_CHROMIUM`, else the first on `PATH`.
 *
 * @returns {string | undefined} Its executable; `undefined` where there is none.
 */
export function chromiumPath() {
  const { TEST_HOST_CHROMIUM: chosen, PATH = "" } = process.env;
  if (chosen) return chosen;
  const folders = PATH.split(path.delimiter).filter(Boolean);
  return [...NAMES.flatMap((name) => folders.map((folder) => path.join(folder, name))), ...INSTALLED].find(
    isExecutable,
  );
}

/** @param {string} file */
function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
