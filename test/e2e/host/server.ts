import { execFile, spawn } from "node:child_process";
import { existsSync, mkdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { killTree, ownTree } from "../../../scripts/lib/processes.mjs";

/** The VS Code server as code-server ships it; `npm ci` in this folder puts it there. */
const vscode = fileURLToPath(new URL("node_modules/code-server/lib/vscode/", import.meta.url));
const serverMain = path.join(vscode, "out/server-main.js");

/** No gallery: without this the server looks for one on the network. */
const OFFLINE = { EXTENSIONS_GALLERY: "{}" };

export interface ServerOptions {
  /** For the server's own files; the caller makes it and removes it. */
  readonly scratch: string;
  /** 0 for a free one. */
  readonly port?: number;
  readonly userDataDir?: string;
  readonly extensionsDir?: string;
  /** Names of the extensions that VS Code itself comes with; without it, all. */
  readonly builtIn?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly onOutput?: (text: string) => void;
}

export interface Server {
  readonly port: number;
  /** Of windows that have no other. */
  readonly userDataDir: string;
  /** Resolves to a sentence when the server has ended, for any reason. */
  readonly ended: Promise<string>;
  /** Ends the server and the extension hosts that it forked. */
  stop(): Promise<void>;
}

/**
 * Starts the VS Code server on the loopback address.
 *
 * @throws Error with the output of the server, if it ends before it listens.
 */
export async function startServer(options: ServerOptions): Promise<Server> {
  const userDataDir = options.userDataDir ?? path.join(options.scratch, "data");
  const child = spawn(process.execPath, [serverMain, ...serverFlags({ ...options, userDataDir })], {
    ...ownTree(), // so that `stop` reaches the extension hosts
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...OFFLINE, ...options.env },
  });
  const ended = new Promise<string>((resolve) => {
    child.once("exit", (code, signal) => resolve(`The VS Code server ended (${signal ?? code}).`));
    child.once("error", (error) => resolve(`The VS Code server did not start: ${error.message}.`));
  });
  const pid = child.pid;
  if (pid === undefined) throw new Error(await ended);
  const kill = () => killTree(pid, "SIGKILL");
  process.once("exit", kill);
  const port = await new Promise<number>((resolve, reject) => {
    let text = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (chunk: string) => {
        options.onOutput?.(chunk);
        text = (text + chunk).slice(-20_000);
        const listening = /Extension host agent listening on (\d+)/.exec(text);
        if (listening) resolve(Number(listening[1]));
      });
    }
    void ended.then((why) => reject(new Error(`${why}\n${text}`)));
  });
  return {
    port,
    userDataDir,
    ended,
    async stop() {
      kill();
      await ended;
      process.removeListener("exit", kill);
    },
  };
}

export interface WorkbenchOptions {
  /** A folder, a `.code-workspace`, or one file. */
  readonly open?: string | undefined;
  readonly extensionDevelopmentPath?: readonly string[];
  readonly extensionDevelopmentKind?: "web";
  readonly extensionTestsPath?: string;
  readonly disableExtensions?: boolean;
  /** Begins with VS Code's welcome page, as a window without a folder does. */
  readonly welcome?: boolean;
}

/** The address that shows the workbench of a running server. */
export function workbenchAddress(port: number, options: WorkbenchOptions): string {
  // A vscode-remote URI puts an extension or a suite into the server's extension host, which is Node.
  const remote = (file: string) => `vscode-remote://127.0.0.1:${port}${pathToFileURL(path.resolve(file)).pathname}`;
  const payload: [string, string][] = options.welcome ? [] : [["skipWelcome", "true"]];
  const query = new URLSearchParams();
  for (const folder of options.extensionDevelopmentPath ?? [])
    payload.push(["extensionDevelopmentPath", remote(folder)]);
  if (options.extensionDevelopmentKind) payload.push(["extensionDevelopmentKind", options.extensionDevelopmentKind]);
  if (options.extensionTestsPath) payload.push(["extensionTestsPath", remote(options.extensionTestsPath)]);
  if (options.disableExtensions) payload.push(["disableExtensions", "true"]);
  if (options.open?.endsWith(".code-workspace")) query.set("workspace", path.resolve(options.open));
  else if (options.open && statSync(options.open).isDirectory()) query.set("folder", path.resolve(options.open));
  else query.set("ew", "true");
  if (options.open && query.has("ew")) payload.push(["openFile", remote(options.open)]);
  query.set("payload", JSON.stringify(payload));
  return `http://127.0.0.1:${port}/?${query}`;
}

/**
 * Installs a package as a user would, with VS Code's own installer.
 *
 * @param extensionsDir - What `startServer` takes under the same name.
 * @throws Error with the output of the installer, if it does not accept the package.
 */
export async function installPackage(vsix: string, extensionsDir: string, scratch: string): Promise<void> {
  const flags = [`--install-extension=${vsix}`, `--extensions-dir=${extensionsDir}`, `--server-data-dir=${scratch}`];
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    [serverMain, "--accept-server-license-terms", ...flags],
    { env: { ...process.env, ...OFFLINE } },
  );
  if (!stdout.includes("was successfully installed"))
    throw new Error(`VS Code did not install ${vsix}:\n${stdout}${stderr}`);
}

/** Writes the user's settings. */
export function writeSettings(userDataDir: string, settings: Readonly<Record<string, unknown>>): void {
  writeUserFile(userDataDir, "settings.json", settings);
}

/** Gives a command a key. @param key - As Playwright names it. */
export function writeKey(userDataDir: string, key: string, command: string): void {
  writeUserFile(userDataDir, "keybindings.json", [{ key: key.replace("Control", "ctrl").toLowerCase(), command }]);
}

function writeUserFile(userDataDir: string, name: string, content: unknown): void {
  mkdirSync(path.join(userDataDir, "User"), { recursive: true });
  writeFileSync(path.join(userDataDir, "User", name), JSON.stringify(content, undefined, 2));
}

function serverFlags(options: ServerOptions & Required<Pick<ServerOptions, "userDataDir">>): string[] {
  const extensions = options.extensionsDir ?? path.join(options.scratch, "extensions");
  // The server does not create the folder or the list of its contents.
  mkdirSync(extensions, { recursive: true });
  const list = path.join(extensions, "extensions.json");
  if (!existsSync(list)) writeFileSync(list, "[]");
  return [
    ...builtInFlags(options),
    "--host=127.0.0.1",
    `--port=${options.port ?? 0}`,
    "--without-connection-token",
    "--accept-server-license-terms",
    "--disable-telemetry",
    "--disable-update-check",
    "--disable-getting-started-override",
    "--disable-workspace-trust",
    `--server-data-dir=${options.scratch}`,
    `--user-data-dir=${options.userDataDir}`,
    `--extensions-dir=${extensions}`,
  ];
}

function builtInFlags({ builtIn, scratch }: ServerOptions): string[] {
  if (!builtIn) return [];
  const folder = path.join(scratch, "built-in");
  mkdirSync(folder);
  for (const name of builtIn) symlinkSync(path.join(vscode, "extensions", name), path.join(folder, name), "dir");
  return [`--builtin-extensions-dir=${folder}`];
}
