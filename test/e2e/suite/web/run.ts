// VS Code loads this file in the web worker's extension host. Bundled with the test files, which must come after `setup`.
import "mocha"; // resolves to Mocha's own bundle for browsers, which makes `mocha` global
import { finish } from "../finish.ts";

export function setup(): void {
  mocha.setup({ ui: "bdd", timeout: 180_000, reporter: "spec", color: false, forbidOnly: true, forbidPending: true });
}

export function run(): Promise<void> {
  return finish((whenDone) => mocha.run(whenDone));
}
