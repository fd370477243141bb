import { l10n, type Uri } from "vscode";
import type { EndpointPicker } from "./endpointPicker.ts";
import { ask } from "./messages.ts";

/** Says how many requests a probe of a document's endpoint sends, and asks whether to send them. */
export async function confirmProbe(picker: Pick<EndpointPicker, "ask">, document: Uri): Promise<boolean> {
  const { current } = await picker.ask(document);
  if (current === undefined || current.badge !== undefined) return true; // there is nothing to send to
  const { name, host, probeRequests } = current;
  const probe = l10n.t("Probe");
  const detail = l10n.t(
    "This sends about {0} requests to {1} to find out what it supports. They only read.",
    String(probeRequests),
    host,
  );
  return (await ask(l10n.t("Probe {0}?", name), detail, probe)) === probe;
}
