/** An argument of a statement: a Buffer is sent as binary, null as such, anything else as text. */
export type BoundValue = Buffer | string | number | null;

const maxKeptBytes = 1 << 20;
/** Execute the unnamed portal without a row limit, then sync. */
const runAndSync = Buffer.from([0x45, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0x53, 0, 0, 0, 4]);

/** The messages that bind and run a prepared statement, written into one reused buffer. */
export class BindFrame {
  readonly #statement: Buffer;
  #buffer = Buffer.allocUnsafe(64 << 10);

  constructor(statement: string) {
    this.#statement = Buffer.from(`\0${statement}\0`);
  }

  /** Valid until the next call. */
  of(values: readonly BoundValue[]): Buffer {
    const fields = values.map((value) =>
      value === null || Buffer.isBuffer(value) ? value : Buffer.from(String(value)),
    );
    const formats = 2 + 2 * values.length;
    const sizes = fields.reduce((sum, field) => sum + 4 + (field?.length ?? 0), 0);
    const bind = 4 + this.#statement.length + formats + 2 + sizes + 4;
    const frame = this.#reserve(1 + bind + runAndSync.length);
    frame[0] = 0x42;
    let at = frame.writeInt32BE(bind, 1);
    at += this.#statement.copy(frame, at);
    at = frame.writeInt16BE(values.length, at);
    for (const value of values) at = frame.writeInt16BE(Buffer.isBuffer(value) ? 1 : 0, at);
    at = frame.writeInt16BE(values.length, at);
    for (const field of fields) {
      const from = frame.writeInt32BE(field?.length ?? -1, at);
      at = from + (field?.copy(frame, from) ?? 0);
    }
    // All results as text.
    at = frame.writeInt16BE(0, frame.writeInt16BE(1, at));
    runAndSync.copy(frame, at);
    return frame;
  }

  #reserve(size: number): Buffer {
    if (size > maxKeptBytes) return Buffer.allocUnsafe(size);
    if (size > this.#buffer.length) this.#buffer = Buffer.allocUnsafe(Math.min(maxKeptBytes, 2 * size));
    return this.#buffer.subarray(0, size);
  }
}
