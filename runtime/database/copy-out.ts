import { type ClientBase, Query } from 'pg';
import { Problem } from '../../contracts/problems.js';

/** A row of `COPY … TO STDOUT (FORMAT binary)`: its fields, in order. They are gone when the reader returns. */
export type CopiedRow = readonly (Buffer | null)[];

/** Any time limit is the server's: a copy takes as long as there are rows. */
const noTimeout = 2 ** 31 - 1;
const signature = Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1');

/** The message that holds a row, and where its first field begins: four bytes of length, then the field. Both are gone when the reader returns. */
export type ReadBytes = (message: Buffer, at: number) => void;

/** Hands every row of a binary copy to the reader as it comes in; nothing is kept. */
export const copyOut = (client: ClientBase, text: string, read: (row: CopiedRow) => void): Promise<void> =>
  copyBytes(client, text, (message, at) => read(fieldsIn(message, at)));

/** The same for a reader that knows the fields: nothing is cut into pieces. */
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

/** Before the fields of a row stands how many they are; the last message has none. */
const countBytes = 2;

/** How long the header is that the first message begins with. */
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
