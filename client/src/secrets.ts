import type { ExtensionContext } from "vscode";
import { l10n, window } from "vscode";
import { inform } from "./messages.ts";

const stateKey = "secretNames";

/** Secrets that a person has given to this editor. Values are only in its secret storage. */
export type SecretStore = ReturnType<typeof secretStore>;

/** @param changed - A secret was set or deleted. */
export function secretStore({ secrets, globalState }: ExtensionContext, changed: () => void) {
  // the secret storage cannot list names
  const names = (): readonly string[] => globalState.get<readonly string[]>(stateKey, []);
  const keep = async (list: readonly string[]): Promise<void> => {
    await globalState.update(stateKey, [...new Set(list)].sort());
    changed();
  };
  return {
    names,
    /** Returns the values of the names that are set. */
    async read(wanted: readonly string[]): Promise<Readonly<Record<string, string>>> {
      const read = wanted.map(async (name) => [name, await secrets.get(name)] as const);
      return Object.fromEntries((await Promise.all(read)).flatMap(([name, value]) => (value ? [[name, value]] : [])));
    },
    /**
     * Asks for the value of a secret, and for its name if none is given.
     *
     * @returns Whether it was set.
     */
    async ask(given: string | undefined): Promise<boolean> {
      const name = given ?? (await askName());
      const value = name === undefined ? undefined : await askValue(name);
      if (name === undefined || value === undefined) return false;
      await secrets.store(name, value);
      await keep([...names(), name]);
      return true;
    },
    async askToDelete(): Promise<void> {
      if (names().length === 0) {
        void inform(l10n.t("No secrets are stored."));
        return;
      }
      const name = await window.showQuickPick(names(), { title: l10n.t("Which secret should be deleted?") });
      if (name === undefined) return;
      await secrets.delete(name);
      await keep(names().filter((each) => each !== name));
    },
  };
}

async function askName(): Promise<string | undefined> {
  return window.showInputBox({
    title: l10n.t("Name of the secret"),
    prompt: l10n.t("Requests refer to it as {0}.", "{{$secret.NAME}}"),
    placeHolder: "API_KEY",
    ignoreFocusOut: true,
    validateInput: (text) =>
      /^[\p{L}_][\p{L}\p{N}_-]*$/u.test(text)
        ? undefined
        : l10n.t("Start with a letter, then use letters, digits, _ and -."),
  });
}

async function askValue(name: string): Promise<string | undefined> {
  return window.showInputBox({
    title: l10n.t("Value of the secret {0}", name),
    prompt: l10n.t("The editor keeps it in its secret storage and never shows it."),
    password: true,
    ignoreFocusOut: true,
    validateInput: (text) => (text === "" ? l10n.t("Type a value.") : undefined),
  });
}
