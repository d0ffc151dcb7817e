import { type ClientBase, Query } from 'pg';
import { Problem } from '../../contracts/problems.js';

/** A row of `COPY … TO STDOUT (FORMAT binary)`: its fields, in order. Valid only until the reader returns. */
export type CopiedRow = readonly (Buffer | null)[];

/** The server limits the time; a copy takes as long as there are rows. */
const noTimeout = 2 ** 31 - 1;
const signature = Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1');

/** The message that holds a row, and the offset of its first field: a length of four bytes, then the field. Valid only until the reader returns. */
export type ReadBytes = (message: Buffer, at: number) => void;

/** Passes every row of a binary copy to the reader as it arrives; nothing is buffered. */
export const copyOut = (client: ClientBase, text: string, read: (row: CopiedRow) => void): Promise<void> =>
  copyBytes(client, text, (message, at) => read(fieldsIn(message, at)));

/** The same for a reader that knows the fields: rows are not split. */
export function copyBytes(client: ClientBase, text: string, read: ReadBytes): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (error: Error | null | undefined) => {
      if (error) reject(error);
      else resolve();
    };
    client.query(new CopyOut(text, read, settle));
  });
}

class CopyOut extends Query {
  readonly query_timeout = noTimeout;
  #failure: Error | undefined;
  #hasBegun = false;

  constructor(
    text: string,
    private readonly read: ReadBytes,
    settle: (error: Error | null | undefined) => void,
  ) {
    super({ text }, (error) => {
      settle(error ?? this.#failure);
    });
  }

  /** Called by the client for every message of the copy. */
  handleCopyData({ chunk }: { readonly chunk: Buffer }): void {
    if (this.#failure !== undefined) return;
    try {
      const at = this.#hasBegun ? 0 : headerOf(chunk);
      this.#hasBegun = true;
      if (at < chunk.length && chunk.readInt16BE(at) >= 0) this.read(chunk, at + countBytes);
    } catch (error) {
      this.#failure = error instanceof Error ? error : new Problem('unexpected', { cause: error });
    }
  }
}

/** Each row starts with the number of its fields; the last message has none. */
const countBytes = 2;

/** The length of the header in the first message. */
const headerOf = (chunk: Buffer): number =>
  chunk.subarray(0, signature.length).equals(signature)
    ? signature.length + 8 + chunk.readInt32BE(signature.length + 4)
    : 0;

function fieldsIn(message: Buffer, from: number): CopiedRow {
  const row: (Buffer | null)[] = [];
  for (let at = from; at < message.length;) {
    const length = message.readInt32BE(at);
    at += 4;
    row.push(length < 0 ? null : message.subarray(at, at + length));
    if (length > 0) at += length;
  }
  return row;
}
