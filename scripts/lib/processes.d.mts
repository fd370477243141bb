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
