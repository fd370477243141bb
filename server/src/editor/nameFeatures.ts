import type { Span } from "../base/span.ts";
import type { FilePlace } from "../base/text.ts";
import { definition } from "../features/definition.ts";
import { references } from "../features/references.ts";
import { type Renameable, rename, renameable } from "../features/rename.ts";
import { type DocumentSpan, located, type TextEdit, textEdits } from "../workspace/documents.ts";
import { inDocument, type LanguageHost } from "./languageHost.ts";

/** A place in an open document, or in a file that is not one of ours. */
export type Location = DocumentSpan | FilePlace;

interface Highlight {
  readonly span: Span;
  readonly kind: "declaration" | "use";
}

/** Features of names: variables, cells, labels and endpoints. */
export interface NameFeatures {
  definition(uri: string, offset: number): readonly Location[];
  references(uri: string, offset: number, includeDeclaration: boolean): readonly Location[];
  /** Returns those of the same document. */
  highlights(uri: string, offset: number): readonly Highlight[];
  renameable(uri: string, offset: number): Renameable | undefined;
  /** @returns Edits in all documents of the notebook, or why there are none. */
  rename(uri: string, offset: number, name: string): readonly TextEdit[] | { readonly refused: string };
}

export function nameFeatures({ queries: { at } }: LanguageHost): NameFeatures {
  return {
    definition: (uri, offset) =>
      at(uri, offset, ({ cell }, inCell, scope, document) =>
        definition(cell, inCell, scope).flatMap((declaration): readonly Location[] =>
          "uri" in declaration ? [declaration] : located(document, declaration),
        ),
      ) ?? [],
    references: (uri, offset, includeDeclaration) =>
      at(uri, offset, ({ cell }, inCell, scope, document) =>
        references(cell, inCell, scope)
          .filter(({ kind }) => includeDeclaration || kind === "use")
          .flatMap((use) => located(document, use)),
      ) ?? [],
    highlights: (uri, offset) =>
      at(uri, offset, ({ cell }, inCell, scope, document) =>
        references(cell, inCell, scope).flatMap((use) =>
          located(document, use).flatMap((place) => (place.uri === uri ? { span: place.span, kind: use.kind } : [])),
        ),
      ) ?? [],
    renameable: (uri, offset) =>
      at(uri, offset, (place, inCell, scope) => {
        const name = renameable(place.cell, inCell, scope);
        return name && inDocument(name, place);
      }),
    rename: (uri, offset, name) =>
      at(uri, offset, ({ cell }, inCell, scope, document) => {
        const edits = rename(cell, inCell, name, scope);
        if ("refused" in edits) return edits;
        return textEdits(document, edits) ?? { refused: "The header cannot be changed here." };
      }) ?? { refused: "There is nothing to rename here." },
  };
}
