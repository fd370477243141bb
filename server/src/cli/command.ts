import type { ExportForm } from "../convert/exported.ts";
import type { ImportForm } from "../convert/forms.ts";
import type { StreamBounds } from "../protocol/runs.ts";
import type { CommandName, Shell } from "./flags.ts";

/** What the command line asks for. */
export type Command =
  | { readonly name: "help"; readonly topic: CommandName | undefined }
  | { readonly name: "version" }
  | { readonly name: "lsp" }
  | ({ readonly name: "check" } & CheckOptions)
  | ({ readonly name: "fmt" } & FormatOptions)
  | ({ readonly name: "decode" } & DecodeOptions)
  | ({ readonly name: "probe" } & ProbeOptions)
  | ({ readonly name: "audit" } & AuditOptions)
  | ({ readonly name: "import" } & ImportOptions)
  | ({ readonly name: "export" } & ExportOptions)
  | { readonly name: "completions"; readonly shell: Shell }
  | ({ readonly name: "run" } & RunOptions);

export interface CheckOptions {
  readonly files: readonly string[];
  readonly report: "text" | "json";
}

export interface FormatOptions {
  readonly files: readonly string[];
  /** Write nothing, and say which files would change. */
  readonly check: boolean;
}

export interface RunOptions {
  readonly files: readonly string[];
  readonly endpoint: string | undefined;
  /** Name and text of each `--var`; text that is JSON is taken as JSON. */
  readonly variables: readonly (readonly [string, string])[];
  readonly cells: readonly string[];
  readonly report: "text" | "json" | "junit";
  /** Hold the answers against the snapshot beside each notebook, or write it. */
  readonly snapshot: "check" | "update" | undefined;
  /** Run each notebook again when it is saved. */
  readonly watch: boolean;
  /** Notebooks that run at once. */
  readonly jobs: number;
  readonly allowWrites: boolean;
  readonly allowHosts: readonly string[];
  /** Methods outside of the catalogue that may be sent, by name or as `namespace_*`. */
  readonly allowMethods: readonly string[];
  /** Seconds for one exchange. */
  readonly timeout: number | undefined;
  /** When subscription cells end by themselves. */
  readonly stream: StreamBounds;
  /** Run each request at several blocks, or at another endpoint as well, and show the answers side by side. */
  readonly compare: { readonly tags: readonly string[] } | { readonly with: string } | undefined;
}

export interface DecodeOptions {
  /** What is to be decoded; `undefined` where it comes over standard input. */
  readonly text: string | undefined;
  /** Paths of files, and signatures. */
  readonly abis: readonly string[];
  /** The function whose returned data it is. */
  readonly called: string | undefined;
  /** Topics and data of a log, as they were typed. */
  readonly log: { readonly topics: readonly string[]; readonly data: string } | undefined;
  /** Where the receipt of a transaction is fetched. */
  readonly endpoint: string | undefined;
  readonly json: boolean;
  readonly allowHosts: readonly string[];
  readonly timeout: number | undefined;
}

export interface ProbeOptions {
  /** A notebook, or an endpoint by name or address. */
  readonly target: string;
  /** In place of the one that the notebook has chosen. */
  readonly endpoint: string | undefined;
  readonly json: boolean;
  readonly allowHosts: readonly string[];
}

export interface AuditOptions extends ProbeOptions {
  /** Milliseconds. */
  readonly forMs: number;
}

export interface ImportOptions {
  /** None where the text comes over standard input. */
  readonly files: readonly string[];
  /** The notebook to be written; `undefined` for standard output. */
  readonly out: string | undefined;
  /** `undefined` where the text shows what it is. */
  readonly from: ImportForm | undefined;
}

export interface ExportOptions {
  readonly files: readonly [string];
  readonly to: ExportForm;
  /** One cell, by its name or its number from 1. */
  readonly cell: string | undefined;
}
