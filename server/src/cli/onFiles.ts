import type { Host } from "../workspace/host.ts";
import { check } from "./check.ts";
import type { Command } from "./command.ts";
import { exportFile } from "./export.ts";
import { format } from "./fmt.ts";
import { importFiles } from "./import.ts";
import type { CommandLineHost } from "./main.ts";
import { run } from "./run.ts";

/** The commands that read the files which they are given. @returns The exit code. */
export function executeOnFiles(
  command: Extract<Command, { readonly name: "check" | "run" | "fmt" | "import" | "export" }>,
  lent: Host,
  host: CommandLineHost,
): Promise<number> {
  switch (command.name) {
    case "check":
      return check(command, lent, host.terminal);
    case "run":
      return run(command, lent, host.terminal, host.signal);
    case "fmt":
      return format(command, lent, host.terminal, host.signal);
    case "import":
      return importFiles(command, lent, host);
    case "export":
      return exportFile(command, lent, host.terminal);
  }
}
