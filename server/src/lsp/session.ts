import {
  type CancellationToken,
  type Connection,
  LSPErrorCodes,
  type Position,
  ResponseError,
} from "vscode-languageserver";
import type { Needs } from "../editor/languageFeatures.ts";
import type { ClientNotifications, Requests } from "../protocol/methods.ts";
import type { Service } from "../service/service.ts";
import type { Client } from "./client.ts";
import type { OpenDocuments } from "./documents.ts";
import { type Guard, signalOf } from "./guard.ts";
import type { RecordedFiles } from "./host.ts";
import type { OpenText } from "./positions.ts";

/** What an editor can do, and the files beside its texts. */
export interface FileSession {
  readonly client: Client;
  readonly files: RecordedFiles;
}

/** One editor and its service, for the handlers of requests. */
export interface Session extends FileSession {
  readonly connection: Connection;
  readonly service: Service;
  readonly documents: OpenDocuments;
  readonly guard: Guard;
}

/** Registers a handler. @param nothing - The answer when the handler fails. */
export function onRequest<Method extends keyof Requests>(
  { connection, guard }: Session,
  method: Method,
  nothing: Requests[Method][1],
  answer: (params: Requests[Method][0], signal: AbortSignal) => Requests[Method][1] | Promise<Requests[Method][1]>,
): void {
  const answered = guard<[Requests[Method][0], AbortSignal], Requests[Method][1]>(method, nothing, answer);
  connection.onRequest<unknown, void>(method, (params: Requests[Method][0], token: CancellationToken) =>
    answered(params, signalOf(token)),
  );
}

/** Registers a listener. */
export function onNotification<Method extends keyof ClientNotifications>(
  { connection, guard }: Session,
  method: Method,
  hear: (params: ClientNotifications[Method]) => void,
): void {
  connection.onNotification(method, guard<[ClientNotifications[Method]], void>(method, undefined, hear));
}

type About = { readonly textDocument: { readonly uri: string } };

/**
 * Wraps the handler of a request about one open text.
 *
 * A handler that waits may end when the text has another version. Its ranges would then be those of a text that the
 * editor no longer shows, and the position was one of that text, so the answer is the error `ContentModified`. Editors
 * discard that quietly, and ask again if they still need an answer.
 *
 * @param needs - What the answer is about, if something may have to be loaded for it.
 * @param typed - Answers all the same if since the request only so many characters were typed at its position.
 * @returns A handler that answers `null` about a text that the editor has not opened.
 * @see https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#errorCodes
 */
export function textRequest<Params extends About, Answer>(
  { guard, documents: { texts }, service }: Session,
  name: string,
  answer: (text: OpenText, params: Params, signal: AbortSignal) => Answer | Promise<Answer>,
  needs: (text: OpenText, params: Params) => Needs | undefined = () => undefined,
  typed?: (text: OpenText, params: Params, before: string) => Answer | undefined,
): (params: Params, token: CancellationToken) => Promise<Answer | null | ResponseError<void>> {
  return guard<[Params, CancellationToken], Answer | null | ResponseError<void>>(name, null, async (params, token) => {
    const { uri } = params.textDocument;
    const text = texts.get(uri);
    if (!text) return null;
    const { version } = text;
    const before = typed && text.text();
    const signal = signalOf(token);
    const ifUnchanged = <Result>(result: () => Result): Result | Answer | ResponseError<void> => {
      if (texts.get(uri) !== text) return contentModified;
      if (text.version === version) return result();
      return (before === undefined ? undefined : typed?.(text, params, before)) ?? contentModified;
    };
    const answerNow = () => {
      const result = answer(text, params, signal);
      return result instanceof Promise ? result.then((waited) => ifUnchanged(() => waited)) : result;
    };
    const loading = service.prepare(uri, needs(text, params));
    return loading ? loading.then(() => ifUnchanged(answerNow)) : answerNow();
  });
}

/** The place that a request is about, for {@link textRequest}. */
export function atPosition(text: OpenText, { position }: { readonly position: Position }): { readonly offset: number } {
  return { offset: text.offsetAt(position) };
}

const contentModified = new ResponseError<void>(LSPErrorCodes.ContentModified, "The document was edited.");
