import { labels } from "../analysis/labels.ts";
import type { Scope } from "../analysis/scope.ts";
import type { Span } from "../base/span.ts";
import { addressNames } from "../features/addressNames.ts";
import { type CodeAction, codeActions } from "../features/codeActions.ts";
import { type Completion, completion } from "../features/completion.ts";
import { type Hover, hover } from "../features/hover.ts";
import { type SignatureHelp, signatureHelp } from "../features/signatureHelp.ts";
import { type Document, type TextEdit, textEdits, toCell } from "../workspace/documents.ts";
import { inDocument } from "./cellQueries.ts";
import { labelEdits } from "./labelEdits.ts";
import { type LanguageHost, needContracts } from "./languageHost.ts";
import { writablePlace } from "./writablePlace.ts";

/** Features at the cursor. */
export type CursorFeatures = ReturnType<typeof cursorFeatures>;

export function cursorFeatures(host: LanguageHost) {
  const { documents, contexts, queries } = host;
  return {
    completion(uri: string, offset: number): readonly Completion[] {
      needContracts(host, uri);
      const document = documents.of(uri);
      const writable = document && writablePlace(document, uri, offset);
      const inCell = writable && toCell(writable.place, offset);
      if (!document || !writable || inCell === undefined) return [];
      const { place, shape } = writable;
      return completion(place.cell, inCell, contexts.of(document).scope, shape).map((one) => ({
        ...inDocument(one, place),
        ...(one.also && { also: one.also.map((edit) => inDocument(edit, place)) }),
      }));
    },
    hover(uri: string, offset: number): Hover | undefined {
      needContracts(host, uri);
      return queries.at(uri, offset, (place, inCell, scope) => {
        const one = hover(place.cell, inCell, scope);
        return one && inDocument(one, place);
      });
    },
    signatureHelp(uri: string, offset: number): SignatureHelp | undefined {
      needContracts(host, uri);
      return queries.at(uri, offset, ({ cell }, inCell, scope) => signatureHelp(cell, inCell, scope));
    },
    /** Returns fixes of the problems in a range, the best first, and then refactorings. */
    codeActions: (
      uri: string,
      range: Span,
    ): readonly (Omit<CodeAction, "edits"> & { readonly edits: readonly TextEdit[] })[] =>
      queries.within(uri, range, (place, inCell, scope, document) =>
        codeActions(place.cell, inCell, scope).flatMap(({ edits, fixes, ...action }) => {
          const { namesAddress } = action;
          const documentEdits =
            namesAddress === undefined ? textEdits(document, edits) : beginningName(document, scope, namesAddress);
          if (!documentEdits) return [];
          return [{ ...action, ...(fixes && { fixes: inDocument(fixes, place) }), edits: documentEdits }];
        }),
      ),
  };
}

/** Gives an address a name that a person may change; no edits if only the editor can make the header. */
function beginningName(document: Document, scope: Scope, address: string): readonly TextEdit[] {
  const made = labelEdits(document, scope, address, labels(scope).get(address.toLowerCase()) ?? freeLabel(scope));
  return made === undefined || "header" in made ? [] : made;
}

function freeLabel(scope: Scope): string {
  const taken = new Set(addressNames(scope).values());
  for (let number = 1; ; number++) if (!taken.has(`address${number}`)) return `address${number}`;
}
