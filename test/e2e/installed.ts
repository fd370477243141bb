import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { type Devchain, startDevchain } from "../../devchain/devchain.ts";
import { installPackage } from "./host/server.ts";
import { type Host, type HostOptions, startHost } from "./host/workbench.ts";

const shots = fileURLToPath(new URL("shots", import.meta.url));
const root = fileURLToPath(new URL("../../", import.meta.url));

/** The environment of one end-to-end test: the package as users install it, a copy of the examples, and a chain. */
export interface Installation {
  readonly extensionsDir: string;
  readonly userDataDir: string;
  /** A copy of `examples`, in which `local` is {@link chain}. */
  readonly workspace: string;
  readonly chain: Devchain;
  /** Ends the chain and removes the files. */
  remove(): Promise<void>;
}

/** @throws Error if there is no package: `npm run package` builds it. */
export async function install(): Promise<Installation> {
  const folder = mkdtempSync(path.join(tmpdir(), "rpc-notebook-e2e-"));
  const at = (name: string) => path.join(folder, name);
  await installPackage(packageFile(), at("extensions"), at("installer"));
  cpSync(path.join(root, "examples"), at("workspace"), { recursive: true });
  const chain = await startDevchain();
  writeFileSync(path.join(at("workspace"), "rpc-endpoints.private.json"), JSON.stringify({ local: chain.url }));
  return {
    extensionsDir: at("extensions"),
    userDataDir: at("user"),
    workspace: at("workspace"),
    chain,
    async remove() {
      await chain.stop();
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** The workbench with the installed package and the examples open, for a UI test to drive. Screenshots go to `shots/`. */
export function openWorkbench(installation: Installation, options: HostOptions = {}): Promise<Host> {
  const { extensionsDir, userDataDir, workspace } = installation;
  return startHost({ extensionsDir, userDataDir, open: workspace, shots, ...options });
}

/** Makes a copy of the installed package that runs in a web worker. @returns its folder. */
export function webExtension({ extensionsDir }: Installation): string {
  const extension = path.join(extensionsDir, "..", "web");
  const [installed] = readdirSync(extensionsDir).filter((name) => name.startsWith("rpc-notebook."));
  if (!installed) throw new Error("The package is not installed.");
  cpSync(path.join(extensionsDir, installed), extension, { recursive: true });
  // With `main` or the kinds it would run in Node, and without `main` its type would make a module of it.
  const { main, extensionKind, type, ...manifest } = JSON.parse(
    readFileSync(path.join(extension, "package.json"), "utf8"),
  );
  writeFileSync(path.join(extension, "package.json"), JSON.stringify(manifest));
  return extension;
}

/** The same with the package in a web worker, as in a browser without a server. */
export function openWebWorkbench(installation: Installation): Promise<Host> {
  return startHost({
    open: installation.workspace,
    extensionDevelopmentPath: [webExtension(installation)],
    extensionDevelopmentKind: "web",
    userDataDir: installation.userDataDir,
    shots,
  });
}

/** The text of all files of results that VS Code keeps. */
export function keptResults({ userDataDir }: Installation): string {
  const names = readdirSync(userDataDir, { recursive: true, encoding: "utf8" });
  const files = names.filter((name) => /rpc-notebook\.rpc-notebook.results.[0-9a-f]+\.json$/.test(name));
  return files.map((name) => readFileSync(path.join(userDataDir, name), "utf8")).join("\n");
}

/** Where `npm run package` puts the package. */
export function packageFile(): string {
  const { name, version } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"));
  return path.join(root, "dist", `${name}-${version}.vsix`);
}
