/** Bytes of a file that is read, and of one answer when it is masked. */
export const maxRecordingBytes = 256_000_000;
