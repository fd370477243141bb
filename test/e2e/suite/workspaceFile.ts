import { type Range, Uri, WorkspaceEdit, workspace } from "vscode";

/** A file of the opened copy of `examples`. */
export function exampleUri(name: string): Uri {
  const folder = workspace.workspaceFolders?.[0];
  if (!folder) throw new Error("No folder is open.");
  return Uri.joinPath(folder.uri, name);
}

/** Edits as a person types: the change is applied to the open document. */
export async function edit(document: Uri, span: Range, text: string): Promise<void> {
  const change = new WorkspaceEdit();
  change.replace(document, span, text);
  if (!(await workspace.applyEdit(change))) throw new Error("VS Code did not take the edit.");
}
