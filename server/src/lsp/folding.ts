import type { FoldingRangeParams, FoldingRange as LspFoldingRange } from "vscode-languageserver";
import { toRange } from "./convert.ts";
import type { Session } from "./session.ts";
import { textRequest } from "./textRequest.ts";

/** Answers with the ranges that span several lines. */
export function answerFolding(session: Session): void {
  const { connection, service } = session;
  connection.onFoldingRanges(
    textRequest<FoldingRangeParams, LspFoldingRange[]>(session, "folding", (text) =>
      service.foldingRanges(text.uri).flatMap(({ span, isHeader }) => {
        const { start, end } = toRange(text, span);
        if (start.line >= end.line) return [];
        // The only kind that VS Code can show folded at first.
        return [{ startLine: start.line, endLine: end.line, ...(isHeader && { kind: "imports" }) }];
      }),
    ),
  );
}
