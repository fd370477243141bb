import { errors, type Page } from "playwright-core";

/** Milliseconds for each step of the command palette. */
const timeout = 2000;

/**
 * Runs a command by the title that the command palette shows. Begins again if a step fails: a page that is still loading
 * takes the focus, which closes the palette, and a palette has the commands of its time.
 */
export async function chooseCommand(page: Page, title: string): Promise<void> {
  const input = page.locator(".quick-input-widget input").first();
  const row = page.locator(".quick-input-list .monaco-list-row", { hasText: title }).first();
  for (;;) {
    await page.keyboard.press("F1");
    try {
      await input.fill(`>${title}`, { timeout });
      await row.click({ timeout });
      return;
    } catch (error) {
      if (!(error instanceof errors.TimeoutError)) throw error;
      await page.keyboard.press("Escape");
    }
  }
}

/** Waits until the hovers of all extensions have answered: only then does the palette list its rows. */
export async function hoversAnswered(page: Page): Promise<void> {
  await page.keyboard.press("F1");
  await page.locator(".quick-input-widget input").first().fill(">Show or Focus Hover");
  await page.locator(".quick-input-list .monaco-list-row", { hasText: "Hover" }).first().waitFor();
  await page.keyboard.press("Escape");
}
