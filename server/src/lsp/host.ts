import { type Connection, MessageType } from "vscode-languageserver";
import { bytesOf } from "../base/compression.ts";
import { untilAborted } from "../base/deadline.ts";
import type {
  Consent,
  CostQuestion,
  Files,
  HostQuestion,
  Log,
  LookupQuestion,
  MethodQuestion,
  ReadTable,
  Secrets,
  WriteFault,
  WriteQuestion,
  Written,
} from "../base/ports.ts";
import { oneLine } from "../base/text.ts";
import { folderUri, parentFolder, uriKey } from "../base/uri.ts";
import { isWriteFaultReason } from "../files/writeFaults.ts";
import type {
  ReadFileParams,
  ReadFileResult,
  ReadFolderParams,
  ReadFolderResult,
  ReadSecretsParams,
  ReadSecretsResult,
  SecretNamesResult,
  WriteFileParams,
  WriteFileResult,
} from "../protocol/host.ts";
import type { CellRedrawn } from "../protocol/runs.ts";
import type { Settings } from "../protocol/settings.ts";
import type { OpenTracer } from "../trace/task.ts";
import type { Host, Network, Platform } from "../workspace/host.ts";
import { type Client, isObject } from "./client.ts";
import { ask, sendable, showMessage } from "./messages.ts";

/** The ports that a main opens. The editor at the other end is the rest of a host. */
export interface Ports extends Network, Platform {
  /** In place of a tracer on a platform that has no files: returns one that takes its code from the editor. */
  tracerFrom?(code: ReadTable): OpenTracer;
  /** Called when settings change, those of proxies among them. */
  configure?(settings: Settings): void;
}

export interface EditorHost extends Host {
  readonly files: RecordedFiles;
}

export function hostOf(
  connection: Connection,
  client: Client,
  ports: Ports,
  changed: Host["changed"],
  hinted: () => void,
): EditorHost {
  const {
    trusted = true,
    readsFiles,
    signatures,
    traceCode,
    keepsSecrets,
    approvedHosts = [],
    lastNotebook,
    settings = {},
    version,
  } = client.options;
  const textAt = (uri: string | undefined): ReadTable | undefined =>
    uri === undefined ? undefined : editorText(editorFiles(connection, ports.files), uri);
  const code = textAt(traceCode);
  return {
    transport: ports.transport,
    sockets: ports.sockets,
    clock: ports.clock,
    files: recorded(readsFiles ? editorFiles(connection, ports.files) : ports.files),
    signatures: ports.signatures ?? textAt(signatures),
    cache: ports.cache,
    downloads: ports.downloads,
    environment: ports.environment,
    openTracer: ports.openTracer ?? (code && ports.tracerFrom?.(code)),
    readCode: ports.readCode,
    secrets: keepsSecrets ? editorSecrets(connection) : undefined,
    consent: editorConsent(connection, client),
    log: logOf(connection),
    version,
    roots: client.roots,
    trusted,
    settings,
    approvedHosts,
    lastNotebook,
    changed,
    hinted,
    ...(client.options.redrawsResults && {
      redrawn({ cell, output }: CellRedrawn) {
        const event: CellRedrawn = { cell, output: sendable(output) };
        void connection.sendNotification("rpcNotebook/cellRedrawn", event).catch(() => {}); // the connection is closed
      },
    }),
    notify: (text) => showMessage(connection, MessageType.Warning, text),
    watchesChanged(event) {
      void connection.sendNotification("rpcNotebook/watchesChanged", event).catch(() => {}); // the connection is closed
    },
  };
}

/** Characters of a line in the log. */
const maxLoggedCharacters = 10_000;

export function logOf({ console }: Connection): Log {
  return {
    info: (message) => console.info(oneLine(message, maxLoggedCharacters)),
    warn: (message) => console.warn(oneLine(message, maxLoggedCharacters)),
    error: (message) => console.error(oneLine(message, maxLoggedCharacters)),
  };
}

/** Files that remember which ones were read. */
export interface RecordedFiles extends Files {
  /** Whether this file, existing or not, or the list of its folder was read. */
  wasRead(uri: string): boolean;
}

function recorded(files: Files): RecordedFiles {
  const uris = new Set<string>();
  const folders = new Set<string>();
  const { list } = files;
  const key = (uri: string): string => uriKey(uri, files);
  return {
    ...files,
    read(uri) {
      uris.add(key(uri));
      return files.read(uri);
    },
    ...(list && {
      list: (uri: string, versions?: boolean) => {
        folders.add(key(uri));
        return list(uri, versions);
      },
    }),
    wasRead(uri) {
      const file = key(uri);
      const folder = parentFolder(file);
      return uris.has(file) || folders.has(folder) || folders.has(parentFolder(folder)); // the folder itself may be new
    },
  };
}

/** @param disk - Writes files of this machine. An editor may not be able to replace a file in one step. */
function editorFiles(connection: Connection, disk: Files): Files {
  const onDisk = async <T>(uri: string, work: (() => Promise<T>) | undefined): Promise<T | undefined> =>
    uri.startsWith("file:") ? work?.() : undefined;
  const { grow, leadsOut, part, remove, sizeOf, writeFault } = disk;
  return {
    ignoresCase: disk.ignoresCase,
    grow: async (uri, within) => (await onDisk(uri, grow && (() => grow(uri, within)))) ?? unsupported,
    leadsOut: async (uri, folders) => (await onDisk(uri, leadsOut && (() => leadsOut(uri, folders)))) ?? false,
    writeFault: (uri, within) => onDisk(uri, writeFault && (() => writeFault(uri, within))),
    part: (uri, start, end) => onDisk(uri, part && (() => part(uri, start, end))),
    remove: async (uri, content) =>
      (await onDisk(uri, remove && (() => remove(uri, content)))) ?? { kind: "failed", ...unsupported },
    sizeOf: (uri) => onDisk(uri, sizeOf && (() => sizeOf(uri))),
    async read(uri) {
      const params: ReadFileParams = { uri };
      const answer = await answerOr(connection.sendRequest<ReadFileResult>("rpcNotebook/readFile", params), null);
      return typeof answer?.base64 === "string" ? bytesOf(answer.base64) : undefined;
    },
    async write(uri, replacement) {
      if (disk.write && uri.startsWith("file:")) return disk.write(uri, replacement);
      const { before = null, text } = replacement;
      const params: WriteFileParams = { uri, before, text };
      const request = connection.sendRequest<WriteFileResult | null>("rpcNotebook/writeFile", params);
      return writtenOf(await answerOr(request, null));
    },
    async list(uri) {
      const params: ReadFolderParams = { uri: folderUri(uri) };
      const answer = await answerOr(connection.sendRequest<ReadFolderResult>("rpcNotebook/readFolder", params), null);
      return answer?.entries;
    },
  };
}

const unsupported: WriteFault = { reason: "unsupported", detail: "" };

/** Checks the shape of the answer. */
function writtenOf(answer: WriteFileResult | null): Written {
  if (answer?.kind === "written" || answer?.kind === "changed") return { kind: answer.kind };
  if (answer?.kind !== "failed") return { kind: "failed", ...unsupported };
  const { reason, detail } = answer;
  return { kind: "failed", reason: isWriteFaultReason(reason) ? reason : "other", detail: String(detail) };
}

function editorSecrets(connection: Connection): Secrets {
  return {
    async names() {
      const answer = await answerOr(connection.sendRequest<SecretNamesResult | null>("rpcNotebook/secretNames"), null);
      return Array.isArray(answer?.names) ? answer.names.filter((name) => typeof name === "string") : [];
    },
    async read(names) {
      const params: ReadSecretsParams = { names };
      const answer = await answerOr(
        connection.sendRequest<ReadSecretsResult | null>("rpcNotebook/readSecrets", params),
        null,
      );
      const entries = isObject(answer?.values) ? Object.entries(answer.values) : [];
      return new Map(entries.filter((entry) => typeof entry[1] === "string"));
    },
  };
}

function editorText(files: Files, uri: string): ReadTable {
  return async () => {
    const bytes = await files.read(uri);
    return bytes && new TextDecoder().decode(bytes);
  };
}

/** Returns the other answer if the client disconnects or answers with an error. */
async function answerOr<Answer>(answer: Promise<Answer>, otherwise: Answer): Promise<Answer> {
  return answer.catch(() => otherwise);
}

function editorConsent(connection: Connection, client: Client): Consent {
  /** @param answers - Those of the buttons that mean yes. */
  const answerTo = async <Answer>(
    method: string,
    question: HostQuestion | WriteQuestion | MethodQuestion | CostQuestion | LookupQuestion,
    answers: readonly Answer[],
    signal: AbortSignal,
  ): Promise<Answer | undefined> => {
    const { question: text, detail, yes, no } = question.words;
    const answer = client.options.approvesHosts
      ? connection.sendRequest<Approved>(`rpcNotebook/${method}`, question).then((one) => one?.approved)
      : ask(connection, "warning", [text, ...detail].join(" "), ...yes, no).then(
          (chosen = no) => answers[yes.indexOf(chosen)],
        );
    const given = await untilAborted(answerOr(answer, undefined), signal);
    return answers.find((one) => one === given);
  };
  return {
    allowHost: async (question, signal) => (await answerTo("approveHost", question, [true], signal)) ?? false,
    allowWrites: async (question, signal) => (await answerTo("approveWrites", question, [true], signal)) ?? false,
    allowCost: async (question, signal) => (await answerTo("approveCost", question, [true], signal)) ?? false,
    allowMethods: async (question, signal) =>
      (await answerTo("approveMethods", question, ["once", "always"] as const, signal)) ?? "no",
    allowLookup: async (question, signal) =>
      (await answerTo("approveLookup", question, ["once", "workspace", "always", "never"] as const, signal)) ?? "no",
  };
}

/** An answer of the editor, whose shape is not checked yet. */
type Approved = { readonly approved?: unknown } | null;
