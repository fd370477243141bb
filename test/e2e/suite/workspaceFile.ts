import { ConfigurationTarget, type Range, Uri, WorkspaceEdit, workspace } from "vscode";

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

/** Writes a notebook whose endpoint is the embedded chain, in a setting, because a test cannot answer a dialog here. */
export async function chainNotebook(name: string, cells: readonly object[]): Promise<Uri> {
  const settings = workspace.getConfiguration("rpcNotebook");
  await settings.update("endpoints", { chain: process.env.TEST_CHAIN }, ConfigurationTarget.Global);
  const variables = {
    alice: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
    reverter: "0xCf7Ed3AccA5a467e9e704C703E8D87F634fB0Fc9",
  };
  const uri = exampleUri(name);
  const text = JSON.stringify({ endpoint: "chain", variables, cells }, null, 2);
  await workspace.fs.writeFile(uri, new TextEncoder().encode(text));
  return uri;
}

/** Looks again and again until there is something to see; the suite's own limit ends it. */
export async function until<T>(look: () => T | false | undefined | Promise<T | false | undefined>): Promise<T> {
  for (;;) {
    const found = await look();
    if (found !== false && found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** The text of the result beside a text, once it matches; VS Code brings it there a moment after the command has ended. */
export async function shownResult(expected: RegExp): Promise<string> {
  const texts = () =>
    workspace.textDocuments.filter(({ uri }) => uri.scheme === "rpc-result").map((one) => one.getText());
  return until(() => texts().find((text) => expected.test(text)));
}
