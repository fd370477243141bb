// Settings of the person and of the workspace, and what an editor sends to the server at its start.

/** `initializationOptions`. Other editors may leave out every member. */
export interface InitializationOptions {
  /** Whether the editor trusts this workspace. True by default: a person started the server there. */
  readonly trusted?: boolean;
  /** The client answers `rpcNotebook/readFile`, `rpcNotebook/readFolder` and `rpcNotebook/writeFile`, for workspaces that are not on this machine's disk. Files that are, the server writes itself. */
  readonly readsFiles?: boolean;
  /** URI of the table of signatures. A server in a worker reads it with `rpcNotebook/readFile` when it needs it. */
  readonly signatures?: string;
  /** URI of the code that computes traces. A server in a worker reads it in the same way. */
  readonly traceCode?: string;
  /** The client answers `rpcNotebook/approveHost`, and remembers the answer. Without it, the server asks with `window/showMessageRequest`. */
  readonly approvesHosts?: boolean;
  /** The client has the command `rpcNotebook.runCell` (arguments: URI, cell index), so code lenses call that. */
  readonly runsCells?: boolean;
  /** The client shows results under cells and answers `rpcNotebook/refreshResults`, to ask then for `rpcNotebook/staleness`. */
  readonly marksStaleResults?: boolean;
  /** The client hears `rpcNotebook/cellRedrawn`, answers `rpcNotebook/approveLookup`, and has the action `look-up-names`. */
  readonly redrawsResults?: boolean;
  /** The server pushes problems although the client can pull them. VS Code's library forgets pulled problems of cells that scroll out of view. */
  readonly takesPushedProblems?: boolean;
  /** The client answers `rpcNotebook/secretNames` and `rpcNotebook/readSecrets`, and has the command `rpcNotebook.setSecret`. */
  readonly keepsSecrets?: boolean;
  /** The client has the command `rpcNotebook.labelAddress` (argument: an address), which asks for its name. */
  readonly namesAddresses?: boolean;
  /** Approvals of earlier sessions: the `grants` of questions that were answered with yes. */
  readonly approvedHosts?: readonly string[];
  /** URI of the notebook that was open last in the session before. Its names of addresses count in other files. */
  readonly lastNotebook?: string;
  /** The extension's version, for recordings. */
  readonly version?: string;
  readonly settings?: Settings;
  /** URI of a folder, with a slash at its end, that contains `docs/problems.md`. Problems then link there. */
  readonly docs?: string;
}

/** Settings under `rpcNotebook`, and VS Code's proxy settings; also the payload of `workspace/didChangeConfiguration`. */
export interface Settings {
  readonly rpcNotebook?: {
    /** The person's own. Settings of workspace files belong in `workspace`. */
    readonly endpoint?: string;
    readonly endpoints?: Readonly<Record<string, unknown>>;
    /** Methods outside of the catalogue that only read: names, or `namespace_*`. The person's own. */
    readonly readMethods?: readonly string[];
    /** Paths of OpenRPC documents, from the workspace folder. */
    readonly openrpc?: readonly string[];
    /** Paths of ERC-7730 descriptors, files or folders, from the workspace folder. */
    readonly descriptors?: readonly string[];
    /** Seconds for one exchange. */
    readonly timeout?: number;
    /** Megabytes of one answer. */
    readonly maxResponseSize?: number;
    /** URL of the server that looks up contracts, with the API of Sourcify. The person's own. */
    readonly lookupHost?: string;
    /** Whether contracts are asked for the symbol and decimals of amounts in answers. True by default. */
    readonly tokenLookup?: boolean;
    /**
     * Whether hints show what requests would return now, in documents of which cells have been run: `off` (the default),
     * `on` for endpoints without a rate limit, or `always`.
     */
    readonly liveHints?: "off" | "on" | "always";
  };
  /** The person's own, or the machine's. */
  readonly http?: { readonly proxy?: string; readonly noProxy?: readonly string[]; readonly proxyStrictSSL?: boolean };
  /** Settings of workspace files. They come with the repository, so the server asks about every site in them. */
  readonly workspace?: {
    readonly endpoint?: string;
    readonly endpoints?: Readonly<Record<string, unknown>>;
  };
}
