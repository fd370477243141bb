// Settings of the person and of the workspace, and what an editor tells the server at its start.

/** `initializationOptions`; every member may be left out by other editors. */
export interface InitializationOptions {
  /** The editor trusts this workspace. Default true: a person started the server there. */
  readonly trusted?: boolean;
  /** The client answers `rpcNotebook/readFile`, `rpcNotebook/readFolder` and `rpcNotebook/writeFile`, for workspaces that are not on this machine's disk. Files that are, the server writes itself. */
  readonly readsFiles?: boolean;
  /** URI of the table of signatures, which a server in a worker reads by `rpcNotebook/readFile` when it needs it. */
  readonly signatures?: string;
  /** The client answers `rpcNotebook/approveHost`, and remembers the answer. Else `window/showMessageRequest` asks. */
  readonly approvesHosts?: boolean;
  /** The client has the command `rpcNotebook.runCell` (arguments: URI, cell index), so code lenses call that. */
  readonly runsCells?: boolean;
  /** The client shows results under cells and answers `rpcNotebook/refreshResults`, to ask then for `rpcNotebook/staleness`. */
  readonly marksStaleResults?: boolean;
  /** The client answers `rpcNotebook/secretNames` and `rpcNotebook/readSecrets`, and has the command `rpcNotebook.setSecret`. */
  readonly keepsSecrets?: boolean;
  /** What was granted in earlier sessions: `grants` of questions that got a yes. */
  readonly approvedHosts?: readonly string[];
  readonly settings?: Settings;
  /** URI of a folder, with a slash at its end, where `docs/problems.md` can be read. Problems then link there. */
  readonly docs?: string;
}

/** Settings under `rpcNotebook`, and VS Code's proxy settings; also the payload of `workspace/didChangeConfiguration`. */
export interface Settings {
  readonly rpcNotebook?: {
    /** The person's own. What files of the workspace set belongs in `workspace`. */
    readonly endpoint?: string;
    readonly endpoints?: Readonly<Record<string, unknown>>;
    /** Methods outside of the catalogue that only read, by name or as `namespace_*`. The person's own. */
    readonly readMethods?: readonly string[];
    /** Paths of OpenRPC documents, from the workspace folder. */
    readonly openrpc?: readonly string[];
    /** Seconds for one exchange. */
    readonly timeout?: number;
    /** Megabytes of one answer. */
    readonly maxResponseSize?: number;
    /** Ask contracts for the symbol and decimals of amounts in answers; true by default. */
    readonly tokenLookup?: boolean;
    /**
     * Whether hints say what requests would give now, in documents of which cells have been run: not, where nothing
     * limits the rate, or everywhere; `off` by default.
     */
    readonly liveHints?: "off" | "on" | "always";
  };
  /** The person's own, or the machine's. */
  readonly http?: { readonly proxy?: string; readonly noProxy?: readonly string[]; readonly proxyStrictSSL?: boolean };
  /** What files of the workspace set. They come with the repository, so every site in them is asked about. */
  readonly workspace?: {
    readonly endpoint?: string;
    readonly endpoints?: Readonly<Record<string, unknown>>;
  };
}
