import { errors, type Locator, type Page } from "playwright-core";

/** Runs a command by the title that the command palette shows. */
export function chooseCommand(page: Page, title: string): Promise<void> {
  return choose(page, "F1", `>${title}`, title);
}

/** Opens a file of the workspace by its name. The palette of files costs half of that of commands. */
export async function chooseFile(page: Page, name: string): Promise<void> {
  await choose(page, "Control+p", name, new RegExp(`^${name.replaceAll(".", "\\.")}`));
  await page.locator(".tab.active", { hasText: name }).first().waitFor();
}

/** Chooses a row of a list. The mouse may rest on another one, whose tip covers this one after a moment. */
export async function chooseRow(row: Locator, timeout?: number): Promise<void> {
  const options = timeout === undefined ? {} : { timeout };
  await row.waitFor(options);
  await row.page().mouse.move(0, 0);
  await row.click(options);
}

/** Waits until the hovers of all extensions have answered: only then does the palette list its rows. */
export async function hoversAnswered(page: Page): Promise<void> {
  await page.keyboard.press("F1");
  await page.locator(".quick-input-widget input").first().fill(">Show or Focus Hover");
  await page.locator(".quick-input-list .monaco-list-row", { hasText: "Hover" }).first().waitFor();
  await page.keyboard.press("Escape");
}

/**
 * Types into the command palette, and chooses a row. Begins again if a step fails: a page that is still loading takes the
 * focus, which closes the palette, and a palette has the rows of its time. Each try waits longer for a step.
 */
async function choose(page: Page, key: string, typed: string, text: string | RegExp): Promise<void> {
  const input = page.locator(".quick-input-widget input").first();
  const row = page.locator(".quick-input-list .monaco-list-row", { hasText: text }).first();
  for (let timeout = 3000; ; timeout *= 2) {
    await page.keyboard.press(key);
    try {
      await input.fill(typed, { timeout });
      await chooseRow(row, timeout);
      await row.waitFor({ state: "hidden", timeout }); // a list that is filled again meanwhile takes no click
      return;
    } catch (error) {
      if (!(error instanceof errors.TimeoutError)) throw error;
      await page.keyboard.press("Escape");
    }
  }
}
