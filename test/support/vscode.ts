import assert from "node:assert/strict";
import { register } from "node:module";
import type { Uri } from "vscode";

const shared: typeof globalThis & { vscodeOfTests?: Record<string, object> } = globalThis;

/** Replaces the module `vscode` in a process without VS Code: each test says what it contains. Mocha may load this file twice. */
export const vscode: Record<string, object> = shared.vscodeOfTests ?? {};
shared.vscodeOfTests = vscode;

const imported = [
  "CancellationTokenSource",
  "CompletionItem",
  "CompletionItemKind",
  "ConfigurationTarget",
  "Disposable",
  "DocumentDropOrPasteEditKind",
  "EventEmitter",
  "FileSystemError",
  "FileType",
  "Hover",
  "Location",
  "MarkdownString",
  "NotebookCellData",
  "NotebookCellKind",
  "NotebookCellOutput",
  "NotebookCellOutputItem",
  "NotebookCellStatusBarAlignment",
  "NotebookCellStatusBarItem",
  "NotebookData",
  "NotebookEdit",
  "NotebookRange",
  "Position",
  "ProgressLocation",
  "QuickPickItemKind",
  "Range",
  "RelativePattern",
  "Selection",
  "SnippetString",
  "SnippetTextEdit",
  "StatusBarAlignment",
  "TabInputNotebook",
  "TabInputText",
  "TestMessage",
  "TestRunProfileKind",
  "TestRunRequest",
  "TextEditorRevealType",
  "ThemeColor",
  "ThemeIcon",
  "TreeItem",
  "Uri",
  "ViewColumn",
  "WorkspaceEdit",
  "commands",
  "env",
  "l10n",
  "languages",
  "notebooks",
  "tests",
  "window",
  "workspace",
];

/** From now on modules that are loaded find {@link vscode}. */
export function useFakeVscode(): void {
  const lines = imported.map(
    (name) =>
      `export const ${name} = new Proxy(function () {}.bind(), {
        get: (_, key) => vscodeOfTests.${name}?.[key],
        construct: (made, given) => Reflect.construct(vscodeOfTests.${name}?.prototype ? vscodeOfTests.${name} : made, given),
      });`,
  );
  const url = `data:text/javascript,${encodeURIComponent(lines.join("\n"))}`;
  const hook = `export const resolve = (specifier, context, next) =>
    specifier === "vscode" ? { url: ${JSON.stringify(url)}, shortCircuit: true } : next(specifier, context);`;
  register(`data:text/javascript,${encodeURIComponent(hook)}`);
}

/** Texts in the language of the tests. */
export const l10n = {
  t: (text: string, ...given: readonly string[]) => text.replace(/\{(\d)\}/g, (_, at) => given[at] ?? ""),
};

/** The members of `Uri` that are used. */
export function fakeUri(path: string, scheme = "file"): Uri {
  const made = {
    ...{ path, scheme, fsPath: path },
    with: (parts: { path: string }) => fakeUri(parts.path, scheme),
    toString: () => `${scheme}://${path}`,
  };
  return made as unknown as Uri; // only these are used
}

/** Files in memory, and `workspace.fs` for them. */
export class FakeFiles {
  readonly texts = new Map<string, string>();
  /** The operation that fails; a write leaves a part behind. */
  failing: "write" | "rename" | undefined;
  readonly fs = {
    readFile: async ({ path }: Uri) => new TextEncoder().encode(this.texts.get(path) ?? assert.fail("no file")),
    writeFile: async ({ path }: Uri, bytes: Uint8Array) => {
      const text = new TextDecoder().decode(bytes);
      this.texts.delete(path); // the newest file is the last
      this.texts.set(path, this.failing === "write" ? text.slice(0, 2) : text);
      if (this.failing === "write") throw new Error("the disk is full");
    },
    rename: async (from: Uri, to: Uri) => {
      if (this.failing === "rename") throw new Error("not renamed");
      const text = this.texts.get(from.path) ?? assert.fail("no file");
      for (const { path } of [from, to]) this.texts.delete(path);
      this.texts.set(to.path, text);
    },
    delete: async ({ path }: Uri) => {
      for (const name of this.texts.keys()) if (name === path || name.startsWith(`${path}/`)) this.texts.delete(name);
    },
    readDirectory: async ({ path }: Uri) =>
      [...this.texts.keys()].filter((name) => name.startsWith(path)).map((name) => [name.split("/").at(-1), 1]),
    stat: async ({ path }: Uri) => ({
      size: this.texts.get(path)?.length,
      mtime: [...this.texts.keys()].indexOf(path),
    }),
  };
}
