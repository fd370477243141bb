import type { Span } from "../base/span.ts";
import { type CodeAction, codeActions } from "../features/codeActions.ts";
import { type Completion, completion } from "../features/completion.ts";
import { type Hover, hover } from "../features/hover.ts";
import { type SignatureHelp, signatureHelp } from "../features/signatureHelp.ts";
import { type TextEdit, textEdits, toCell } from "../workspace/documents.ts";
import { inDocument, type LanguageHost, needContracts } from "./languageHost.ts";
import { writablePlace } from "./writablePlace.ts";

/** Features at the cursor. */
export type CursorFeatures = ReturnType<typeof cursorFeatures>;

export function cursorFeatures(host: LanguageHost) {
  const { documentOf, contexts, queries } = host;
  return {
    completion(uri: string, offset: number): readonly Completion[] {
      needContracts(host, uri);
      const document = documentOf(uri);
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
          const documentEdits = textEdits(document, edits);
          if (!documentEdits) return [];
          return [{ ...action, ...(fixes && { fixes: inDocument(fixes, place) }), edits: documentEdits }];
        }),
      ),
  };
}
