import { type ClientBase, Query } from 'pg';

const signature = Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1');
/** No flags, no extension. */
const header = Buffer.concat([signature, Buffer.alloc(8)]);
const end = Buffer.from([0xff, 0xff]);
const noTimeout = 2 ** 31 - 1;

/** What pg gives a query that copies. */
interface CopyConnection {
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
}

/** Runs a binary `COPY … FROM STDIN` with these rows, each as PostgreSQL would copy it out. */
export const copyIn = (client: ClientBase, text: string, rows: Buffer): Promise<void> =>
  new Promise((resolve, reject) => {
    client.query(
      new CopyIn(text, rows, (error) => {
        if (error) reject(error);
        else resolve();
      }),
    );
  });

class CopyIn extends Query {
  readonly query_timeout = noTimeout;
  // pg itself has a member named rows.
  readonly #bytes: Buffer;

  constructor(text: string, rows: Buffer, settle: (error: Error | null | undefined) => void) {
    super({ text }, settle);
    this.#bytes = rows;
  }

  /** Called by the client once the server expects the rows. */
  handleCopyInResponse(connection: CopyConnection): void {
    for (const chunk of [header, this.#bytes, end]) connection.sendCopyFromChunk(chunk);
    connection.endCopyFrom();
  }
}
