import type { DefinitionParams, Location } from "vscode-languageserver";
import { toLocations } from "./locations.ts";
import type { Session } from "./session.ts";
import { textRequest } from "./textRequest.ts";

/** Answers with the declaration of the name at a position. */
export function answerDefinition(session: Session): void {
  const { connection, service } = session;
  connection.onDefinition(
    textRequest<DefinitionParams, Location[]>(session, "definition", (text, { position }) =>
      toLocations(session, service.definition(text.uri, text.offsetAt(position))),
    ),
  );
}
