import type { Connection, InitializeParams } from "vscode-languageserver";
import type { InitializationOptions, Settings } from "../protocol/settings.ts";
import type { Encoding } from "./positions.ts";

/** Kinds of answers that an editor can be told to ask for again. */
type Refreshable = "codeLens" | "inlayHint" | "semanticTokens" | "diagnostics" | "results";

/** Capabilities of the editor at the other end, as far as the server uses them. */
export interface Client {
  /** URIs of the folders that are open at the start. */
  readonly roots: readonly string[];
  /** Says when folders are opened and closed. */
  readonly changesFolders: boolean;
  readonly options: InitializationOptions;
  readonly encoding: Encoding;
  readonly pullsDiagnostics: boolean;
  readonly refreshes: ReadonlySet<Refreshable>;
  readonly takesSnippets: boolean;
  /** Shows a signature and a source beside the label of a completion. */
  readonly showsLabelDetails: boolean;
  /** Takes one range for all completions of a list. */
  readonly takesSharedRange: boolean;
  /** Replaces text after the cursor with a completion. Neovim replaces only the text before it. */
  readonly replacesPastCursor: boolean;
  /** Asks for the documentation of a completion when it is selected. */
  readonly resolvesDocumentation: boolean;
  readonly readsMarkdown: { readonly completion: boolean; readonly hover: boolean; readonly signature: boolean };
  /** Takes parameters as ranges of a signature's label; otherwise as words of it. */
  readonly takesLabelOffsets: boolean;
  readonly takesVersionedEdits: boolean;
  /** Takes code actions as more than commands. */
  readonly takesActions: boolean;
  readonly showsLenses: boolean;
  /** Answers `window/showDocument`. */
  readonly showsDocuments: boolean;
  readonly nestsSymbols: boolean;
  readonly asksBeforeRename: boolean;
  /** Answers `workspace/configuration`. */
  readonly answersConfiguration: boolean;
  readonly watchesFiles: boolean;
  readonly watchesSettings: boolean;
}

export function clientOf(params: InitializeParams): Client {
  const { initializationOptions, workspaceFolders, rootUri } = params;
  const { textDocument, workspace, general, window } = params.capabilities ?? {}; // an editor may leave them out
  const options = optionsOf(initializationOptions);
  const item = textDocument?.completion?.completionItem;
  const signature = textDocument?.signatureHelp?.signatureInformation;
  return {
    roots: workspaceFolders?.map(({ uri }) => uri) ?? (rootUri ? [rootUri] : []),
    changesFolders: workspace?.workspaceFolders === true,
    options,
    encoding: general?.positionEncodings?.find(isEncoding) ?? "utf-16",
    pullsDiagnostics: textDocument?.diagnostic !== undefined && options.takesPushedProblems !== true,
    refreshes: new Set([
      ...refreshable.filter((kind) => workspace?.[kind]?.refreshSupport === true),
      ...(options.marksStaleResults ? (["results"] as const) : []),
    ]),
    takesSnippets: item?.snippetSupport === true,
    showsLabelDetails: item?.labelDetailsSupport === true,
    takesSharedRange: textDocument?.completion?.completionList?.itemDefaults?.includes("editRange") === true,
    replacesPastCursor: params.clientInfo?.name !== "Neovim",
    resolvesDocumentation: item?.resolveSupport?.properties.includes("documentation") === true,
    readsMarkdown: {
      completion: readsMarkdown(item?.documentationFormat),
      hover: readsMarkdown(textDocument?.hover?.contentFormat),
      signature: readsMarkdown(signature?.documentationFormat),
    },
    takesLabelOffsets: signature?.parameterInformation?.labelOffsetSupport === true,
    takesVersionedEdits: workspace?.workspaceEdit?.documentChanges === true,
    takesActions: textDocument?.codeAction?.codeActionLiteralSupport !== undefined,
    showsLenses: textDocument?.codeLens !== undefined,
    showsDocuments: window?.showDocument?.support === true,
    nestsSymbols: textDocument?.documentSymbol?.hierarchicalDocumentSymbolSupport === true,
    asksBeforeRename: textDocument?.rename?.prepareSupport === true,
    answersConfiguration: workspace?.configuration === true,
    watchesFiles: workspace?.didChangeWatchedFiles?.dynamicRegistration === true,
    watchesSettings: workspace?.didChangeConfiguration?.dynamicRegistration === true,
  };
}

const refreshable: readonly Exclude<Refreshable, "results">[] = [
  "codeLens",
  "inlayHint",
  "semanticTokens",
  "diagnostics",
];
const encodings: readonly string[] = ["utf-16", "utf-8", "utf-32"] satisfies readonly Encoding[];

function isEncoding(name: string): name is Encoding {
  return encodings.includes(name);
}

/** Returns `true` for an editor that does not say: most show Markdown. */
function readsMarkdown(formats: readonly string[] | undefined): boolean {
  return formats === undefined || formats.includes("markdown");
}

/** Tells the editor to ask again for what it shows. */
export type Refresh = (...kinds: readonly Refreshable[]) => void;

/** Sends one request of each kind at a time. Calls meanwhile are joined into one request after it. */
export function refresher(connection: Connection, { refreshes }: Client): Refresh {
  const pending = new Set<Refreshable>();
  let isSending = false;
  const sendAll = async (): Promise<void> => {
    if (isSending) return;
    isSending = true;
    while (pending.size > 0) {
      const kinds = [...pending];
      pending.clear();
      // An editor that refuses, or has closed the connection, needs no refresh.
      await Promise.allSettled(kinds.map((kind) => connection.sendRequest(requests[kind])));
    }
    isSending = false;
  };
  return (...kinds) => {
    for (const kind of kinds) if (refreshes.has(kind)) pending.add(kind);
    void sendAll();
  };
}

const requests: Readonly<Record<Refreshable, string>> = {
  codeLens: "workspace/codeLens/refresh",
  inlayHint: "workspace/inlayHint/refresh",
  semanticTokens: "workspace/semanticTokens/refresh",
  diagnostics: "workspace/diagnostic/refresh",
  results: "rpcNotebook/refreshResults",
};

/** Reads the options that an editor sends at the start. Leaves out members of the wrong type. */
export function optionsOf(value: unknown): InitializationOptions {
  const { trusted, readsFiles, approvesHosts, signatures, traceCode, runsCells, marksStaleResults, redrawsResults } =
    members(value);
  const { keepsSecrets, namesAddresses, takesPushedProblems, approvedHosts, lastNotebook, settings, docs, version } =
    members(value);
  return {
    ...(typeof trusted === "boolean" && { trusted }),
    ...(typeof readsFiles === "boolean" && { readsFiles }),
    ...(isString(signatures) && URL.canParse(signatures) && { signatures }),
    ...(isString(traceCode) && URL.canParse(traceCode) && { traceCode }),
    ...(typeof approvesHosts === "boolean" && { approvesHosts }),
    ...(typeof runsCells === "boolean" && { runsCells }),
    ...(typeof marksStaleResults === "boolean" && { marksStaleResults }),
    ...(typeof redrawsResults === "boolean" && { redrawsResults }),
    ...(typeof takesPushedProblems === "boolean" && { takesPushedProblems }),
    ...(typeof keepsSecrets === "boolean" && { keepsSecrets }),
    ...(typeof namesAddresses === "boolean" && { namesAddresses }),
    ...(Array.isArray(approvedHosts) && { approvedHosts: approvedHosts.filter(isString) }),
    ...(isString(lastNotebook) && URL.canParse(lastNotebook) && { lastNotebook }),
    ...(isObject(settings) && { settings: settingsOf(settings) }),
    ...(isString(version) && { version }),
    ...(isString(docs) && URL.canParse(docs) && { docs }),
  };
}

/** Reads settings by section, as people write them into their editors. */
export function settingsOf(value: unknown): Settings {
  const { rpcNotebook, http, workspace } = members(value);
  const { timeout, maxResponseSize, openrpc, descriptors, tokenLookup, liveHints, readMethods, lookupHost } =
    members(rpcNotebook);
  const { proxy, noProxy, proxyStrictSSL } = members(http);
  return {
    rpcNotebook: {
      ...endpointSettings(rpcNotebook),
      ...(Array.isArray(readMethods) && { readMethods: readMethods.filter(isString) }),
      ...(isAmount(timeout) && { timeout }),
      ...(isAmount(maxResponseSize) && { maxResponseSize }),
      ...(isString(lookupHost) && { lookupHost }),
      ...(typeof tokenLookup === "boolean" && { tokenLookup }),
      ...((liveHints === "off" || liveHints === "on" || liveHints === "always") && { liveHints }),
      ...(Array.isArray(openrpc) && { openrpc: openrpc.filter(isString) }),
      ...(Array.isArray(descriptors) && { descriptors: descriptors.filter(isString) }),
    },
    http: {
      ...(isString(proxy) && { proxy }),
      ...(Array.isArray(noProxy) && { noProxy: noProxy.filter(isString) }),
      ...(typeof proxyStrictSSL === "boolean" && { proxyStrictSSL }),
    },
    ...(isObject(workspace) && { workspace: endpointSettings(workspace) }),
  };
}

function endpointSettings(value: unknown): NonNullable<Settings["workspace"]> {
  const { endpoint, endpoints } = members(value);
  return { ...(isString(endpoint) && { endpoint }), ...(isObject(endpoints) && { endpoints }) };
}

function members(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {};
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isString(value: unknown): value is string {
  return typeof value === "string";
}

function isAmount(value: unknown): value is number {
  return typeof value === "number" && value > 0;
}
