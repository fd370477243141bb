import type { Uri } from "vscode";
import { window } from "vscode";
import { fileLanguage, notebookType } from "./names.ts";

/** Contracts, whose hovers need an endpoint. Without an extension for their language they are plain text. */
const contractFile = /\.(?:sol|vy|vyi)$/;
const contractLanguages: readonly string[] = ["solidity", "vyper"];

/** The notebook, its text or the contract that a person works on now. */
export function activeSource(): Uri | undefined {
  const text = window.activeTextEditor?.document;
  const isContract = text && (contractLanguages.includes(text.languageId) || contractFile.test(text.uri.path));
  return activeDocument() ?? (isContract ? text.uri : undefined);
}

/** The notebook or the text of one that a person works on now. */
export function activeDocument(): Uri | undefined {
  const notebook = window.activeNotebookEditor?.notebook;
  if (notebook?.notebookType === notebookType) return notebook.uri;
  const text = window.activeTextEditor?.document;
  return text?.languageId === fileLanguage ? text.uri : undefined;
}
