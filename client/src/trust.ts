import { commands, FileSystemError, FileType, l10n, Uri, workspace } from "vscode";
import { base64Of } from "../../server/src/base/compression.ts";
import type {
  ApproveHostParams,
  ApproveHostResult,
  ApproveMethodsParams,
  ApproveMethodsResult,
  ApproveWritesParams,
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
import { ask, warn } from "./messages.ts";
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
      const approved = await askForHost(question);
      if (approved) await hosts.add(...question.grants);
      return { approved };
    },
    approveWrites: async (question): Promise<ApproveWritesResult> => ({
      approved: workspace.isTrusted && (await askForWrites(question)),
    }),
    async approveMethods(question): Promise<ApproveMethodsResult> {
      const approved = workspace.isTrusted ? await askForMethods(question) : "no";
      if (approved === "always") await hosts.add(...question.grants);
      return { approved };
    },
    readFile: (params) => readFile(params, own),
    readFolder,
    writeFile,
    secretNames: () => ({ names: workspace.isTrusted ? secrets.names() : [] }),
    readSecrets: async ({ names }) => ({ values: workspace.isTrusted ? await secrets.read(names) : {} }),
  };
}

async function askForHost({ site, inClear, source, values }: ApproveHostParams): Promise<boolean> {
  const allow = l10n.t("Allow");
  const risk = inClear ? [l10n.t("They would be sent without encryption: anyone on the network can read them.")] : [];
  const once = l10n.t("You are asked once for each host in this workspace.");
  const choice = await ask(
    values.length === 0
      ? l10n.t("Send requests to {0}?", site)
      : l10n.t("Send requests to {0}, with {1}?", site, values.join(", ")),
    [...risk, source, once].join(" "),
    allow,
  );
  return choice === allow;
}

/** Says in words what each waiting request of a run will do. */
async function askForWrites({ writes }: ApproveWritesParams): Promise<boolean> {
  const send = l10n.t("Send");
  const [only, ...more] = writes;
  if (!only) return false;
  const place = ({ endpoint, site }: ApproveWritesParams["writes"][number]): string =>
    l10n.t("on {0} ({1})", endpoint, site);
  const names = [...new Set(writes.flatMap((write) => write.names))];
  const question =
    more.length === 0 ? `${only.what} ${place(only)}?` : l10n.t("Send these {0} requests?", String(writes.length));
  const list = writes.map((write, at) => `${at + 1}. ${write.what} ${place(write)}, ${write.method}`);
  const detail = more.length === 0 ? [l10n.t("Method: {0}", only.method)] : list;
  const once = l10n.t("You are asked in every run.");
  const parts = [detail, names, [once]].filter((lines) => lines.length > 0);
  return (await ask(question, parts.map((lines) => lines.join("\n")).join("\n\n"), send)) === send;
}

async function askForMethods(question: ApproveMethodsParams): Promise<ApproveMethodsResult["approved"]> {
  const { site, endpoint, methods } = question;
  const [once, always] = [l10n.t("Send"), l10n.t("Always Allow at This Host")];
  const isOne = methods.length === 1;
  const choice = await ask(
    l10n.t("Send to {0}: {1}?", site, methods.join(", ")),
    `${whyUnknown(isOne)} ${l10n.t('The endpoint is called "{0}".', endpoint)}`,
    once,
    always,
  );
  return choice === once ? "once" : choice === always ? "always" : "no";
}

function whyUnknown(isOne: boolean): string {
  return isOne
    ? l10n.t("RPC Notebook does not know whether this method only reads. It is never repeated automatically.")
    : l10n.t("RPC Notebook does not know whether these methods only read. They are never repeated automatically.");
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

async function versionOf(file: Uri): Promise<Pick<FolderEntry, "version">> {
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
