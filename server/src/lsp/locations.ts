import type { Location as LspLocation } from "vscode-languageserver";
import type { Location } from "../editor/nameFeatures.ts";
import { toRange } from "./convert.ts";
import { positionsIn } from "./filePosition.ts";
import type { Session } from "./session.ts";

/** Converts locations in open texts and in files. Reads the files, unless positions count UTF-16 code units. */
export async function toLocations(session: Session, locations: readonly Location[]): Promise<LspLocation[]> {
  const converted = await Promise.all(locations.map((location) => toLocation(session, location)));
  return converted.flat();
}

async function toLocation(session: Session, location: Location): Promise<readonly LspLocation[]> {
  const { uri } = location;
  if ("place" in location) {
    const position = (await positionsIn(session, uri))(location.place);
    return [{ uri, range: { start: position, end: position } }];
  }
  const text = session.texts.get(uri);
  return text ? [{ uri, range: toRange(text, location.span) }] : [];
}
