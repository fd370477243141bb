import { Disposable, type Memento, type Uri, window } from "vscode";
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

const stateKey = "rpcNotebook.lastNotebook";

/** Remembers the notebook that was open last, for the next session: its names of addresses count in other files. */
export function lastNotebook(memory: Memento): Disposable & { uri(): string | undefined } {
  const remember = (): void => {
    const document = activeDocument();
    if (document && document.scheme !== "untitled") void memory.update(stateKey, document.toString());
  };
  const listeners = [window.onDidChangeActiveNotebookEditor(remember), window.onDidChangeActiveTextEditor(remember)];
  return Object.assign(Disposable.from(...listeners), { uri: () => memory.get<string>(stateKey) });
}
