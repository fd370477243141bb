/**
 * Values that are read from files for each document: read when it is opened, read again when it names other files or
 * when files may have changed, and forgotten when it is closed. Of several readings the one that began last counts.
 */
export class DocumentCache<Value> {
  readonly #empty: Value;
  readonly #host: DocumentCacheHost<Value>;
  readonly #values = new Map<string, Value>();
  readonly #readings = new Map<string, Promise<Value>>();
  /** The names of the files that each document was last read for. */
  readonly #sources = new Map<string, string>();

  /** @param empty - The value of a document until its first reading has ended. */
  constructor(empty: Value, host: DocumentCacheHost<Value>) {
    this.#empty = empty;
    this.#host = host;
  }

  /**
   * Reads for a document unless this was done for the same sources.
   *
   * @param sources - Identifies everything that the document itself contributes to the value.
   */
  follow(uri: string, sources: string, read: () => Promise<Value>): void {
    if (this.#sources.get(uri) === sources) return;
    this.#sources.set(uri, sources);
    void this.refresh(uri, read);
  }
  /**
   * Reads again.
   *
   * @param read - Never rejects.
   * @returns The value of this reading, even if a later one has replaced it.
   */
  refresh(uri: string, read: () => Promise<Value>): Promise<Value> {
    const reading = read().then((value) => {
      if (this.#readings.get(uri) === reading) this.set(uri, value);
      return value;
    });
    this.#readings.set(uri, reading);
    return reading;
  }
  /** Sets a value that needs no reading. */
  set(uri: string, value: Value): void {
    this.#readings.delete(uri);
    const last = this.of(uri);
    const isUnchanged = this.#host.isSame(last, value);
    this.#values.set(uri, isUnchanged ? last : value);
    if (!isUnchanged) this.#host.changed(uri);
  }
  /** Returns what was read last. The same object for as long as nothing changes. */
  of(uri: string): Value {
    return this.#values.get(uri) ?? this.#empty;
  }
  has(uri: string): boolean {
    return this.#values.has(uri);
  }
  /** URIs of the documents that have a value. */
  uris(): Iterable<string> {
    return this.#values.keys();
  }
  values(): Iterable<Value> {
    return this.#values.values();
  }
  /** Returns the reading that is under way for a document that has no value yet. */
  firstReading(uri: string): Promise<Value> | undefined {
    return this.#values.has(uri) ? undefined : this.#readings.get(uri);
  }
  /** Returns the first readings of all documents, those that are under way. */
  firstReadings(): readonly Promise<Value>[] {
    return [...this.#readings.keys()].flatMap((uri) => this.firstReading(uri) ?? []);
  }
  /** Resolves when no reading is under way for the document. */
  async settled(uri: string): Promise<void> {
    while (this.#readings.has(uri)) await this.#readings.get(uri);
  }
  forget(uri: string): void {
    for (const map of [this.#values, this.#readings, this.#sources]) map.delete(uri);
  }
  /** Forgets all documents but these. */
  forgetOthers(uris: ReadonlySet<string>): void {
    for (const uri of [...this.#values.keys(), ...this.#readings.keys()]) if (!uris.has(uri)) this.forget(uri);
  }
}

interface DocumentCacheHost<Value> {
  /** Decides whether a new value replaces the last one. */
  isSame(last: Value, value: Value): boolean;
  /** Called when the value of a document is another one. */
  changed(uri: string): void;
}
