import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const made: string[] = [];

/** Creates an empty folder, which is removed when the process ends. Its path has no links. */
export function temporaryFolder(): string {
  if (made.length === 0) process.once("exit", removeAll);
  const folder = mkdtempSync(join(realpathSync(tmpdir()), "rpc-notebook-"));
  made.push(folder);
  return folder;
}

function removeAll(): void {
  for (const folder of made) rmSync(folder, { recursive: true, force: true });
}
