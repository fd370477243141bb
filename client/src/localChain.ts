import { FileType, l10n, ProgressLocation, type Terminal, ThemeIcon, Uri, window, workspace } from "vscode";
import type { LocalPortResult } from "../../server/src/protocol/endpoints.ts";
import type { Server } from "./languageClient.ts";
import { complain, inform } from "./messages.ts";
import { remindOfTrust } from "./trust.ts";

/** A chain on this machine, in a terminal of the window. */
export type LocalChain = ReturnType<typeof localChain>;

/** The port that nodes listen at by default. */
const usualPort = 8545;
const maxPorts = 20;
const maxStartMs = 20_000;
const pollMs = 100;

interface Running {
  readonly terminal: Terminal;
  readonly port: number;
}

/** @param findAnvil - Absent if this platform cannot start programs. */
export function localChain(server: Server, findAnvil: FindAnvil | undefined) {
  let running: Running | undefined;
  let starting: Promise<string | undefined> | undefined;
  const stateOf = async (port: number): Promise<LocalPortResult["state"]> =>
    (await server.request("rpcNotebook/localPort", { port })).state;

  const open = async (): Promise<string | undefined> => {
    if (!findAnvil || !remindOfTrust()) return undefined;
    const own = running && running.terminal.exitStatus === undefined ? [running.port] : [];
    for (const port of [usualPort, ...own]) if ((await stateOf(port)) === "chain") return addressOf(port);
    const program = await findAnvil();
    if (program === undefined) return offerInstall();
    const port = await freePort(stateOf);
    if (port === undefined)
      return fail(l10n.t("All ports for the local chain are in use. Close a program that uses port 8545."));
    running = { port, terminal: openTerminal(program, port) };
    return untilItAnswers(running, stateOf);
  };
  return {
    /** Whether this platform can start programs: a browser cannot. */
    canStart: findAnvil !== undefined,
    /**
     * Starts a chain, unless one answers already, and waits until it answers.
     *
     * @returns Its address; `undefined` if there is none, which a message has explained.
     */
    start(): Promise<string | undefined> {
      starting ??= open().finally(() => {
        starting = undefined;
      });
      return starting;
    },
  };
}

function addressOf(port: number): string {
  return `http://127.0.0.1:${port}`;
}

async function freePort(stateOf: (port: number) => Promise<string>): Promise<number | undefined> {
  for (let port = usualPort; port < usualPort + maxPorts; port++) if ((await stateOf(port)) === "free") return port;
  return undefined;
}

/** The terminal shows what the chain prints, and ends it when it is closed. */
function openTerminal(program: string, port: number): Terminal {
  const terminal = window.createTerminal({
    name: l10n.t("Local chain"),
    iconPath: new ThemeIcon("vm"),
    shellPath: program,
    // a `.env` of the workspace, which anvil reads, could open the port to the network
    shellArgs: ["--host", "127.0.0.1", "--port", String(port)],
    isTransient: true, // another session would show its output without the chain
  });
  terminal.show(true);
  return terminal;
}

async function untilItAnswers(
  { terminal, port }: Running,
  stateOf: (port: number) => Promise<string>,
): Promise<string | undefined> {
  const options = { location: ProgressLocation.Notification, title: l10n.t("Starting the local chain") };
  const answers = await window.withProgress(options, async () => {
    for (const end = Date.now() + maxStartMs; Date.now() < end && terminal.exitStatus === undefined; ) {
      if ((await stateOf(port)) === "chain") return true;
      await new Promise((resolve) => setTimeout(resolve, pollMs));
    }
    return false;
  });
  return answers ? addressOf(port) : fail(l10n.t("The local chain did not start. Its terminal says why."));
}

function fail(why: string): undefined {
  void complain(why);
  return undefined;
}

const install = "npm install --save-dev @foundry-rs/anvil";

/** Says how to install anvil. The terminal has the command; pressing Enter there is up to the person. */
async function offerInstall(): Promise<undefined> {
  const open = l10n.t("Open in Terminal");
  const choice = await inform(l10n.t("A local chain needs anvil. To install it: {0}", install), open);
  if (choice !== open) return;
  const folder = workspace.workspaceFolders?.[0]?.uri;
  const terminal = window.createTerminal({ name: l10n.t("Install anvil"), ...(folder && { cwd: folder }) });
  terminal.show();
  terminal.sendText(install, false);
}

/** Returns the path of a program that starts a chain on this machine. */
export type FindAnvil = () => Promise<string | undefined>;

/** Finds anvil on `PATH`, where Foundry installs it, or among the packages of the workspace. Needs Node. */
export const findAnvil: FindAnvil = async () => {
  const isWindows = process.platform === "win32";
  const onPath = (process.env.PATH ?? "").split(isWindows ? ";" : ":").filter((folder) => isAbsolute(folder));
  const home = process.env.HOME ?? process.env.USERPROFILE ?? "";
  // A window that was not started from a terminal has another PATH.
  const own = isAbsolute(home) ? [Uri.joinPath(Uri.file(home), ".foundry", "bin")] : [];
  const folders = [...onPath.map((folder) => Uri.file(folder)), ...own, ...packageFolders()];
  const names = isWindows ? ["anvil.exe", "anvil.cmd"] : ["anvil"];
  for (const file of folders.flatMap((folder) => names.map((name) => Uri.joinPath(folder, name)))) {
    if (await isFile(file)) return file.fsPath;
  }
  return undefined;
};

/** Returns the folders of the workspace that may contain programs. The workspace wrote them, so only its trust counts. */
function packageFolders(): readonly Uri[] {
  const folders = workspace.isTrusted ? (workspace.workspaceFolders ?? []) : [];
  return folders.flatMap(({ uri }) => (uri.scheme === "file" ? Uri.joinPath(uri, "node_modules", ".bin") : []));
}

function isAbsolute(folder: string): boolean {
  return /^(?:\/|[a-z]:[\\/])/i.test(folder);
}

async function isFile(file: Uri): Promise<boolean> {
  const type = await workspace.fs.stat(file).then(
    (stat) => stat.type,
    () => FileType.Unknown,
  );
  return (type & FileType.File) !== 0; // a link to a file has a second bit
}
