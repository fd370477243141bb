export function closeAtEnd(close: () => Promise<unknown>): void;
export function closeAll(): Promise<void>;
export function closeAfterTest(close: () => Promise<unknown>): void;
export function beginOpening(): void;
export function closeOpened(): Promise<void>;
