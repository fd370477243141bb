import type { Memento } from "vscode";
import { commands, FileType, l10n, Uri, window, workspace } from "vscode";
import type {
  ApproveHostParams,
  ApproveHostResult,
  ReadFileParams,
  ReadFileResult,
  ReadFolderParams,
  ReadFolderResult,
  WriteFileParams,
  WriteFileResult,
} from "../../server/src/protocol.ts";
import { base64 } from "./base64.ts";
import type { Answers } from "./calls.ts";
import type { SecretStore } from "./secrets.ts";

const stateKey = "approvedHosts";

/** What a person has allowed in this workspace, now or in an earlier session: hosts, and values that may go to them. */
export interface Approvals {
  list(): readonly string[];
  /** Also for a host that a person typed by hand: that is an answer to the question. */
  add(...grants: readonly string[]): Thenable<void>;
  forget(): Thenable<void>;
}

export function approvals(memory: Memento): Approvals {
  const list = (): readonly string[] => memory.get<readonly string[]>(stateKey, []);
  return {
    list,
    add: (...grants) => memory.update(stateKey, [...new Set([...list(), ...grants])]),
    forget: () => memory.update(stateKey, undefined),
  };
}

/**
 * Answers what the server asks of a person and of the workspace.
 *
 * @param own - A file of the extension's own that the server may read in any workspace.
 */
export function answers(hosts: Approvals, secrets: SecretStore, own: Uri): Answers {
  const asked = new Map<string, Promise<boolean>>();
  const approve = async (question: ApproveHostParams): Promise<boolean> => {
    const approved = await askForHost(question);
    if (approved) await hosts.add(...question.grants);
    return approved;
  };
  return {
    async approveHost(question): Promise<ApproveHostResult> {
      if (!workspace.isTrusted) return { approved: false };
      const granted = hosts.list();
      if (question.grants.every((grant) => granted.includes(grant))) return { approved: true };
      // Cells that run at once ask at once; a person answers one time.
      const key = question.grants.join("\n");
      const pending = asked.get(key) ?? approve(question).finally(() => asked.delete(key));
      asked.set(key, pending);
      return { approved: await pending };
    },
    readFile: (params) => readFile(params, own),
    readFolder,
    writeFile,
    secretNames: () => ({ names: workspace.isTrusted ? secrets.names() : [] }),
    readSecrets: async ({ names }) => ({ values: workspace.isTrusted ? await secrets.read(names) : {} }),
  };
}

async function askForHost({ host, endpoint, origin, values }: ApproveHostParams): Promise<boolean> {
  const allow = l10n.t("Allow");
  const choice = await window.showWarningMessage(
    values.length === 0
      ? l10n.t("Send requests to {0}?", host)
      : l10n.t("Send requests to {0}, with {1}?", host, values.join(", ")),
    {
      modal: true,
      detail: l10n.t(
        'The endpoint "{0}" is named by {1}. You are asked once for each host of this workspace.',
        endpoint,
        origin,
      ),
    },
    allow,
  );
  return choice === allow;
}

/** In a workspace that is not trusted, files outside of it stay closed. */
async function readFile({ uri }: ReadFileParams, own: Uri): Promise<ReadFileResult> {
  const file = Uri.parse(uri);
  const mayRead = workspace.isTrusted || workspace.getWorkspaceFolder(file) !== undefined || uri === own.toString();
  if (!mayRead) return null;
  try {
    return { base64: base64(await workspace.fs.readFile(file)) };
  } catch {
    return null; // there is no such file, or it may not be read
  }
}

/** Snapshots are the only files that the server writes, and a person has asked for each. */
async function writeFile({ uri, text }: WriteFileParams): Promise<WriteFileResult> {
  const file = Uri.parse(uri);
  if (!workspace.isTrusted || !file.path.endsWith(snapshotSuffix)) return { written: false };
  try {
    await workspace.fs.writeFile(file, new TextEncoder().encode(text));
    return { written: true };
  } catch {
    return { written: false }; // there is no such folder, or it may not be written
  }
}

const snapshotSuffix = ".rpc.snapshot.json";

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
 * Says, before a run, why it will send nothing. The server refuses by itself; this offers the way out.
 *
 * @returns Whether the workspace is trusted.
 */
export function remindOfTrust(): boolean {
  if (workspace.isTrusted) return true;
  const manage = l10n.t("Manage Workspace Trust");
  const message = l10n.t("This workspace is not trusted, so no request is sent.");
  void window.showWarningMessage(message, manage).then((choice) => {
    if (choice === manage) void commands.executeCommand("workbench.trust.manage");
  });
  return false;
}
