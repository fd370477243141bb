import type { Memento } from "vscode";
import { Disposable, window } from "vscode";
import { activeDocument } from "./active.ts";

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
