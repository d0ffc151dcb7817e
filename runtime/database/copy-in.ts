import { type ClientBase, Query } from 'pg';

/** The part of the connection that a copy uses. */
interface Connection {
  sendCopyFromChunk(chunk: Uint8Array): void;
  endCopyFrom(): void;
}

/** As long as it takes: the server limits the time. */
const noTimeout = 2 ** 31 - 1;

/** Runs `COPY … FROM STDIN` with this content. */
export const copyIn = (client: ClientBase, text: string, content: Uint8Array): Promise<void> =>
  new Promise((resolve, reject) => {
    client.query(
      new CopyIn(text, content, (error) => {
        if (error) reject(error);
        else resolve();
      }),
    );
  });

class CopyIn extends Query {
  readonly query_timeout = noTimeout;

  constructor(
    text: string,
    private readonly content: Uint8Array,
    settle: (error: Error | null | undefined) => void,
  ) {
    super({ text }, settle);
  }

  /** Called by the client when the server is ready for the content. */
  handleCopyInResponse(connection: Connection): void {
    connection.sendCopyFromChunk(this.content);
    connection.endCopyFrom();
  }
}

const signature = Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1');
/** No flags, no extension. */
const header = Buffer.concat([signature, Buffer.alloc(8)]);
const end = Buffer.from([0xff, 0xff]);

/** The content of a binary copy with these rows, each as PostgreSQL would copy it out. */
export const binaryContent = (rows: Buffer): Buffer => Buffer.concat([header, rows, end]);
