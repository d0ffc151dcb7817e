import { type ClientBase, Query } from 'pg';

/** A row of `COPY … TO STDOUT (FORMAT binary)`: its fields, in order. They are gone when the reader returns. */
export type CopiedRow = readonly (Buffer | null)[];

/** Any time limit is the server's: a copy takes as long as there are rows. */
const noTimeout = 2 ** 31 - 1;
const signature = Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1');

/** Hands every row of a binary copy to the reader as it comes in; nothing is kept. */
export function copyOut(client: ClientBase, text: string, read: (row: CopiedRow) => void): Promise<void> {
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
    private readonly read: (row: CopiedRow) => void,
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
      const row = rowIn(chunk, this.#hasBegun ? 0 : headerOf(chunk));
      this.#hasBegun = true;
      if (row !== undefined) this.read(row);
    } catch (error) {
      this.#failure = error instanceof Error ? error : undefined;
    }
  }
}

/** How long the header is that the first message begins with. */
const headerOf = (chunk: Buffer): number =>
  chunk.subarray(0, signature.length).equals(signature)
    ? signature.length + 8 + chunk.readInt32BE(signature.length + 4)
    : 0;

/** The last message has no row. */
function rowIn(chunk: Buffer, from: number): CopiedRow | undefined {
  let at = from;
  if (at >= chunk.length) return undefined;
  const count = chunk.readInt16BE(at);
  if (count < 0) return undefined;
  at += 2;
  const row: (Buffer | null)[] = [];
  for (let field = 0; field < count; field++) {
    const length = chunk.readInt32BE(at);
    at += 4;
    row.push(length < 0 ? null : chunk.subarray(at, at + length));
    if (length > 0) at += length;
  }
  return row;
}
