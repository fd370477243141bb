#!/usr/bin/env node
// Replaces VS Code's executable: `runTests({ vscodeExecutablePath })` of @vscode/test-electron starts it.
import { register } from "tsx/esm/api";

register();
const { main } = await import("./commandLine.ts");
process.exit(await main(process.argv.slice(2)));
