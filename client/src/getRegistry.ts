import { l10n } from "vscode";
import type { Server } from "./languageClient.ts";
import { ask, complain, inform, showProgress } from "./messages.ts";

/** Downloads the ERC-7730 registry, after a person has agreed to the host, the commit and the size. */
export async function getRegistry(server: Server): Promise<void> {
  const found = await server.request("rpcNotebook/registry", undefined);
  if (!found) {
    void complain(l10n.t("A browser cannot download the registry. Put a copy of it into the project instead."));
    return;
  }
  const { host, commit, date, bytes, have } = found;
  const megabytes = (bytes / 1e6).toFixed(1);
  const detail = l10n.t(
    "This downloads the ERC-7730 registry as it was on {0} (commit {1}), {2} MB, from {3}, and keeps it on this machine. Its descriptors describe calls in words. Nothing else is sent.",
    date,
    commit.slice(0, 10),
    megabytes,
    host,
  );
  const download = l10n.t("Download from {0}", host);
  const question = have ? questionAbout(have, commit) : l10n.t("Get the registry of descriptors?");
  if ((await ask(question, detail, download)) !== download) return;
  const { descriptors, problem } = await showProgress(l10n.t("Getting the registry from {0}", host), (token) =>
    server.request("rpcNotebook/getRegistry", undefined, token),
  );
  if (descriptors !== undefined) {
    void inform(l10n.t("The registry is ready: {0} descriptors.", String(descriptors)));
    return;
  }
  const again = l10n.t("Try Again"); // VS Code cuts the text of a message that has no button
  const choice = await complain(problem ?? l10n.t("The registry could not be downloaded."), again);
  if (choice === again) await getRegistry(server);
}

function questionAbout({ date, commit }: { readonly date: string; readonly commit: string }, offered: string): string {
  const days = String(Math.floor((Date.now() - Date.parse(date)) / 86_400_000));
  return commit === offered
    ? l10n.t(
        "You have the registry of {0}, {1} days old. This version knows no newer one. Download it again?",
        date,
        days,
      )
    : l10n.t("You have the registry of {0}, {1} days old. Download a newer one?", date, days);
}
