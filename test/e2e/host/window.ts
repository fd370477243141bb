import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Frame, FrameLocator, Locator, Page } from "playwright-core";
import { thorough } from "../../support/depth.ts";
import { type Installation, install, openWebWorkbench, openWorkbench } from "../installed.ts";
import { chooseFile, chooseRow, hoversAnswered } from "./palette.ts";
import { extensionsLoaded, type Host, patience, runAllKey, type WindowOptions } from "./workbench.ts";

export interface Options extends Omit<WindowOptions, "open" | "shots"> {
  /** The extension runs in a web worker. */
  readonly web?: boolean;
  /** Files of the workspace by their name: text, or what is written as JSON. */
  readonly files?: Readonly<Record<string, unknown>>;
  /** Runs before the window opens. What it returns runs after the window is closed. */
  prepare?(vscode: Vscode): unknown;
}

/** Describes tests that use one window one after the other. It has a workspace, a chain and settings of its own. */
export function inWindow(title: string, options: Options, tests: (vscode: Vscode) => void): void {
  const { web, files = {}, prepare, ...rest } = options;
  const opened: { installation?: Installation; host?: Host } = {};
  const vscode = person(opened);
  describe(title, function () {
    this.timeout(5 * patience);
    let undo: unknown;

    before(async () => {
      opened.installation = await install();
      for (const [name, content] of Object.entries(files)) vscode.write(name, content);
      undo = await prepare?.(vscode);
      opened.host = await (web ? openWebWorkbench(opened.installation) : openWorkbench(opened.installation, rest));
    });
    afterEach(async function () {
      const name = `${title} ${this.currentTest?.title}`.replaceAll(/\W+/g, "-");
      if (this.currentTest?.state !== "failed") return;
      await opened.host?.screenshot(`failure-${name}`);
      console.log("Frames of the window:", await framesOf(vscode.page));
      console.log("Messages of the window:", await messages(vscode).catch(String));
    });
    after(async () => {
      await opened.host?.close();
      if (typeof undo === "function") await undo();
      await opened.installation?.remove();
    });
    tests(vscode);
  });
}

/**
 * Describes tests in a window that others share. They have files of their own, and nothing of them is left: so the order of
 * such descriptions does not matter.
 */
export function inTurn(
  vscode: Vscode,
  title: string,
  files: () => NonNullable<Options["files"]>,
  tests: () => void,
): void {
  describe(title, () => {
    before(() => {
      for (const [name, content] of Object.entries(files())) vscode.write(name, content);
    });
    tests();
    after(() => vscode.tidy());
  });
}

/** A window of VS Code as a person uses it: with keys and commands. What is not there yet is waited for. */
export type Vscode = ReturnType<typeof person>;

function person(opened: { readonly installation?: Installation; readonly host?: Host }) {
  const page = (): Page => (opened.host ?? assert.fail("The window is not open.")).page;
  const installation = (): Installation => opened.installation ?? assert.fail("There is no workspace.");
  const one = (selector: string, hasText?: string | RegExp): Locator =>
    page()
      .locator(selector, hasText === undefined ? {} : { hasText })
      .first();
  const pathOf = (name: string): string => path.join(installation().workspace, name);
  /** What files contained before they were written. */
  const former = new Map<string, string | undefined>();
  const parts = {
    cell: (text: string) => one(".code-cell-row:visible", text),
    line: (text: string) => one(".view-line:visible", text),
    /** The last of the equal words in a line. */
    word: (line: string, word: string) => one(".view-line:visible", line).locator("span", { hasText: word }).last(),
    lens: (text: string) => one(".codelens-decoration:visible a", text),
    tab: (name: string) => one(".tab.active", name),
    status: (text: string) => one(".statusbar-item", text),
    row: (text: string) => one(".quick-input-list .monaco-list-row", text),
    question: (text: string) => one(".monaco-dialog-box", text),
    message: (text: string) => one(".notification-toast, .notifications-center .monaco-list-row", text),
    /** What renderers show for the notebook in front. */
    output: (): FrameLocator =>
      page().frameLocator("iframe.webview.ready:visible").last().frameLocator("iframe#active-frame"),
  };
  const actions = {
    /** Waits until cells can run: before, keys that run them do nothing. */
    kernelChosen: () => one(".notebook-toolbar-container:visible", "RPC Notebook").waitFor(),
    /** Runs a command by the title that the command palette shows. */
    command: async (title: string): Promise<void> => opened.host?.command(title),
    open: (name: string) => chooseFile(page(), name),
    async press(...keys: readonly string[]) {
      for (const key of keys) await page().keyboard.press(key);
    },
    type: (text: string) => page().keyboard.type(text),
    async runAll() {
      await actions.kernelChosen();
      await actions.press(runAllKey);
    },
    /** Runs the first cell with a text. */
    async run(text: string) {
      await actions.enter(parts.cell(text));
      await actions.kernelChosen();
      await actions.press("Control+Enter");
    },
    /** Puts the cursor into a cell. A notebook that is still opening moves the focus back, and cells move under the mouse. */
    async enter(cell: Locator) {
      await until(async () => {
        await cell.locator(".view-line").first().click();
        return appears(cell.locator(".monaco-editor.focused"));
      }, "the cell has the focus");
    },
    closeAll: () => actions.press("Control+k", "Control+w"),
    /** Closes what is open, and gives files that were written the content that they had. */
    async tidy() {
      await actions.press("Escape");
      await actions.closeAll();
      await one(".tabs-container .tab").waitFor({ state: "hidden" });
      if (await one(".part.panel").isVisible()) await actions.command("View: Hide Panel");
      for (const [file, content] of former) {
        if (content === undefined) rmSync(file, { force: true });
        else writeFileSync(file, content);
      }
      former.clear();
    },
    /** Revokes the approval of a site. The list stays open as long as something else is approved. */
    async revoke(site: string) {
      await actions.command("RPC Notebook: Manage Approved Hosts");
      await parts.row(site).waitFor();
      await actions.screenshot("approved-hosts");
      await actions.choose(site);
      await parts.row(site).waitFor({ state: "hidden" });
      await actions.press("Escape");
      await page().locator(".quick-input-widget").waitFor({ state: "hidden" });
    },
    /** Puts the cursor into a word and asks for its hover, until it says something: an editor that moves closes hovers. */
    async hover(word: Locator, says: string): Promise<Locator> {
      const shown = one(".monaco-hover:visible", says);
      await until(async () => {
        await actions.press("Escape");
        await word.click();
        await actions.press("Control+k", "Control+i");
        return appears(shown);
      }, `the hover says ${says}`);
      return shown;
    },
    /** Presses a key until it opens something: an editor is not at once ready for keys. */
    async opens(key: string, what: Locator) {
      await until(async () => {
        await actions.press(key);
        return appears(what);
      }, `${key} opens something`);
    },
    /**
     * Opens the actions at a word, and chooses one when it has the focus: VS Code closes the list when actions come again, and
     * leaves the keys to the editor.
     *
     * @param name - Of a picture of the list.
     */
    async act(word: Locator, title: string, name: string) {
      const list = one(".action-widget:visible", title);
      const focused = list.locator(".monaco-list-row.focused").first();
      const open = () =>
        until(async () => {
          await word.click();
          await actions.press("Control+.");
          return appears(list);
        }, `${title} is offered`);
      await open();
      await actions.screenshot(name);
      await until(async () => {
        if (!(await list.isVisible())) await open();
        const isChosen = (await focused.textContent({ timeout: 5000 }).catch(() => ""))?.includes(title) === true;
        await actions.press(isChosen ? "Enter" : "ArrowDown");
        return isChosen;
      }, `${title} has the focus`);
    },
    /** Waits for a message. VS Code does not show every one by itself, but keeps all in a list that a person can open. */
    async shown(text: string) {
      if (await appears(parts.message(text))) return;
      await actions.command("Notifications: Show Notifications");
      await parts.message(text).waitFor();
    },
    /** Waits until the extensions have answered for a hover, whether it says something or not. */
    hoversAnswered: () => hoversAnswered(page()),
    /** Chooses from the list that is open. */
    choose: (text: string) => chooseRow(parts.row(text)),
    /** Writes into the box that asks for this. */
    async answer(title: string, text: string) {
      await one(".quick-input-widget:visible", title).waitFor();
      await one(".quick-input-widget input").fill(text);
      await actions.press("Enter");
    },
    /** Writes the path of a file into the box that asks where to save. */
    async fileName(path: string) {
      await one(".quick-input-widget:visible").getByText("OK").waitFor();
      await one(".quick-input-widget input").fill(path);
      await actions.press("Enter");
    },
    /** Presses a button of a question. */
    decide: (question: string, button: string) => parts.question(question).getByText(button, { exact: true }).click(),
    async reload() {
      await page().reload();
      if (opened.host) await extensionsLoaded(opened.host);
    },
    /** Writes a picture into `shots/`, in a thorough run or with `TEST_HOST_SHOTS`. */
    async screenshot(name: string) {
      if (thorough || process.env.TEST_HOST_SHOTS) await opened.host?.screenshot(name);
    },
  };
  return {
    ...parts,
    ...actions,
    pathOf,
    write(name: string, content: unknown) {
      const file = pathOf(name);
      if (!former.has(file)) former.set(file, existsSync(file) ? readFileSync(file, "utf8") : undefined);
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content, undefined, 2));
    },
    get page() {
      return page();
    },
    get installation() {
      return installation();
    },
  };
}

/** What the window and the frames of its renderers, pages and views show. */
function framesOf(page: Page): Promise<readonly string[]> {
  const text = (frame: Frame) => frame.locator("body").allInnerTexts();
  return Promise.all(page.frames().map((frame) => text(frame).then(([shown]) => `${shown?.slice(0, 500)}`, String)));
}

/** What the list of notifications says. VS Code shows only some of them, and only for a while. */
async function messages({ page, command, press }: Vscode): Promise<readonly string[]> {
  await press("Escape");
  await command("Notifications: Show Notifications");
  const list = page.locator(".notifications-center");
  await list.waitFor({ timeout: 10_000 });
  const texts = await list.locator(".notification-list-item-message").allInnerTexts();
  await command("Notifications: Hide Notifications");
  return texts;
}

/** Looks again and again until there is something to see. */
export async function until(look: () => boolean | Promise<boolean>, what: string): Promise<void> {
  for (const end = Date.now() + patience; !(await look()); await new Promise((resolve) => setTimeout(resolve, 50)))
    assert.ok(Date.now() < end, what);
}

function appears(what: Locator): Promise<boolean> {
  return what.waitFor({ timeout: 5000 }).then(
    () => true,
    () => false,
  );
}
