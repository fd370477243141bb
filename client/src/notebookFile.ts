import {
  commands,
  type Disposable,
  l10n,
  NotebookCellData,
  NotebookCellKind,
  NotebookData,
  Position,
  Range,
  Selection,
  type Tab,
  TabInputNotebook,
  TextEditorRevealType,
  window,
  workspace,
} from "vscode";
import { NotebookFileError } from "../../server/src/notebook/bytes.ts";
import type { NotebookData as FileData } from "../../server/src/notebook/data.ts";
import { openNotebook } from "../../server/src/notebook/open.ts";
import { saveNotebook } from "../../server/src/notebook/save.ts";
import { complain } from "./messages.ts";
import { notebookType } from "./names.ts";

/**
 * Opens and saves notebooks by the codec that the server uses too.
 *
 * @param opens - Called when a notebook is about to open.
 */
export function registerNotebook(opens: () => void): Disposable {
  return workspace.registerNotebookSerializer(
    notebookType,
    {
      async deserializeNotebook(bytes) {
        opens();
        try {
          return toEditor(openNotebook(bytes));
        } catch (error) {
          if (!(error instanceof NotebookFileError) || !(await openAsText(bytes, error))) throw error;
          return unreadable(error);
        }
      },
      serializeNotebook(data) {
        if (data.metadata?.[unreadableMark] === true) throw new Error(l10n.t("This file is not a notebook."));
        return saveNotebook(fromEditor(data));
      },
    },
    { transientOutputs: true },
  );
}

const unreadableMark = "unreadable";

/**
 * Returns a notebook for a file that its tab already shows as text. It is not shown, and cannot be saved. Throwing would
 * open a dialog about a tab that is gone.
 */
function unreadable({ message }: NotebookFileError): NotebookData {
  const data = new NotebookData([new NotebookCellData(NotebookCellKind.Markup, message, "markdown")]);
  data.metadata = { [unreadableMark]: true };
  return data;
}

/** Returns the notebook of a file for the editor. */
export function toEditor({ cells, metadata }: FileData): NotebookData {
  const data = new NotebookData(
    cells.map((cell) => {
      const kind = cell.kind === "markdown" ? NotebookCellKind.Markup : NotebookCellKind.Code;
      const made = new NotebookCellData(kind, cell.text, cell.language);
      if (cell.metadata !== undefined) made.metadata = { ...cell.metadata };
      return made;
    }),
  );
  data.metadata = { ...metadata };
  return data;
}

/** What a file keeps of a cell. */
interface EditorCell {
  readonly kind: NotebookCellKind;
  readonly languageId: string;
  readonly value: string;
  readonly metadata?: NotebookCellData["metadata"];
}

/** Returns what the editor holds for a file. */
export function fromEditor({
  cells,
  metadata,
}: {
  readonly cells: readonly EditorCell[];
  readonly metadata?: NotebookData["metadata"];
}): FileData {
  return {
    cells: cells.map((cell) => ({
      kind: cell.kind === NotebookCellKind.Markup ? "markdown" : "code",
      language: cell.languageId,
      text: cell.value,
      metadata: cell.metadata,
    })),
    metadata: metadata ?? {},
  };
}

/** Milliseconds in which to find the tab of a file that did not open. */
const maxSearchMs = 1500;

/**
 * Says what is wrong with a file, and shows it in the same tab as text, at the mistake. The serializer does not get the
 * name of the file, so the tab is found by the content.
 *
 * @returns Whether the text is shown: not if the tab is in the background, or the bytes are not those of a file.
 */
async function openAsText(bytes: Uint8Array, { message, hint, line, column }: NotebookFileError): Promise<boolean> {
  const tab = await failedTab(bytes);
  if (!notebookTabs().length) return false; // the editor reads a file again that is already shown as text
  void complain([l10n.t("This file is not a notebook."), message, hint].filter(Boolean).join(" "));
  if (tab?.isActive !== true || !tab.group.isActive || !(tab.input instanceof TabInputNotebook)) return false;
  const file = tab.input.uri.toString();
  await commands.executeCommand("reopenActiveEditorWith", "default");
  const editor = window.activeTextEditor;
  if (editor === undefined || editor.document.uri.toString() !== file) return false;
  const place = new Position(line - 1, column - 1);
  editor.selection = new Selection(place, place);
  editor.revealRange(new Range(place, place), TextEditorRevealType.InCenter);
  return true;
}

/** Returns the tab of a notebook without a document whose file has these bytes. */
async function failedTab(bytes: Uint8Array): Promise<Tab | undefined> {
  const end = performance.now() + maxSearchMs;
  for (let pause = 20; performance.now() < end; pause *= 2) {
    const tabs = notebookTabs().filter(hasNoDocument);
    // The active tab first: a person sees it.
    for (const tab of tabs.sort((a, b) => Number(b.isActive) - Number(a.isActive))) {
      if (await holds(tab, bytes)) return tab;
    }
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
  return undefined;
}

function notebookTabs(): Tab[] {
  const tabs = window.tabGroups.all.flatMap((group) => group.tabs);
  return tabs.filter(({ input }) => input instanceof TabInputNotebook && input.notebookType === notebookType);
}

function hasNoDocument({ input }: Tab): boolean {
  return (
    input instanceof TabInputNotebook &&
    !workspace.notebookDocuments.some((notebook) => notebook.uri.toString() === input.uri.toString())
  );
}

async function holds({ input }: Tab, bytes: Uint8Array): Promise<boolean> {
  if (!(input instanceof TabInputNotebook)) return false;
  try {
    const content = await workspace.fs.readFile(input.uri);
    return content.length === bytes.length && content.every((byte, index) => byte === bytes[index]);
  } catch {
    return false; // the file was deleted
  }
}
