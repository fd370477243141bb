import type { Range, SelectionRange, SelectionRangeParams } from "vscode-languageserver";
import { toRange } from "./convert.ts";
import type { Session } from "./session.ts";
import { textRequest } from "./textRequest.ts";

/** Answers with the nested ranges around each position. */
export function answerSelectionRanges(session: Session): void {
  const { connection, service } = session;
  connection.onSelectionRanges(
    textRequest<SelectionRangeParams, SelectionRange[]>(session, "selection ranges", (text, { positions }) =>
      positions.map((position) => {
        const offset = text.offsetAt(position);
        const ranges = service.selectionRanges(text.uri, offset).map((span) => toRange(text, span));
        return nested(ranges) ?? { range: toRange(text, { start: offset, end: offset }) };
      }),
    ),
  );
}

/** @param ranges - The innermost first. */
function nested(ranges: readonly Range[]): SelectionRange | undefined {
  return ranges.reduceRight<SelectionRange | undefined>(
    (parent, range) => ({ range, ...(parent && { parent }) }),
    undefined,
  );
}
