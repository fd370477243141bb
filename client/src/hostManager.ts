import type { QuickPickItem } from "vscode";
import { Disposable, l10n, QuickPickItemKind, ThemeIcon, window } from "vscode";
import type { Approvals } from "./approvals.ts";
import type { Server } from "./languageClient.ts";
import { inform } from "./messages.ts";
import { labelText } from "./plainText.ts";

interface Entry extends QuickPickItem {
  /** The grants that the entry revokes. */
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
export function followRevocations(approvals: Approvals, server: Pick<Server, "onStarted" | "restart">): Disposable {
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
    await approvals.revoke(...grants);
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
