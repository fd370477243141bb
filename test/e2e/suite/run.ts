// VS Code loads this file in the extension host. It runs the test files next to it in the bundle's folder.
import { readdirSync } from "node:fs";
import path from "node:path";
import { finish } from "./finish.ts";

export async function run(): Promise<void> {
  const { default: Mocha } = await import("mocha");
  const mocha = new Mocha({
    ui: "bdd",
    timeout: 180_000,
    reporter: "spec",
    color: false,
    forbidOnly: true,
    forbidPending: true,
  });
  const files = readdirSync(__dirname).filter((name) => name.endsWith(".test.cjs"));
  for (const name of files.sort()) mocha.addFile(path.join(__dirname, name));
  await finish((whenDone) => mocha.run(whenDone));
}
