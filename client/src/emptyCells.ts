import type { TextEditor } from "vscode";
import { Disposable, l10n, Range, ThemeColor, window, workspace } from "vscode";
import { cellLanguage } from "./names.ts";

/** Shows in each empty cell what may be typed there. The text is drawn only: it is not in the cell. */
export function registerEmptyCells(): Disposable {
  const hint = window.createTextEditorDecorationType({
    after: {
      contentText: l10n.t("balance, call, logs, simulate, or paste a curl command, a hash or an error"),
      color: new ThemeColor("descriptionForeground"), // that of placeholders has no value in high contrast
      fontStyle: "italic", // in some themes the color is nearly that of text
    },
  });
  const draw = (editors: readonly TextEditor[]): void => {
    for (const editor of editors) {
      if (editor.document.languageId !== cellLanguage) continue;
      const isEmpty = editor.document.lineCount === 1 && editor.document.lineAt(0).text === "";
      editor.setDecorations(hint, isEmpty ? [new Range(0, 0, 0, 0)] : []);
    }
  };
  draw(window.visibleTextEditors);
  return Disposable.from(
    hint,
    window.onDidChangeVisibleTextEditors(draw),
    workspace.onDidChangeTextDocument(({ document }) =>
      draw(window.visibleTextEditors.filter((editor) => editor.document === document)),
    ),
  );
}
