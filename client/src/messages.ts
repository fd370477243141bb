import { type CancellationToken, ProgressLocation, window } from "vscode";
import type { Wording } from "../../server/src/base/ports.ts";
import { messageText } from "./plainText.ts";

/** Shows a message with buttons. All messages go through this file, because their text may come from any source. */
export function inform(text: string, ...buttons: readonly string[]): Thenable<string | undefined> {
  return window.showInformationMessage(messageText(text), ...buttons);
}

/** Shows a warning: something did not work. */
export function warn(text: string, ...buttons: readonly string[]): Thenable<string | undefined> {
  return window.showWarningMessage(messageText(text), ...buttons);
}

/** Shows an error: something broke. */
export function complain(text: string, ...buttons: readonly string[]): Thenable<string | undefined> {
  return window.showErrorMessage(messageText(text), ...buttons);
}

/** UTF-16 code units of a detail: ten requests with their names. */
const maxDetail = 10_000;

/** Shows a message with a button that cancels while work goes on, and how far it is. */
export function showProgress<T>(
  title: string,
  work: (token: CancellationToken, report: (text: string) => void) => Thenable<T>,
): Thenable<T> {
  const options = { location: ProgressLocation.Notification, title, cancellable: true };
  return window.withProgress(options, (progress, token) =>
    work(token, (text) => progress.report({ message: messageText(text) })),
  );
}

/** Shows in the status bar that work goes on. */
export function showQuietly<T>(title: string, work: () => Thenable<T>): Thenable<T> {
  return window.withProgress({ location: ProgressLocation.Window, title }, work);
}

export function ask(question: string, detail: string, ...buttons: readonly string[]): Thenable<string | undefined> {
  return window.showWarningMessage(
    messageText(question),
    { modal: true, detail: messageText(detail, maxDetail) },
    ...buttons,
  );
}

/** Asks in the server's words. @returns The index of the button that was chosen; -1 for a no. */
export async function askInWords({ question, detail, more, yes }: Wording): Promise<number> {
  const lines = more === undefined ? detail : [...detail, "", more];
  const chosen = await ask(question, lines.join("\n"), ...yes);
  return chosen === undefined ? -1 : yes.indexOf(chosen);
}
