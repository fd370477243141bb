import type { Connection } from "vscode-languageserver";
import { bytesOf } from "../base/base64.ts";
import type {
  Clock,
  Consent,
  Environment,
  Files,
  HostQuestion,
  Log,
  ReadSignatures,
  Secrets,
  Sockets,
  Transport,
  WriteQuestion,
} from "../base/ports.ts";
import { brief, listed } from "../base/text.ts";
import type { Host } from "../host.ts";
import type {
  ApproveHostParams,
  ApproveHostResult,
  ReadFileParams,
  ReadFileResult,
  ReadFolderParams,
  ReadFolderResult,
  ReadSecretsParams,
  ReadSecretsResult,
  SecretNamesResult,
  Settings,
  WriteFileParams,
  WriteFileResult,
} from "../protocol.ts";
import type { Client } from "./client.ts";
import { isObject } from "./options.ts";

/** What a main lends; the rest of a host is the editor at the other end. */
export interface Ports {
  readonly transport: Transport;
  readonly sockets?: Sockets;
  readonly files: Files;
  readonly clock: Clock;
  readonly signatures?: ReadSignatures;
  readonly environment?: Environment;
  /** Settings have changed, those of proxies among them. */
  configure?(settings: Settings): void;
}

export interface EditorHost extends Host {
  readonly files: NotedFiles;
}

export function hostOf(
  connection: Connection,
  client: Client,
  ports: Ports,
  { changed, hinted }: Pick<Host, "changed" | "hinted">,
): EditorHost {
  const { trusted = true, readsFiles, signatures, keepsSecrets, approvedHosts = [], settings = {} } = client.options;
  return {
    transport: ports.transport,
    sockets: ports.sockets,
    clock: ports.clock,
    files: noted(readsFiles ? editorFiles(connection) : ports.files),
    signatures: ports.signatures ?? (signatures === undefined ? undefined : editorText(connection, signatures)),
    environment: ports.environment,
    secrets: keepsSecrets ? editorSecrets(connection) : undefined,
    consent: editorConsent(connection, client),
    log: logOf(connection),
    roots: client.roots,
    trusted,
    settings,
    approvedHosts,
    changed,
    hinted,
    ticked(event) {
      void connection.sendNotification("rpcNotebook/ticked", event).catch(() => {}); // the editor is gone
    },
  };
}

export function logOf({ console }: Connection): Log {
  return {
    info: (message) => console.info(message),
    warn: (message) => console.warn(message),
    error: (message) => console.error(message),
  };
}

/** Files that remember what was asked for. */
export interface NotedFiles extends Files {
  /** Somebody has asked for this file, whether it was there or not, or for what is in its folder. */
  asked(uri: string): boolean;
}

function noted(files: Files): NotedFiles {
  const uris = new Set<string>();
  const folders = new Set<string>();
  const { list, write } = files;
  return {
    ...(write && { write }),
    read(uri) {
      uris.add(plainUri(uri));
      return files.read(uri);
    },
    ...(list && {
      list: (uri: string, versions?: boolean) => {
        folders.add(plainUri(uri));
        return list(uri, versions);
      },
    }),
    asked(uri) {
      const path = plainUri(uri);
      const folder = above(path);
      return uris.has(path) || folders.has(folder) || folders.has(above(folder)); // the folder itself may be new
    },
  };
}

function above(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf("/"), 0));
}

/** Editors differ in what they escape. */
function plainUri(uri: string): string {
  try {
    return decodeURIComponent(uri);
  } catch {
    return uri;
  }
}

function editorFiles(connection: Connection): Files {
  return {
    async read(uri) {
      const params: ReadFileParams = { uri };
      const answer = await asked(connection.sendRequest<ReadFileResult>("rpcNotebook/readFile", params), null);
      return typeof answer?.base64 === "string" ? bytesOf(answer.base64) : undefined;
    },
    async write(uri, text) {
      const params: WriteFileParams = { uri, text };
      const request = connection.sendRequest<WriteFileResult | null>("rpcNotebook/writeFile", params);
      return (await asked(request, null))?.written === true;
    },
    async list(uri) {
      const params: ReadFolderParams = { uri };
      const answer = await asked(connection.sendRequest<ReadFolderResult>("rpcNotebook/readFolder", params), null);
      return answer?.entries;
    },
  };
}

/** What the editor says is not trusted to have the right shape. */
function editorSecrets(connection: Connection): Secrets {
  return {
    async names() {
      const answer = await asked(connection.sendRequest<SecretNamesResult | null>("rpcNotebook/secretNames"), null);
      return Array.isArray(answer?.names) ? answer.names.filter((name) => typeof name === "string") : [];
    },
    async read(names) {
      const params: ReadSecretsParams = { names };
      const answer = await asked(
        connection.sendRequest<ReadSecretsResult | null>("rpcNotebook/readSecrets", params),
        null,
      );
      const entries = isObject(answer?.values) ? Object.entries(answer.values) : [];
      return new Map(entries.filter((entry) => typeof entry[1] === "string"));
    },
  };
}

function editorText(connection: Connection, uri: string): ReadSignatures {
  return async () => {
    const bytes = await editorFiles(connection).read(uri);
    return bytes && new TextDecoder().decode(bytes);
  };
}

/** A client that leaves while it is asked has said no. */
async function asked<Answer>(answer: Promise<Answer>, otherwise: Answer): Promise<Answer> {
  return answer.catch(() => otherwise);
}

function editorConsent(connection: Connection, client: Client): Consent {
  const ask = client.options.approvesHosts ? approveHost : askInMessage;
  return {
    allowHost: (question, signal) =>
      Promise.race([asked(ask(connection, question), false), aborted(signal).then(() => false)]),
    allowWrites: (question, signal) =>
      Promise.race([asked(askForWrites(connection, question), false), aborted(signal).then(() => false)]),
  };
}

async function approveHost(connection: Connection, question: HostQuestion): Promise<boolean> {
  const { host, endpoint, origin, values, grants } = question;
  const params: ApproveHostParams = { host, endpoint, origin, values, grants };
  const answer = await connection.sendRequest<ApproveHostResult | null>("rpcNotebook/approveHost", params);
  return answer?.approved === true;
}

async function askInMessage(connection: Connection, asked: HostQuestion): Promise<boolean> {
  const { host, endpoint, origin, values } = asked;
  const along = values.length === 0 ? "" : ` with ${listed(values)}`;
  const question = `Send requests${along} to ${host}? The endpoint "${endpoint}" is named by ${origin}.`;
  const answer = await connection.window.showWarningMessage(question, { title: "Allow" }, { title: "Don't allow" });
  return answer?.title === "Allow";
}

async function askForWrites(connection: Connection, { host, methods }: WriteQuestion): Promise<boolean> {
  const what = methods.map((method) => brief(method, 60)).join(", ");
  const question = `${what} can change things at ${host}. Send?`;
  const answer = await connection.window.showWarningMessage(question, { title: "Send" }, { title: "Don't send" });
  return answer?.title === "Send";
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
