import { check } from "./check.ts";
import type { ActingCommand } from "./command.ts";
import type { CommandLineHost } from "./commandLineHost.ts";
import { decode, filesOf as decodedFiles } from "./decode.ts";
import { exportFile } from "./export.ts";
import { format } from "./fmt.ts";
import { importFiles } from "./import.ts";
import { audit, probe, filesOf as probedFiles } from "./probe.ts";
import { run } from "./run.ts";

/**
 * Executes the commands that need files or the network. One module loads them all, so that a start reads few files.
 *
 * @returns The exit code.
 */
export async function execute(
  command: Exclude<ActingCommand, { readonly name: "lsp" | "completions" }>,
  host: CommandLineHost,
): Promise<number> {
  const { terminal } = host;
  switch (command.name) {
    case "run":
      return run(command, await host.host(command), host);
    case "check":
      return check(command, await host.host(command), terminal);
    case "fmt":
      return format(command, await host.host(command), terminal, host.signal);
    case "decode":
      return decode(command, await host.host({ ...command, files: decodedFiles(command) }), host);
    case "probe":
      return probe(command, await host.host({ ...command, files: probedFiles(command) }), terminal, host.signal);
    case "audit":
      return audit(command, await host.host({ ...command, files: probedFiles(command) }), terminal, host.signal);
    case "import":
      return importFiles(command, await host.host(command), host);
    case "serve": {
      const { serve } = await import("./serve.ts");
      return serve(command, await host.host(command), host);
    }
    case "export":
      return exportFile(command, await host.host(command), terminal);
  }
}
