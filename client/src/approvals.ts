import { Disposable, l10n, type Memento, type QuickPickItem, QuickPickItemKind, ThemeIcon, Uri, window } from "vscode";
import { parseJson } from "../../server/src/base/json.ts";
import type { Server } from "./languageClient.ts";
import { complain, inform } from "./messages.ts";
import { labelText } from "./plainText.ts";
import { replaceFile, textOf } from "./replaceFile.ts";

/** Approvals of a person, from all sessions and windows: hosts, and values that may be sent to them. */
export type Approvals = ReturnType<typeof allApprovals>;

/** Puts together the approvals of this workspace and those of all workspaces. */
export function allApprovals(here: Store, everywhere: Store) {
  return {
    list: (): readonly string[] => [...new Set([...here.list(), ...everywhere.list()])],
    /**
     * Reads them again: another window may have changed them.
     *
     * @returns Whether some have been revoked since they were read last.
     */
    read: async (): Promise<boolean> => (await Promise.all([here.read(), everywhere.read()])).includes(true),
    /** Also for a host that a person types: that is an approval. Lasts for this session if it cannot be written. */
    add: here.add,
    addEverywhere: everywhere.add,
    async revoke(...gone: readonly string[]): Promise<void> {
      await Promise.all([here.revoke(...gone), everywhere.revoke(...gone)]);
    },
  };
}

type Store = ReturnType<typeof approvals>;

/** Where earlier versions kept them, and where they are if no workspace is open. */
const stateKey = "approvedHosts";

/** Attempts to change the file. Another one is needed each time that another window was faster. */
const maxAttempts = 20;

/**
 * Keeps approvals in a file. Each window has a copy of `workspaceState` and writes back all of it, also what another window has
 * revoked.
 *
 * @param folder - Where the extension stores data, for the workspace or for all; `undefined` if no workspace is open.
 */
export function approvals(memory: Memento, folder: Uri | undefined) {
  const file = folder && Uri.joinPath(folder, "approvals.json");
  const stored = (text: string | null): readonly string[] =>
    grantsIn(text === null ? memory.get<unknown>(stateKey) : parseJson(text));
  let grants = stored(null);
  let last: Promise<unknown> = Promise.resolve();
  /** One after the other: what is read while a person revokes something would bring it back. */
  const inTurn = <T>(action: () => Promise<T>): Promise<T> => {
    const result = last.then(action);
    last = result.catch(() => undefined);
    return result;
  };
  const write = async (next: (grants: readonly string[]) => readonly string[]): Promise<void> => {
    grants = next(grants);
    if (!file) return memory.update(stateKey, grants);
    for (let attempts = 0; attempts < maxAttempts; attempts++) {
      const before = await textOf(file);
      const after = next(stored(before));
      if (!(await replaceFile(file, JSON.stringify(after), async () => (await textOf(file)) === before))) continue;
      grants = after;
      return memory.update(stateKey, undefined);
    }
    throw new Error("Other windows change the approvals all the time.");
  };
  const change = (next: (grants: readonly string[]) => readonly string[]): Promise<void> => {
    grants = next(grants);
    return inTurn(() => write(next));
  };
  return {
    list: () => grants,
    read: (): Promise<boolean> =>
      inTurn(async () => {
        const before = grants;
        if (file) grants = await textOf(file).then(stored, () => grants);
        return before.some((grant) => !grants.includes(grant));
      }),
    add: (...more: readonly string[]): Promise<void> =>
      change((all) => [...new Set([...all, ...more])]).catch(() => undefined),
    revoke: (...gone: readonly string[]): Promise<void> =>
      change((all) => all.filter((grant) => !gone.includes(grant))),
  };
}

function grantsIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((grant) => typeof grant === "string") : [];
}

interface Entry extends QuickPickItem {
  readonly grants: readonly string[];
}

/**
 * Lists what a person has approved in this workspace. Each approval can be revoked.
 *
 * @param revoked - Called at the end if something was revoked: the server knows approvals from its start.
 */
export async function manageHosts(approvals: Approvals, revoked: () => Promise<void>): Promise<void> {
  await approvals.read();
  if (approvals.list().length === 0) {
    void inform(
      l10n.t("Nothing is approved in this workspace. RPC Notebook asks before it sends requests to a new host."),
    );
    return;
  }
  if (await revokeSome(approvals)) await revoked();
}

/**
 * Restarts the server when this window gets the focus and another window of the workspace has revoked something: the server
 * knows approvals from its start.
 */
export function followRevocations(approvals: Approvals, server: Server): Disposable {
  let isStarted = false;
  return Disposable.from(
    server.onStarted(() => {
      isStarted = true;
    }),
    window.onDidChangeWindowState(async ({ focused }) => {
      if (focused && (await approvals.read()) && isStarted) await server.restart();
    }),
  );
}

/** @returns Whether something was revoked. */
function revokeSome(approvals: Approvals): Promise<boolean> {
  const box = window.createQuickPick<Entry>();
  const show = (): void => {
    box.items = entriesOf(approvals.list());
    if (approvals.list().length === 0) box.hide();
  };
  let hasRevoked = false;
  const revoke = async ({ grants }: Entry): Promise<void> => {
    hasRevoked = true;
    await approvals.revoke(...grants).catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error);
      void complain(l10n.t("Revoked for this session only: it could not be written. {0}", reason));
    });
    show();
  };
  box.title = l10n.t("Approved hosts and methods");
  box.placeholder = l10n.t("Choose what to revoke. Close with Escape.");
  box.matchOnDescription = true;
  box.ignoreFocusOut = true;
  return new Promise((resolve) => {
    box.onDidTriggerItemButton(({ item }) => revoke(item));
    box.onDidAccept(() => {
      const [entry] = box.selectedItems;
      if (entry) void revoke(entry);
    });
    box.onDidHide(() => {
      box.dispose();
      resolve(hasRevoked);
    });
    show();
    box.show();
  });
}

/** One entry for each grant, by site; revoking a site revokes everything for it. */
function entriesOf(grants: readonly string[]): readonly Entry[] {
  const entries = grants.toSorted().map((grant) => entry(grant, grants));
  const everything: Entry = { label: `$(trash) ${l10n.t("Revoke everything")}`, grants };
  return [...entries, { label: "", kind: QuickPickItemKind.Separator, grants: [] }, everything];
}

function entry(grant: string, all: readonly string[]): Entry {
  const [, ...rest] = grant.split(" ");
  const [kind, ...method] = rest;
  const site = siteIn(grant);
  const host = site === "*" ? l10n.t("every host") : labelText(site);
  const buttons = [{ iconPath: new ThemeIcon("trash"), tooltip: l10n.t("Revoke") }];
  if (kind === undefined) {
    const ofSite = all.filter((one) => siteIn(one) === site);
    const description =
      ofSite.length === 1 ? l10n.t("may receive requests") : l10n.t("may receive requests and what is listed below");
    return { label: `$(globe) ${host}`, description, buttons, grants: ofSite };
  }
  if (kind === "lookup" || kind === "no-lookup") {
    const may =
      kind === "lookup" ? l10n.t("may be looked up at {0}", host) : l10n.t("are never looked up at {0}", host);
    return { label: `$(search) ${l10n.t("Contracts in results")}`, description: may, buttons, grants: [grant] };
  }
  const isMethod = kind === "method";
  return {
    label: isMethod ? `$(symbol-method) ${labelText(method.join(" "))}` : `$(key) ${labelText(rest.join(" "))}`,
    description: l10n.t("may be sent to {0}", host),
    buttons,
    grants: [grant],
  };
}

function siteIn(grant: string): string {
  return grant.split(" ")[0] ?? "";
}
