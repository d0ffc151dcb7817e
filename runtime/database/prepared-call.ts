import type { Writable } from 'node:stream';
import { type ClientBase, Query } from 'pg';
import { BindFrame, type Bound } from './bind-frame.js';

/** A row as PostgreSQL sends it: text, or null. */
type Row = readonly (string | null)[];

export interface PreparedStatement {
  readonly name: string;
  readonly text: string;
}

/** What a query does with the connection that it is given. */
interface Connection {
  readonly stream: Writable;
  readonly parsedStatements: Readonly<Record<string, string>>;
  readonly submittedNamedStatements: Record<string, string>;
  parse(statement: PreparedStatement): void;
}

/** Calls a statement that answers with one row, again and again; not before it has answered. */
export function preparedCall(
  client: ClientBase,
  statement: PreparedStatement,
): (values: readonly Bound[]) => Promise<Row> {
  const frame = new BindFrame(statement.name);
  return (values) =>
    new Promise((resolve, reject) => {
      const settle = (error: Error | null | undefined, row: Row) => {
        if (error) reject(error);
        else resolve(row);
      };
      client.query(new Call(statement, frame.of(values), settle));
    });
}

/** Brings its messages along: what is sent is copied once, into memory that is there already. */
class Call extends Query {
  #row: Row = [];

  constructor(
    private readonly statement: PreparedStatement,
    private readonly frame: Buffer,
    settle: (error: Error | null | undefined, row: Row) => void,
  ) {
    super(statement, (error) => {
      settle(error, this.#row);
    });
  }

  /** Called by the client when it is this query's turn. */
  prepare(connection: Connection): void {
    const { name, text } = this.statement;
    if (!(name in connection.parsedStatements)) {
      connection.parse(this.statement);
      connection.submittedNamedStatements[name] = text;
    }
    connection.stream.write(this.frame);
  }

  /** Called by the client; the fields are not described, they are known. */
  handleDataRow({ fields }: { readonly fields: Row }): void {
    this.#row = fields;
  }
}
