import type { Connection, MessageType } from "vscode-languageserver";
import { visible } from "../base/text.ts";
import type { CellOutput } from "../report/report.ts";

/**
 * Prepares text from any source for a message of an editor. Some editors turn `[text](address)` in messages into links, and VS
 * Code runs commands that they name, so anything that looks like a link is broken up.
 */
function messageText(text: string): string {
  return visible(text).replaceAll("](", "] (");
}

/** Shows a message. All messages go through this file, because their text may come from any source. */
export function showMessage(connection: Connection, type: MessageType, text: string): void {
  void connection.sendNotification("window/showMessage", { type, message: messageText(text) });
}

/**
 * Shows a message with buttons.
 *
 * @returns The title of the chosen one.
 */
export async function ask<Title extends string>(
  connection: Connection,
  kind: "warning" | "information",
  text: string,
  ...titles: readonly Title[]
): Promise<Title | undefined> {
  const { window } = connection;
  const actions = titles.map((title) => ({ title }));
  const message = messageText(text);
  const answer = await (kind === "warning"
    ? window.showWarningMessage(message, ...actions)
    : window.showInformationMessage(message, ...actions));
  return answer?.title;
}

/** Copies an output: its getters would not be sent. */
export function sendable({ ok, reports, text, json, startedAt, durationMs }: CellOutput): CellOutput {
  return { ok, reports, text, json, startedAt, durationMs };
}
