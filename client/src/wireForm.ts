import { env, l10n, window } from "vscode";
import type { WireFormParams, WireFormResult } from "../../server/src/protocol/conversion.ts";
import type { Server } from "./languageClient.ts";
import { inform, warn } from "./messages.ts";
import { fileLanguage, notebookType } from "./names.ts";
import type { TextView } from "./textView.ts";

/** Shows or copies what a cell would send. */
export interface WireFormView {
  /** @param given - The arguments of a code lens or of the menu of a notebook's cell; none from the command palette. */
  show(...given: readonly unknown[]): Promise<void>;
  copy(...given: readonly unknown[]): Promise<void>;
}

export function wireFormView(server: Server, textView: TextView): WireFormView {
  const ask = async (given: readonly unknown[]): Promise<WireFormResult> => {
    const cell = cellMeant(given);
    const form = cell && (await server.request("rpcNotebook/wireForm", cell));
    if (!form) void inform(l10n.t("Put the cursor in a request first."));
    return form ?? null;
  };
  return {
    async show(...given) {
      const form = await ask(given);
      if (form) await textView.show("text" in form ? form.text : form.unsent);
    },
    async copy(...given) {
      const form = await ask(given);
      if (!form) return;
      if ("unsent" in form) {
        void warn(form.unsent);
        return;
      }
      await env.clipboard.writeText(form.text);
      window.setStatusBarMessage(l10n.t("The wire form is on the clipboard."), 3000);
    },
  };
}

/** Returns the cell of a code lens or a menu, otherwise the selected one. */
export function cellMeant([first, second]: readonly unknown[]): WireFormParams | undefined {
  if (typeof first === "string" && typeof second === "number") return { uri: first, index: second };
  if (isCell(first)) return { uri: first.document.uri.toString() };
  const notebook = window.activeNotebookEditor;
  if (notebook?.notebook.notebookType === notebookType) {
    const at = notebook.selections[0]?.start ?? 0;
    return at < notebook.notebook.cellCount ? { uri: notebook.notebook.cellAt(at).document.uri.toString() } : undefined;
  }
  const text = window.activeTextEditor;
  if (text?.document.languageId !== fileLanguage) return undefined;
  return { uri: text.document.uri.toString(), offset: text.document.offsetAt(text.selection.active) };
}

/** Whether the argument is the cell of a menu. */
function isCell(value: unknown): value is { readonly document: { readonly uri: { toString(): string } } } {
  return typeof value === "object" && value !== null && "document" in value && "notebook" in value;
}
