import { FileType, Uri, workspace } from "vscode";

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
