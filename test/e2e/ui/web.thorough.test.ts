import { inWindow, until } from "../host/window.ts";
import { keptResults } from "../installed.ts";

inWindow("the web extension", { web: true }, (vscode) => {
  it("shows its results again after the page was reloaded", async () => {
    const name = "quickstart.recorded.rpc.json";
    const balance = () =>
      vscode
        .output()
        .getByText(/^≈?[\d,.]+ ether$/)
        .first();
    await vscode.open(name);
    await vscode.runAll();
    await balance().waitFor();
    await until(() => keptResults(vscode.installation).includes(name), "results are kept");
    await vscode.reload();
    await vscode.open(name); // the page may be too young for the editor to know what was open
    await vscode.page
      .locator(".cell-statusbar-container", { hasText: /from \d/ })
      .first()
      .waitFor();
    await balance().waitFor();
    await vscode.screenshot("web-kept");
  });
});
