export interface Ended {
  readonly ok: boolean;
  readonly output: string;
}

export interface RunOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly maxSilenceMs?: number;
  readonly onOutput?: (text: string) => void;
}

export function run(command: string, args: readonly string[], options?: RunOptions): Promise<Ended>;

export interface System {
  readonly platform: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface Start {
  readonly file: string;
  readonly args: readonly string[];
  readonly options: { readonly windowsVerbatimArguments?: boolean };
}

export function onPath(program: string, system?: System): boolean;
export function startOf(program: string, args: readonly string[], system?: System): Start;
export function ownTree(platform?: NodeJS.Platform): { readonly detached: boolean; readonly windowsHide: boolean };
export function killTree(leader: number, signal: NodeJS.Signals, platform?: NodeJS.Platform): void;
