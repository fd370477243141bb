import type { CancellationToken, Connection, Position } from "vscode-languageserver";
import type { Needs } from "../editor/languageFeatures.ts";
import type { Service } from "../service/service.ts";
import type { Client } from "./client.ts";
import type { Texts } from "./documents.ts";
import type { Guard } from "./guard.ts";
import type { NotedFiles } from "./host.ts";
import type { OpenText } from "./positions.ts";

/** What the handlers share. */
export interface Session {
  readonly connection: Connection;
  readonly client: Client;
  readonly service: Service;
  readonly texts: Texts;
  readonly files: NotedFiles;
  readonly guard: Guard;
  /** The notebook of a cell, by URI. */
  notebookOf(cellUri: string): string | undefined;
}

/**
 * A handler of requests about one text; answers nothing about texts that the editor has not opened. It answers in the
 * turn in which the request is read, unless there is something to load first.
 *
 * @param needs - What the answer is about, as far as something must be loaded for it.
 */
export function about<Params extends { readonly textDocument: { readonly uri: string } }, Answer>(
  { guard, texts, service }: Pick<Session, "guard" | "texts" | "service">,
  name: string,
  answer: (text: OpenText, params: Params, token: CancellationToken) => Answer | Promise<Answer>,
  needs: (text: OpenText, params: Params) => Needs | undefined = () => undefined,
): (params: Params, token: CancellationToken) => Promise<Answer | null> {
  return guard<[Params, CancellationToken], Answer | null>(name, null, (params, token) => {
    const textNow = (): OpenText | undefined => texts.get(params.textDocument.uri);
    const text = textNow();
    if (!text) return null;
    const loading = service.prepare(text.uri, needs(text, params));
    if (!loading) return answer(text, params, token);
    return loading.then(() => {
      const later = textNow();
      return later ? answer(later, params, token) : null;
    });
  });
}

/** The place that a request is about, for {@link about}. */
export function atPosition(text: OpenText, { position }: { readonly position: Position }): { readonly offset: number } {
  return { offset: text.offsetAt(position) };
}
