import { Uri, window, workspace } from "vscode";
import { fileLanguage, notebookType } from "./names.ts";

/** The notebook or the text of one that a person works on now. */
export function activeDocument(): Uri | undefined {
  const notebook = window.activeNotebookEditor?.notebook;
  if (notebook?.notebookType === notebookType) return notebook.uri;
  const text = window.activeTextEditor?.document;
  return text?.languageId === fileLanguage ? text.uri : undefined;
}

/**
 * The folder in which files that belong to a document are written: the root of its workspace folder, else its own
 * folder; `undefined` for a new document outside of any folder.
 */
export function homeFolder(document: Uri): Uri | undefined {
  const folder = workspace.getWorkspaceFolder(document);
  if (folder !== undefined) return folder.uri;
  if (document.scheme === "untitled") return workspace.workspaceFolders?.[0]?.uri;
  return Uri.joinPath(document, "..");
}
