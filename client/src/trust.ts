import { commands, FileSystemError, FileType, l10n, Uri, workspace } from "vscode";
import { base64Of } from "../../server/src/base/compression.ts";
import type {
  ApproveCostResult,
  ApproveHostResult,
  ApproveLookupResult,
  ApproveMethodsResult,
  ApproveWritesResult,
  ReadFileParams,
  ReadFileResult,
  ReadFolderParams,
  ReadFolderResult,
  WriteFileParams,
  WriteFileResult,
} from "../../server/src/protocol/host.ts";
import type { EditorRequests } from "../../server/src/protocol/methods.ts";
import type { Approvals } from "./approvals.ts";
import { askInWords, warn } from "./messages.ts";
import { replaceFile, textOf } from "./replaceFile.ts";
import type { SecretStore } from "./secrets.ts";

/**
 * Answers the server's questions to the person and to the workspace.
 *
 * @param own - Files of the extension, which the server may read in any workspace.
 */
export function answers(hosts: Approvals, secrets: SecretStore, own: readonly Uri[]): EditorRequests {
  return {
    async approveHost(question): Promise<ApproveHostResult> {
      if (!workspace.isTrusted) return { approved: false };
      await hosts.read();
      const granted = hosts.list();
      if (question.grants.every((grant) => granted.includes(grant))) return { approved: true };
      const approved = (await askInWords(question.words)) >= 0;
      if (approved) await hosts.add(...question.grants);
      return { approved };
    },
    approveWrites: async ({ words }): Promise<ApproveWritesResult> => ({
      approved: workspace.isTrusted && (await askInWords(words)) >= 0,
    }),
    approveCost: async ({ words }): Promise<ApproveCostResult> => ({
      approved: workspace.isTrusted && (await askInWords(words)) >= 0,
    }),
    async approveMethods(question): Promise<ApproveMethodsResult> {
      const chosen = workspace.isTrusted ? await askInWords(question.words) : -1;
      const approved = (["once", "always"] as const)[chosen] ?? "no";
      if (approved === "always") await hosts.add(...question.grants);
      return { approved };
    },
    async approveLookup({ words, always, never }): Promise<ApproveLookupResult> {
      if (!workspace.isTrusted) return { approved: "no" };
      await hosts.read();
      if (hosts.list().includes(never)) return { approved: "never" };
      if (hosts.list().includes(always)) return { approved: "workspace" };
      const approved = (["once", "workspace", "always", "never"] as const)[await askInWords(words)] ?? "no";
      if (approved === "workspace") await hosts.add(always);
      if (approved === "always") await hosts.addEverywhere(always);
      if (approved === "never") await hosts.addEverywhere(never);
      return { approved };
    },
    readFile: (params) => readFile(params, own),
    readFolder,
    writeFile,
    secretNames: () => ({ names: workspace.isTrusted ? secrets.names() : [] }),
    readSecrets: async ({ names }) => ({ values: workspace.isTrusted ? await secrets.read(names) : {} }),
  };
}

/** Reads a file. In a workspace that is not trusted, only files in it. */
async function readFile({ uri }: ReadFileParams, own: readonly Uri[]): Promise<ReadFileResult> {
  const file = Uri.parse(uri);
  const isOwn = own.some((one) => uri === one.toString());
  const mayRead = workspace.isTrusted || workspace.getWorkspaceFolder(file) !== undefined || isOwn;
  if (!mayRead) return null;
  try {
    return { base64: base64Of(await workspace.fs.readFile(file)) };
  } catch {
    return null; // there is no such file, or it may not be read
  }
}

/** Writes files that are not on the disk of the server. A person has asked for each. */
async function writeFile({ uri, before, text }: WriteFileParams): Promise<WriteFileResult> {
  const file = Uri.parse(uri);
  const isOfNotebook = notebookFile.test(file.path);
  if (!isOfNotebook && !ownFiles.includes(file.path.split("/").at(-1) ?? "")) return failed("unsupported");
  if (isOfNotebook && !workspace.isTrusted) return failed("untrusted");
  try {
    const isReplaced = await replaceFile(file, text, async () => (await textOf(file)) === before);
    return { kind: isReplaced ? "written" : "changed" };
  } catch (error) {
    const code = error instanceof FileSystemError ? error.code : "";
    return failed(writeFaults[code] ?? "other", code || "an error");
  }
}

/** Snapshots, recordings and bug reports. */
const notebookFile = /\.rpc(?:\.snapshot|\.recording)?\.json$/;
const ownFiles: readonly string[] = ["rpc-endpoints.json", "rpc-endpoints.private.json", ".gitignore"];

type Failed = Extract<WriteFileResult, { readonly kind: "failed" }>;

/** By VS Code's error codes. */
const writeFaults: Readonly<Record<string, Failed["reason"]>> = {
  FileIsADirectory: "not-a-file",
  FileNotFound: "no-folder",
  NoPermissions: "denied",
};

function failed(reason: Failed["reason"], detail = ""): Failed {
  return { kind: "failed", reason, detail };
}

type FolderEntry = NonNullable<ReadFolderResult>["entries"][number];

/** Links are left out: they may lead out of the workspace. */
async function readFolder({ uri }: ReadFolderParams): Promise<ReadFolderResult> {
  const folder = Uri.parse(uri);
  if (!workspace.isTrusted) return null;
  try {
    const found = await workspace.fs.readDirectory(folder);
    const entries = found.map(async ([name, type]): Promise<readonly FolderEntry[]> => {
      if (type === FileType.Directory) return [{ name, kind: "folder" }];
      return type === FileType.File ? [{ name, kind: "file", ...(await versionOf(Uri.joinPath(folder, name))) }] : [];
    });
    return { entries: (await Promise.all(entries)).flat() };
  } catch {
    return null; // there is no such folder, or it may not be read
  }
}

async function versionOf(file: Uri): Promise<{ readonly version?: string }> {
  try {
    const { mtime, size } = await workspace.fs.stat(file);
    return { version: `${mtime} ${size}` };
  } catch {
    return {}; // gone meanwhile
  }
}

/**
 * Warns before a run that a workspace is not trusted, and offers to trust it. The server refuses to send in any case.
 *
 * @returns Whether the workspace is trusted.
 */
export function remindOfTrust(): boolean {
  if (workspace.isTrusted) return true;
  const manage = l10n.t("Manage Workspace Trust");
  const message = l10n.t("This workspace is not trusted, so no request is sent.");
  void warn(message, manage).then((choice) => {
    if (choice === manage) void commands.executeCommand("workbench.trust.manage");
  });
  return false;
}
