export function unitTests(): readonly string[];
export function quickTests(): readonly string[];
export function isThorough(file: string): boolean;
export function slowestFirst(files: readonly string[]): readonly string[];
