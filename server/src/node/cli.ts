#!/usr/bin/env node
// Import nothing statically: if only this file was copied, it must still be able to say what is missing.
try {
  (await import("./compileCache.ts")).keepCompiled();
  const { runCommandLine } = await import("./commandLine.ts");
  await runCommandLine(import.meta.url);
} catch (error) {
  const message = error instanceof Error ? error.message : "";
  const [, quoted] = /^(?:Cannot find module|ENOENT: .*, open(?=.*[\\/]page\.js')) '([^']+)'/.exec(message) ?? [];
  if (quoted === undefined) throw error;
  process.stderr.write(`✗ rpc-notebook is not complete: ${quoted} is missing.
  Keep cli.mjs in the folder of its package, with all files beside it and package.json above, and link to it.\n`);
  process.exit(1);
}
