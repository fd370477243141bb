import { l10n } from "vscode";
import type { Server } from "./languageClient.ts";
import { askInWords, complain, inform, showProgress } from "./messages.ts";

/** Downloads the ERC-7730 registry, after a person has agreed to the host, the commit and the size. */
export async function getRegistry(server: Server): Promise<void> {
  const found = await server.request("rpcNotebook/registry", undefined);
  if (!found) {
    void complain(l10n.t("A browser cannot download the registry. Put a copy of it into the project instead."));
    return;
  }
  const { words, host } = found;
  if ((await askInWords(words)) < 0) return;
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
