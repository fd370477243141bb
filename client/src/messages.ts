import { window } from "vscode";
import { messageText } from "./plainText.ts";

/** Shows a message with buttons. All messages go through this file, because their text may come from any source. */
export function inform(text: string, ...buttons: readonly string[]): Thenable<string | undefined> {
  return window.showInformationMessage(messageText(text), ...buttons);
}

/** As {@link inform}, for something that did not work. */
export function warn(text: string, ...buttons: readonly string[]): Thenable<string | undefined> {
  return window.showWarningMessage(messageText(text), ...buttons);
}

/** As {@link inform}, for something that broke. */
export function complain(text: string, ...buttons: readonly string[]): Thenable<string | undefined> {
  return window.showErrorMessage(messageText(text), ...buttons);
}

/** Asks in a modal dialog. */
export function ask(question: string, detail: string, ...buttons: readonly string[]): Thenable<string | undefined> {
  return window.showWarningMessage(messageText(question), { modal: true, detail: messageText(detail) }, ...buttons);
}
