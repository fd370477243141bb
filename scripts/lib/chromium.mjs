import { accessSync, constants } from "node:fs";
import path from "node:path";

const NAMES = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "microsoft-edge"];
const MAC = [
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
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
  return [...NAMES.flatMap((name) => folders.map((folder) => path.join(folder, name))), ...MAC].find(isExecutable);
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
