import { register } from "node:module";

/** Replaces the module `vscode` in a process without VS Code: each test says what it contains. */
export const vscode: Record<string, object> = {};

const imported = [
  "ConfigurationTarget",
  "Disposable",
  "DocumentDropOrPasteEditKind",
  "FileSystemError",
  "FileType",
  "NotebookCellData",
  "NotebookCellKind",
  "NotebookCellOutput",
  "NotebookCellOutputItem",
  "NotebookData",
  "NotebookEdit",
  "NotebookRange",
  "Position",
  "ProgressLocation",
  "Range",
  "Selection",
  "TabInputNotebook",
  "TextEditorRevealType",
  "ThemeIcon",
  "Uri",
  "WorkspaceEdit",
  "commands",
  "env",
  "l10n",
  "languages",
  "notebooks",
  "window",
  "workspace",
];

/** From now on modules that are loaded find {@link vscode}. */
export function useFakeVscode(): void {
  Object.assign(globalThis, { vscodeOfTests: vscode });
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
