export function closeAtEnd(close: () => Promise<void>): void;
export function closeAll(): Promise<void>;
