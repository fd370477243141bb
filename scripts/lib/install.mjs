import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { chromiumPath } from "./chromium.mjs";
import { onPath, run } from "./processes.mjs";
import { announce, ends } from "./progress.mjs";

export const root = fileURLToPath(new URL("../../", import.meta.url));
const host = path.join(root, "test/e2e/host");
const tokens = path.join(root, "test/suites/tokens");
const duckdb = path.join(root, "test/suites/duckdb");

/**
 * A thing that the project needs on this machine.
 *
 * @typedef {object} Component
 * @property {string} name
 * @property {string} command What a person installs it with.
 * @property {() => boolean} isThere
 * @property {() => Promise<import("./processes.mjs").Ended>} install
 */

/** What the product is built with. @type {Component} */
export const packages = {
  name: "packages",
  command: "npm ci",
  isThere: () => isInstalled(root, ownDependencies()),
  install: () => run("npm", ["ci", "--workspaces=false"], { cwd: root }),
};

/** The same, and what checks and tests need. @type {Component} */
export const testPackages = {
  name: "packages for tests",
  command: "npm install",
  isThere: () => isInstalled(root),
  // `npm ci` would remove the packages that are there.
  install: () =>
    run("npm", existsSync(path.join(root, "node_modules")) ? ["install", "--no-save"] : ["ci"], { cwd: root }),
};

/** What unit tests start. @type {Component} */
const tools = {
  name: "bash, curl and openssl",
  command:
    process.platform === "win32"
      ? "Git for Windows, and start npm test in its Git Bash"
      : aptCommand("bash", "curl", "openssl"),
  isThere: () => ["bash", "curl", "openssl"].every((program) => onPath(program)),
  install: () => aptInstall("bash", "curl", "openssl"),
};

/** @type {Component} */
const chromium = {
  name: "Chromium",
  command: `${aptCommand("chromium")} (or set TEST_HOST_CHROMIUM to a Chrome or Edge)`,
  isThere: () => chromiumPath() !== undefined,
  install: () => aptInstall("chromium"),
};

/** @type {Component} */
const neovim = {
  name: "Neovim",
  command: aptCommand("neovim"),
  isThere: () => onPath("nvim"),
  install: () => aptInstall("neovim"),
};

/** @type {Component} */
const vscode = {
  name: "VS Code server",
  command:
    process.platform === "win32"
      ? "TEST_VSCODE=download npm test -- --only=e2e-suite, which runs that stage in a desktop VS Code"
      : "npm ci --prefix test/e2e/host",
  isThere: () => isInstalled(host),
  install: async () =>
    process.platform === "win32"
      ? { ok: false, output: "The VS Code server of npm does not run on Windows." }
      : run("npm", ["ci"], { cwd: host }),
};

/** @type {Component} */
const publishedTokens = {
  name: "published tokens",
  command: "npm ci --prefix test/suites/tokens",
  isThere: () => isInstalled(tokens),
  install: () => run("npm", ["ci", "--ignore-scripts"], { cwd: tokens }),
};

/** @type {Component} */
const queryEngine = {
  name: "DuckDB",
  command: "npm ci --prefix test/suites/duckdb",
  isThere: () => isInstalled(duckdb),
  install: () => run("npm", ["ci", "--ignore-scripts"], { cwd: duckdb }),
};

/** What some stages need besides the packages. The entries of a list build on the earlier ones. */
export const testComponents = {
  tools: [tools],
  vscode: [vscode],
  chromium: [chromium],
  neovim: [neovim],
  tokens: [publishedTokens],
  duckdb: [queryEngine],
};

/** Whether tests in Neovim can run here; elsewhere they are left out. */
export function canHaveNeovim() {
  return neovim.isThere() || (onPath("apt-get") && process.getuid?.() === 0);
}

/**
 * Whether packages of the lock are in `node_modules` with its versions, as far as they are for this machine.
 *
 * @param {string} folder
 * @param {readonly string[]} [names] Packages that must be there; the others need the right version only if they are. Without,
 *   all must be there.
 */
function isInstalled(folder, names) {
  const found = lockedPackages(path.join(folder, "node_modules/.package-lock.json"));
  const wanted = lockedPackages(path.join(folder, "package-lock.json"));
  if (!found || !wanted) return false;
  return Object.entries(wanted).every(([place, entry]) => {
    if (!place.includes("node_modules/") || entry.link) return true;
    if (found[place]) return found[place].version === entry.version;
    return entry.optional === true || (names !== undefined && !names.includes(place.slice("node_modules/".length)));
  });
}

/** @returns {readonly string[]} */
function ownDependencies() {
  return Object.keys(JSON.parse(readFileSync(path.join(root, "package.json"), "utf8")).devDependencies);
}

/**
 * @param {string} file
 * @returns {Record<string, { version?: string, optional?: boolean, link?: boolean }> | undefined}
 */
function lockedPackages(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")).packages : undefined;
}

/**
 * Installs what is missing, one after the other.
 *
 * @param {readonly Component[]} components
 * @returns {Promise<string | undefined>} Why it could not be done and what a person can do; `undefined` when all is there.
 */
export async function ensure(components) {
  for (const component of components) {
    if (component.isThere()) continue;
    const installing = announce(`Installing ${component.name}`);
    const { ok, output } = await component.install();
    installing.done(ok);
    if (ok && component.isThere()) continue;
    return `${component.name} is missing and could not be installed:\n${ends(output, 20)}\nInstall it with ${component.command}`;
  }
  return undefined;
}

/** @param {readonly string[]} names */
function aptCommand(...names) {
  if (!onPath("apt-get")) return `this system's own package manager: ${names.join(", ")}`;
  const sudo = process.getuid?.() === 0 ? "" : "sudo ";
  return `${sudo}apt-get update && ${sudo}apt-get install -y ${names.join(" ")}`;
}

/** apt-get locks others out: one at a time. @type {Promise<unknown>} */
let aptIsFree = Promise.resolve();

/** @param {readonly string[]} names */
function aptInstall(...names) {
  const installed = aptIsFree.then(async () => {
    if (!onPath("apt-get")) return { ok: false, output: "This machine has no apt-get." };
    if (process.getuid?.() !== 0) return { ok: false, output: "Only root may install it." };
    const env = { DEBIAN_FRONTEND: "noninteractive" };
    const update = await run("apt-get", ["update"], { env });
    return update.ok ? run("apt-get", ["install", "-y", ...names], { env }) : update;
  });
  aptIsFree = installed;
  return installed;
}
