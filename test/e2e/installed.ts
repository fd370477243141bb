import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { type Devchain, startDevchain } from "../../devchain/devchain.ts";
import { type Machine, startMachine } from "./host/machine.ts";
import { installPackage } from "./host/server.ts";
import { extensionsLoaded, type Host, openWindow, type WindowOptions } from "./host/workbench.ts";

const shots = fileURLToPath(new URL("shots", import.meta.url));
const root = fileURLToPath(new URL("../../", import.meta.url));

/** What all windows of a process share. */
interface Shared {
  /** The package as users install it. */
  readonly extensionsDir: string;
  /** Where extensions store data; each workspace has a folder there. */
  readonly userDataDir: string;
  /** Starts VS Code, unless it runs. */
  machine(): Promise<Machine>;
  close(): Promise<void>;
}

/** The environment of one window: the installed package, a copy of the examples, and a chain. */
export interface Installation extends Pick<Shared, "extensionsDir" | "userDataDir"> {
  /** A copy of `examples`, in which `local` is {@link chain}. */
  readonly workspace: string;
  readonly chain: Devchain;
  /** Ends the chain and removes the files. */
  remove(): Promise<void>;
}

let shared: Promise<Shared> | undefined;
if ("after" in globalThis) after(endInstallations); // in Mocha, after all tests

/** @throws Error if there is no package: `npm run package` builds it. */
async function share(): Promise<Shared> {
  const folder = mkdtempSync(path.join(tmpdir(), "rpc-notebook-installed-"));
  const [extensionsDir, userDataDir] = [path.join(folder, "extensions"), path.join(folder, "user")];
  await installPackage(packageFile(), extensionsDir, path.join(folder, "installer"));
  let machine: Promise<Machine> | undefined;
  return {
    extensionsDir,
    userDataDir,
    machine() {
      const env = { XDG_CACHE_HOME: path.join(folder, "cache") }; // not the person's, which may have a registry
      machine ??= startMachine({ extensionsDir, userDataDir, env });
      return machine;
    },
    async close() {
      await (await machine)?.close();
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

function sharedByAll(): Promise<Shared> {
  shared ??= share();
  return shared;
}

/** Ends VS Code, and removes the installed package. */
export async function endInstallations(): Promise<void> {
  await (await shared)?.close();
  shared = undefined;
}

/** The folder of the installed package. */
export async function installedPackage(): Promise<string> {
  const { extensionsDir } = await sharedByAll();
  const [name] = readdirSync(extensionsDir).filter((entry) => entry.startsWith("rpc-notebook."));
  if (!name) throw new Error("The package is not installed.");
  return path.join(extensionsDir, name);
}

/** @throws Error if there is no package: `npm run package` builds it. */
export async function install(): Promise<Installation> {
  const { extensionsDir, userDataDir } = await sharedByAll();
  const folder = mkdtempSync(path.join(tmpdir(), "rpc-notebook-e2e-"));
  const workspace = path.join(folder, "workspace");
  cpSync(path.join(root, "examples"), workspace, { recursive: true });
  const chain = await startDevchain();
  writeFileSync(path.join(workspace, "rpc-endpoints.private.json"), JSON.stringify({ local: chain.url }));
  return {
    extensionsDir,
    userDataDir,
    workspace,
    chain,
    async remove() {
      await chain.stop();
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/**
 * A window with the installed package and the examples open, for a UI test to drive. It has settings and storage of its
 * own. Screenshots go to `shots/`.
 */
export async function openWorkbench({ workspace }: Installation, options: WindowOptions = {}): Promise<Host> {
  const machine = await (await sharedByAll()).machine();
  const userDataDir = mkdtempSync(path.join(workspace, "../user-"));
  const host = await openWindow(machine, { userDataDir, open: workspace, shots, ...options });
  await extensionsLoaded(host);
  return host;
}

/** Makes a copy of the installed package that runs in a web worker. @returns its folder. */
export async function webExtension({ workspace }: Installation): Promise<string> {
  const extension = path.join(workspace, "../web");
  cpSync(await installedPackage(), extension, { recursive: true });
  // With `main` or the kinds it would run in Node, and without `main` its type would make a module of it.
  const { main, extensionKind, type, ...manifest } = JSON.parse(
    readFileSync(path.join(extension, "package.json"), "utf8"),
  );
  writeFileSync(path.join(extension, "package.json"), JSON.stringify(manifest));
  return extension;
}

/** The same with the package in a web worker, as in a browser without a server. */
export async function openWebWorkbench(installation: Installation): Promise<Host> {
  return openWorkbench(installation, {
    disableExtensions: true,
    extensionDevelopmentPath: [await webExtension(installation)],
    extensionDevelopmentKind: "web",
    userDataDir: installation.userDataDir,
  });
}

/** The text of all files of results that VS Code keeps for the notebooks of a workspace. */
export function keptResults({ userDataDir, workspace }: Installation): string {
  const names = readdirSync(userDataDir, { recursive: true, encoding: "utf8" });
  const files = names.filter((name) => /rpc-notebook\.rpc-notebook.results.[0-9a-f]+\.json$/.test(name));
  const texts = files.map((name) => readFileSync(path.join(userDataDir, name), "utf8"));
  return texts.filter((text) => text.includes(path.basename(path.dirname(workspace)))).join("\n");
}

/** Where `npm run package` puts the package. */
function packageFile(): string {
  const { name, version } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"));
  return path.join(root, "dist", `${name}-${version}.vsix`);
}
