import { l10n, type Uri, window } from "vscode";
import { readBlock } from "../../server/src/base/units.ts";
import type { WireFormParams } from "../../server/src/protocol/conversion.ts";
import type { Server } from "./languageClient.ts";
import type { TextView } from "./textView.ts";

/** Asks for a range of blocks, and finds the first one at which what a cell expects holds. */
export async function findWhen(server: Server, textView: TextView, document: Uri, cell: WireFormParams): Promise<void> {
  const typed = await window.showInputBox({
    title: l10n.t("Find When: between which blocks?"),
    prompt: l10n.t("The first and the last block, tags or numbers. It bisects: a million blocks take 22 requests."),
    value: "earliest..latest",
    ignoreFocusOut: true,
    validateInput: (text) => (rangeIn(text) ? undefined : l10n.t("Expected two blocks: 1000..latest")),
  });
  const range = typed === undefined ? undefined : rangeIn(typed);
  if (!range) return;
  await textView.report(document, l10n.t("Finding the first block"), (token) =>
    server.request("rpcNotebook/findWhen", { ...cell, range }, token),
  );
}

function rangeIn(text: string): readonly [string, string] | undefined {
  const [first, last, ...more] = text.split("..").map((block) => readBlock(block.trim()));
  return first === undefined || last === undefined || more.length > 0 ? undefined : [first, last];
}
