import type { Uri } from "vscode";
import { Disposable, l10n, StatusBarAlignment, window, workspace } from "vscode";
import type { EndpointsResult } from "../../server/src/protocol/endpoints.ts";
import { activeSource } from "./active.ts";
import type { EndpointPicker } from "./endpointPicker.ts";
import type { Server } from "./languageClient.ts";
import { labelText } from "./plainText.ts";

/** Milliseconds without a change after which the item is updated. */
const quietMs = 200;

/** Shows in the status bar where the requests of the active document would go. */
export function endpointStatus(server: Server, picker: EndpointPicker): Disposable & { refresh(): void } {
  const item = window.createStatusBarItem("rpcNotebook.endpoint", StatusBarAlignment.Right, 100);
  item.name = l10n.t("RPC Notebook: endpoint");
  item.command = "rpcNotebook.pickEndpoint";
  let timer: ReturnType<typeof setTimeout> | undefined;
  let shown: string | undefined;
  const update = async (): Promise<void> => {
    const document = activeSource();
    if (document === undefined) return;
    const result = await picker.ask(document);
    if (isStill(document)) show(result);
  };
  const show = ({ current, unusable }: EndpointsResult): void => {
    // An address without a name is its own name; the bar shows only its host.
    const written = current?.name.includes("://") ? current.host : (current ?? unusable)?.name;
    const name = written === undefined ? undefined : labelText(written, 60);
    const badge = current?.badge === undefined ? "" : ` · ${labelText(current.badge)}`;
    item.text = `$(${unusable ? "warning" : "plug"}) ${name ?? l10n.t("Choose endpoint")}${badge}`;
    item.tooltip =
      current === undefined
        ? labelText(unusable ? `${unusable.what} ${unusable.todo}` : noEndpoint(), 300)
        : [`${name} · ${current.host}`, current.source, current.why].map((line) => labelText(line)).join("\n");
    item.accessibilityInformation = { label: l10n.t("Endpoint: {0}", name ?? l10n.t("none")) };
    item.show();
  };
  const refresh = (): void => {
    const document = activeSource()?.toString();
    if (document !== shown) item.hide();
    shown = document;
    clearTimeout(timer);
    // Without a server the item stays as it is.
    timer = setTimeout(() => void update().catch(() => undefined), quietMs);
  };
  const listeners = [
    window.onDidChangeActiveNotebookEditor(refresh),
    window.onDidChangeActiveTextEditor(refresh),
    workspace.onDidChangeNotebookDocument((event) => isStill(event.notebook.uri) && refresh()),
    workspace.onDidChangeTextDocument((event) => isStill(event.document.uri) && refresh()),
    workspace.onDidChangeConfiguration((event) => event.affectsConfiguration("rpcNotebook") && refresh()),
    workspace.onDidGrantWorkspaceTrust(refresh),
    server.onStarted(refresh),
  ];
  refresh();
  return Object.assign(Disposable.from(item, ...listeners, new Disposable(() => clearTimeout(timer))), { refresh });
}

function noEndpoint(): string {
  return l10n.t("No endpoint is chosen. Nothing is sent until you choose one.");
}

function isStill(document: Uri): boolean {
  return activeSource()?.toString() === document.toString();
}
