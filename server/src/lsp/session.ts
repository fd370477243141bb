import type { Connection } from "vscode-languageserver";
import type { Service } from "../service/service.ts";
import type { Client } from "./client.ts";
import type { Texts } from "./documents.ts";
import type { Guard } from "./guard.ts";
import type { RecordedFiles } from "./host.ts";

/** One editor and its service, for the handlers of requests. */
export interface Session {
  readonly connection: Connection;
  readonly client: Client;
  readonly service: Service;
  readonly texts: Texts;
  readonly files: RecordedFiles;
  readonly guard: Guard;
  /** Returns the notebook of a cell, by URI. */
  notebookOf(cellUri: string): string | undefined;
}
