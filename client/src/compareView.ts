import { type CancellationToken, commands, Disposable, EventEmitter, l10n, Uri, window, workspace } from "vscode";
import type { WireFormParams } from "../../server/src/protocol/conversion.ts";
import type { ComparedPair, CompareResult } from "../../server/src/protocol/endpoints.ts";
import type { EndpointPicker } from "./endpointPicker.ts";
import type { Server } from "./languageClient.ts";
import { inform, showProgress } from "./messages.ts";
import { compareScheme } from "./names.ts";
import { labelText } from "./plainText.ts";
import type { TextView } from "./textView.ts";

export type CompareView = ReturnType<typeof compareView>;

/** Compares the answers of a cell at several blocks in a diff editor. */
export function compareView(server: Server, picker: EndpointPicker, textView: TextView) {
  const texts = new Map<string, string>();
  const changed = new EventEmitter<Uri>();
  const provider = workspace.registerTextDocumentContentProvider(compareScheme, {
    onDidChange: changed.event,
    provideTextDocumentContent: ({ path }) => texts.get(path) ?? "",
  });
  const offer = ({ name, text }: ComparedPair["before"]): Uri => {
    const uri = Uri.from({ scheme: compareScheme, path: `/${name}` });
    texts.set(uri.path, text);
    changed.fire(uri);
    return uri;
  };
  return Object.assign(Disposable.from(provider, changed), {
    async compare(document: Uri, cell: WireFormParams): Promise<void> {
      const title = l10n.t("Comparing at pending, latest, safe and finalized");
      const compared = (token: CancellationToken): Promise<CompareResult> =>
        server.request("rpcNotebook/compare", cell, token).catch(() => null); // the client has logged why
      const result = await picker.withEndpoint(document, () => showProgress(title, compared));
      if (!result) return;
      const { pairs, ok, text, reports } = result;
      if (pairs.length === 0) {
        const summary = reports[0]?.summary ?? "";
        if (ok) void inform(l10n.t("Compared at pending, latest, safe and finalized: {0}.", summary));
        else await textView.show(text);
        return;
      }
      const pair = await pickPair(pairs);
      if (!pair) return;
      const name = `${reports[0]?.title ?? ""}: ${namesOf(pair)}`;
      await commands.executeCommand("vscode.diff", offer(pair.before), offer(pair.after), name, { preview: true });
    },
  });
}

function namesOf({ before, after }: ComparedPair): string {
  return labelText(`${before.name} ↔ ${after.name}`);
}

function valuesOf({ before, after }: ComparedPair): string {
  return `${labelText(before.value, 100)} ↔ ${labelText(after.value, 100)}`;
}

/** Asks which answers to show if more than two differ. */
async function pickPair(pairs: readonly ComparedPair[]): Promise<ComparedPair | undefined> {
  if (pairs.length < 2) return pairs[0];
  const items = pairs.map((pair) => ({ label: namesOf(pair), detail: valuesOf(pair), pair }));
  return (await window.showQuickPick(items, { title: l10n.t("Answers That Differ"), matchOnDetail: true }))?.pair;
}
