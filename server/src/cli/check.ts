import { lineColumns, plural } from "../base/text.ts";
import type { Host } from "../workspace/host.ts";
import type { CheckOptions } from "./command.ts";
import { pathOf } from "./endpointFiles.ts";
import { isEndpointsFile, openFiles } from "./files.ts";
import { openService } from "./openService.ts";
import { exitCodes, printedJson, type Terminal } from "./terminal.ts";

/** `rpc-notebook check`: what the editor would underline, faults of the JSON among it; nothing is sent. */
export async function check(options: CheckOptions, host: Host, screen: Terminal): Promise<number> {
  const { service, terminal } = openService(host, screen);
  const files = await openFiles(options.files, host.files, terminal);
  if (!files) return exitCodes.usage;
  const found = [];
  for (const { name, uri, text } of files) {
    if (isEndpointsFile(name)) {
      // it is read for a notebook beside it, as one would be
      const beside = new URL("check.rpc.json", uri).href;
      service.openText(beside, `{ "cells": [] }`);
      await service.settled(beside);
      continue;
    }
    service.openText(uri, text);
    await service.settled(uri);
    service.diagnostics(uri); // what is not known now is looked for in the contracts of the project
    await service.settled(uri);
    const problems = [...service.diagnostics(uri)].sort((a, b) => a.span.start - b.span.start);
    const placeOf = lineColumns(text);
    for (const { span, severity, code, message } of problems) {
      found.push({ file: name, ...placeOf(span.start), severity, code, message });
    }
  }
  for (const one of service.fileDiagnostics()) {
    const { start, severity, code, message } = one;
    found.push({ file: pathOf(one), ...start, severity, code, message });
  }
  const errors = found.filter(({ severity }) => severity === "error").length;
  if (options.report === "json") {
    terminal.print(printedJson(found));
  } else {
    for (const { file, line, column, severity, code, message } of found) {
      const word = terminal.paint(severity === "error" ? "red" : "yellow", severity);
      terminal.print(`${file}:${line}:${column}: ${word} ${code}: ${message}`);
    }
    const rest = plural(found.length - errors, "warning or hint", "warnings and hints");
    const said = found.length === 0 ? "no problems" : `${plural(errors, "error")}, ${rest}`;
    const noun = files.some(({ name }) => isEndpointsFile(name)) ? "file" : "notebook";
    terminal.print(`${plural(files.length, noun)}: ${said}`);
  }
  return errors > 0 ? exitCodes.failed : exitCodes.ok;
}
