import { answerCodeActions } from "./codeActions.ts";
import { answerCodeLens } from "./codeLens.ts";
import { answerCompletion } from "./completion.ts";
import { answerDefinition } from "./definition.ts";
import { answerFolding } from "./folding.ts";
import { answerFormatting } from "./formatting.ts";
import { answerHighlights } from "./highlights.ts";
import { answerHover } from "./hover.ts";
import { answerInlayHints } from "./inlayHints.ts";
import { answerLinks } from "./links.ts";
import { answerReferences } from "./references.ts";
import { answerRename } from "./rename.ts";
import { answerSelectionRanges } from "./selectionRanges.ts";
import { answerSemanticTokens } from "./semanticTokens.ts";
import type { Session } from "./session.ts";
import { answerSignatureHelp } from "./signatureHelp.ts";
import { answerSymbols } from "./symbols.ts";

const features: readonly ((session: Session) => void)[] = [
  answerCodeActions,
  answerCodeLens,
  answerCompletion,
  answerDefinition,
  answerFolding,
  answerFormatting,
  answerHighlights,
  answerHover,
  answerInlayHints,
  answerLinks,
  answerReferences,
  answerRename,
  answerSelectionRanges,
  answerSemanticTokens,
  answerSignatureHelp,
  answerSymbols,
];

/** Answers the requests of the protocol about open texts: one file for each feature. */
export function answerFeatures(session: Session): void {
  for (const answer of features) answer(session);
}
