import { printJson } from "../base/json.ts";
import { lineColumns, plural } from "../base/text.ts";
import type { Service } from "../service/service.ts";
import type { Host } from "../workspace/host.ts";
import type { CheckOptions } from "./command.ts";
import { isEndpointsFile, type NotebookFile, openFiles } from "./files.ts";
import { openService, pathOf, readNeeded } from "./openService.ts";
import { exitCodes, type Terminal } from "./terminal.ts";

/** `rpc-notebook check`: prints the problems that an editor underlines, faults of the JSON included. Sends nothing. */
export async function check({ files: names, report }: CheckOptions, host: Host, screen: Terminal): Promise<number> {
  const { service, terminal } = openService(host, screen);
  const files = await openFiles(names, host.files, terminal);
  if (!files) return exitCodes.usage;
  const findings: Finding[] = [];
  for (const file of files) findings.push(...(await checkFile(file, service)));
  for (const one of service.fileDiagnostics()) {
    const { start, severity, code, message } = one;
    findings.push({ file: pathOf(one), ...start, severity, code, message });
  }
  const errors = findings.filter(({ severity }) => severity === "error").length;
  if (report === "json") terminal.print(printJson(findings, 2));
  else printFindings(findings, files, errors, terminal);
  return errors > 0 ? exitCodes.failed : exitCodes.ok;
}

type Finding = Readonly<Record<"line" | "column", number> & Record<"file" | "severity" | "code" | "message", string>>;

/** A file of endpoints has no findings of its own: it is read as for a notebook in its folder. */
async function checkFile({ name, uri, text }: NotebookFile, service: Service): Promise<readonly Finding[]> {
  if (isEndpointsFile(name)) {
    const notebook = new URL("check.rpc.json", uri).href;
    service.openText(notebook, `{ "cells": [] }`);
    await service.settled(notebook);
    return [];
  }
  service.openText(uri, text);
  await readNeeded(uri, service);
  const problems = [...service.diagnostics(uri)].sort((a, b) => a.span.start - b.span.start);
  const placeOf = lineColumns(text);
  return problems.map(({ span, severity, code, message }) => {
    return { file: name, ...placeOf(span.start), severity, code, message };
  });
}

function printFindings(
  findings: readonly Finding[],
  files: readonly NotebookFile[],
  errors: number,
  terminal: Terminal,
): void {
  for (const { file, line, column, severity, code, message } of findings) {
    const word = terminal.paint(severity === "error" ? "red" : "yellow", severity);
    terminal.print(`${file}:${line}:${column}: ${word} ${code}: ${message}`);
  }
  const others = plural(findings.length - errors, "warning or hint", "warnings and hints");
  const total = findings.length === 0 ? "no problems" : `${plural(errors, "error")}, ${others}`;
  const noun = files.some(({ name }) => isEndpointsFile(name)) ? "file" : "notebook";
  terminal.print(`${plural(files.length, noun)}: ${total}`);
}
