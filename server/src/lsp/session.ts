import type { CancellationToken, Connection } from "vscode-languageserver";
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
 * turn in which the request is read, so never about an older version.
 */
export function about<Params extends { readonly textDocument: { readonly uri: string } }, Answer>(
  { guard, texts, service }: Pick<Session, "guard" | "texts" | "service">,
  name: string,
  answer: (text: OpenText, params: Params, token: CancellationToken) => Answer | Promise<Answer>,
): (params: Params, token: CancellationToken) => Promise<Answer | null> {
  return guard<[Params, CancellationToken], Answer | null>(name, null, (params, token) =>
    service.knowing(() => {
      const text = texts.get(params.textDocument.uri);
      return text ? answer(text, params, token) : null;
    }),
  );
}
