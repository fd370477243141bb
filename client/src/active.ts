import type { Uri } from "vscode";
import { window } from "vscode";
import { fileLanguage, notebookType } from "./names.ts";

/** The notebook or the text of one that a person works on now. */
export function activeDocument(): Uri | undefined {
  const notebook = window.activeNotebookEditor?.notebook;
  if (notebook?.notebookType === notebookType) return notebook.uri;
  const text = window.activeTextEditor?.document;
  return text?.languageId === fileLanguage ? text.uri : undefined;
}
