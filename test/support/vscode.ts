import { register } from "node:module";

/** Replaces the module `vscode` in a process without VS Code: each test says what it contains. */
export const vscode: Record<string, object> = {};

const imported = [
  "ConfigurationTarget",
  "FileSystemError",
  "FileType",
  "Range",
  "Uri",
  "WorkspaceEdit",
  "commands",
  "l10n",
  "window",
  "workspace",
];

/** From now on modules that are loaded find {@link vscode}. */
export function useFakeVscode(): void {
  Object.assign(globalThis, { vscodeOfTests: vscode });
  const lines = imported.map(
    (name) => `export const ${name} = new Proxy({}, { get: (_, key) => vscodeOfTests.${name}?.[key] });`,
  );
  const url = `data:text/javascript,${encodeURIComponent(lines.join("\n"))}`;
  const hook = `export const resolve = (specifier, context, next) =>
    specifier === "vscode" ? { url: ${JSON.stringify(url)}, shortCircuit: true } : next(specifier, context);`;
  register(`data:text/javascript,${encodeURIComponent(hook)}`);
}
