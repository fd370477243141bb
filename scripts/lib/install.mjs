import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { chromiumPath } from "./chromium.mjs";
import { onPath, run } from "./processes.mjs";
import { announce, ends } from "./progress.mjs";

export const root = fileURLToPath(new URL("../../", import.meta.url));
const host = path.join(root, "test/e2e/host");

/**
 * A thing that the project needs on this machine.
 *
 * @typedef {object} Component
 * @property {string} name
 * @property {string} command What a person installs it with.
 * @property {() => boolean} isThere
 * @property {() => Promise<import("./processes.mjs").Ended>} install
 */

/** @type {Component} */
export const packages = {
  name: "packages",
  command: "npm ci",
  isThere: () => isInstalled(root),
  install: () => run("npm", ["ci"], { cwd: root }),
};

/** @type {Component} */
const compiler = {
  name: "compiler",
  command: aptCommand("python3", "make", "g++"),
  isThere: () => isInstalled(host) || ["python3", "make", "g++"].every(onPath),
  install: () => aptInstall("python3", "make", "g++"),
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
  command: "npm ci --prefix test/e2e/host",
  isThere: () => isInstalled(host),
  install: () => run("npm", ["ci"], { cwd: host, env: headersBesideNode() }),
};

/** What tests in VS Code need besides the packages. Each list's entries build on the earlier ones; the lists are independent. */
export const vscodeComponents = [[compiler, vscode], [chromium]];

/** What tests in Neovim need besides the packages. */
export const neovimComponents = [neovim];

/** Whether this machine can be made to have what comes from the system's packages; elsewhere a person has to. */
export function hasApt() {
  return onPath("apt-get") && process.getuid?.() === 0;
}

/** What the workbench in a browser needs besides the packages. */
export const workbenchComponents = [compiler, vscode];

/** Whether every package of the lock stands in `node_modules` with its version, as far as it is meant for this machine. */
function isInstalled(/** @type {string} */ folder) {
  const found = lockedPackages(path.join(folder, "node_modules/.package-lock.json"));
  const wanted = lockedPackages(path.join(folder, "package-lock.json"));
  if (!found || !wanted) return false;
  return Object.entries(wanted).every(([place, entry]) => {
    if (place === "") return true;
    return found[place] ? found[place].version === entry.version : entry.optional === true;
  });
}

/**
 * @param {string} file
 * @returns {Record<string, { version?: string, optional?: boolean }> | undefined}
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
    const done = announce(`Installing ${component.name}`);
    const { ok, output } = await component.install();
    done(ok);
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

/** Node's own headers save the compiler's tool a download, where they are installed beside Node. */
function headersBesideNode() {
  const prefix = path.join(path.dirname(process.execPath), "..");
  /** @type {Record<string, string>} */
  const env = existsSync(path.join(prefix, "include/node/node_version.h")) ? { npm_config_nodedir: prefix } : {};
  return env;
}
