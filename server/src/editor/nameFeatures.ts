import type { Span } from "../base/span.ts";
import type { FilePlace } from "../base/text.ts";
import { definition } from "../features/definition.ts";
import { references } from "../features/references.ts";
import { type Renameable, rename, renameable } from "../features/rename.ts";
import { type DocumentSpan, located, type TextEdit, textEdits } from "../workspace/documents.ts";
import { inDocument } from "./cellQueries.ts";
import type { LanguageHost } from "./languageHost.ts";

/** A place in an open document, or in a file that is not one of ours. */
export type Location = DocumentSpan | FilePlace;

interface Highlight {
  readonly span: Span;
  readonly kind: "declaration" | "use";
}

/** Features of names: variables, cells, labels and endpoints. */
export type NameFeatures = ReturnType<typeof nameFeatures>;

export function nameFeatures({ queries: { at } }: LanguageHost) {
  return {
    definition: (uri: string, offset: number): readonly Location[] =>
      at(uri, offset, ({ cell }, inCell, scope, document) =>
        definition(cell, inCell, scope).flatMap((declaration): readonly Location[] =>
          "uri" in declaration ? [declaration] : located(document, declaration),
        ),
      ) ?? [],
    references: (uri: string, offset: number, includeDeclaration: boolean): readonly Location[] =>
      at(uri, offset, ({ cell }, inCell, scope, document) =>
        references(cell, inCell, scope)
          .filter(({ kind }) => includeDeclaration || kind === "use")
          .flatMap((use) => located(document, use)),
      ) ?? [],
    /** Returns those of the same document. */
    highlights: (uri: string, offset: number): readonly Highlight[] =>
      at(uri, offset, ({ cell }, inCell, scope, document) =>
        references(cell, inCell, scope).flatMap((use) =>
          located(document, use).flatMap((place) => (place.uri === uri ? { span: place.span, kind: use.kind } : [])),
        ),
      ) ?? [],
    renameable: (uri: string, offset: number): Renameable | undefined =>
      at(uri, offset, (place, inCell, scope) => {
        const name = renameable(place.cell, inCell, scope);
        return name && inDocument(name, place);
      }),
    /** @returns Edits in all documents of the notebook, or why there are none. */
    rename: (uri: string, offset: number, name: string): readonly TextEdit[] | { readonly refused: string } =>
      at(uri, offset, ({ cell }, inCell, scope, document) => {
        const edits = rename(cell, inCell, name, scope);
        if ("refused" in edits) return edits;
        return textEdits(document, edits) ?? { refused: "The header cannot be changed here." };
      }) ?? { refused: "There is nothing to rename here." },
  };
}
