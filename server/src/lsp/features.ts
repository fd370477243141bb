import { answerCodeActions } from "./codeActions.ts";
import { answerCodeLens } from "./codeLens.ts";
import { answerCompletion } from "./completion.ts";
import { answerHover, answerInlayHints, answerSignatureHelp } from "./explanations.ts";
import { answerDefinition, answerHighlights, answerReferences, answerRename } from "./names.ts";
import { answerSemanticTokens } from "./semanticTokens.ts";
import type { Session } from "./session.ts";
import { answerFolding, answerFormatting, answerLinks, answerSelectionRanges, answerSymbols } from "./structure.ts";

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
