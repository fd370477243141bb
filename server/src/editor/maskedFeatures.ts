import { masked } from "../base/markdown.ts";
import type { Mask } from "../base/mask.ts";
import type { LanguageFeatures } from "./languageFeatures.ts";

/** Hides values of the host in everything that an editor shows of a document without a run. Edits stay as they are. */
export function maskedFeatures(
  language: LanguageFeatures,
  mask: Mask,
): Pick<LanguageFeatures, "hover" | "diagnostics" | "fileDiagnostics" | "inlayHints" | "exported"> {
  const maskedMessages = <One extends { readonly message: string }>(all: readonly One[]): readonly One[] =>
    mask.isEmpty ? all : all.map((one) => ({ ...one, message: mask.text(one.message) }));
  return {
    hover(uri, offset) {
      const hover = language.hover(uri, offset);
      return hover && (mask.isEmpty ? hover : { ...hover, markdown: masked(hover.markdown, mask) });
    },
    diagnostics: (uri) => maskedMessages(language.diagnostics(uri)),
    fileDiagnostics: () => maskedMessages(language.fileDiagnostics()),
    inlayHints(uri, range) {
      const hints = language.inlayHints(uri, range);
      return mask.isEmpty ? hints : hints.map((hint) => ({ ...hint, label: mask.text(hint.label) }));
    },
    async exported(uri, index, form) {
      const result = await language.exported(uri, index, form);
      return result && { ...result, text: mask.text(result.text) };
    },
  };
}
