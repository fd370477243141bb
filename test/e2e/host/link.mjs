// The VS Code server looks for its modules in a `node_modules` of its own: a link there leads back to this package's.
import { rmSync, symlinkSync } from "node:fs";
import { fileURLToPath } from "node:url";

const link = fileURLToPath(new URL("node_modules/code-server/lib/vscode/node_modules", import.meta.url));
rmSync(link, { recursive: true, force: true });
symlinkSync("../../..", link, "dir");
