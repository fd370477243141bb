import { check } from "./check.ts";
import type { ActingCommand } from "./command.ts";
import type { CommandLineHost, RecordingFile } from "./commandLineHost.ts";
import { decode, filesOf as decodedFiles } from "./decode.ts";
import { explain, filesOf as explainedFiles } from "./explain.ts";
import { exportFile, exportHtml } from "./export.ts";
import { isPattern } from "./files.ts";
import { format } from "./fmt.ts";
import { importFiles } from "./import.ts";
import { audit, findWhen, probe, probedFile, storage, storageFile } from "./inspect.ts";
import { intoFile, reportOutput } from "./outputFile.ts";
import { run } from "./run.ts";

type FileCommand = Exclude<ActingCommand, { readonly name: "lsp" | "completions" }>;

/**
 * Executes the commands that need files or the network. One module loads them all, so that a start reads few files.
 *
 * @param replay - The file of the option `--replay`, which is being read.
 * @returns The exit code.
 */
export async function execute(
  command: FileCommand,
  line: CommandLineHost,
  replay: Promise<RecordingFile> | undefined,
): Promise<number> {
  const opened = await withFiles(command);
  const output = "reportFile" in opened ? reportOutput(opened) : undefined;
  return output ? intoFile(output, line, (host) => act(opened, host, replay)) : act(opened, line, replay);
}

/** Commands that take several files take patterns too. */
async function withFiles(command: FileCommand): Promise<FileCommand> {
  const { name } = command;
  if (name !== "run" && name !== "check" && name !== "fmt" && name !== "import" && name !== "verify") return command;
  if (!command.files.some(isPattern)) return command;
  const { expandPatterns } = await import("./globs.ts");
  return { ...command, files: await expandPatterns(command.files) };
}

async function act(
  command: FileCommand,
  host: CommandLineHost,
  replay: Promise<RecordingFile> | undefined,
): Promise<number> {
  const { terminal } = host;
  switch (command.name) {
    case "run":
      if (command.save.length > 0) {
        const { saveCells } = await import("./saveCells.ts");
        return saveCells(command, await host.host(command), host);
      }
      return run(command, await host.host(command), host, replay);
    case "check":
      return check(command, await host.host(command), terminal);
    case "fmt":
      return format(command, await host.host(command), terminal, host.signal);
    case "decode":
      return decode(command, await host.host({ ...command, files: decodedFiles(command) }), host);
    case "explain":
      return explain(command, await host.host({ ...command, files: explainedFiles(command) }), host);
    case "probe":
      return probe(command, await host.host({ ...command, files: [probedFile(command)] }), terminal, host.signal);
    case "audit":
      return audit(command, await host.host({ ...command, files: [probedFile(command)] }), terminal, host.signal);
    case "storage":
      return storage(command, await host.host({ ...command, files: [storageFile(command)] }), terminal, host.signal);
    case "find-when":
      return findWhen(command, await host.host({ ...command, files: [command.notebook] }), terminal, host.signal);
    case "verify": {
      const { verify } = await import("./verify.ts");
      return verify(command, await host.host({ files: command.files }), host);
    }
    case "contracts": {
      const { contracts, contractsNotebook } = await import("./contracts.ts");
      return contracts(command, await host.host({ ...command, files: [contractsNotebook] }), host);
    }
    case "import":
      return importFiles(command, await host.host(command), host);
    case "serve": {
      const { serve } = await import("./serve.ts");
      return serve(command, host);
    }
    case "export": {
      if (command.to !== "html") return exportFile(command, await host.host(command), terminal);
      return exportHtml(command, await host.host(command), host, replay);
    }
  }
}
