import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { type Devchain, startDevchain } from "../../devchain/devchain.ts";
import { installPackage } from "./host/server.ts";
import { type Host, type HostOptions, startHost } from "./host/workbench.ts";

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
  const shots = fileURLToPath(new URL("shots", import.meta.url));
  return startHost({ extensionsDir, userDataDir, open: workspace, shots, ...options });
}

/** Where `npm run package` puts the package. */
export function packageFile(): string {
  const { name, version } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"));
  return path.join(root, "dist", `${name}-${version}.vsix`);
}
