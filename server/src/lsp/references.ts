import type { Location, ReferenceParams } from "vscode-languageserver";
import { toLocations } from "./locations.ts";
import type { Session } from "./session.ts";
import { textRequest } from "./textRequest.ts";

/** Answers with the uses of the name at a position. */
export function answerReferences(session: Session): void {
  const { connection, service } = session;
  connection.onReferences(
    textRequest<ReferenceParams, Location[]>(session, "references", (text, { position, context }) => {
      const includeDeclaration = context?.includeDeclaration !== false;
      return toLocations(session, service.references(text.uri, text.offsetAt(position), includeDeclaration));
    }),
  );
}
