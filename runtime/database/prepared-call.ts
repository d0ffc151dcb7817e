import type { Writable } from 'node:stream';
import { type ClientBase, Query } from 'pg';
import { BindFrame, type BoundValue } from './bind-frame.js';
import { outcomeUnknown, storeUnavailable } from './sql-error.js';
import { warningsOf } from './server-warnings.js';

/** A row as PostgreSQL sends it: text, or null. */
type Row = readonly (string | null)[];

export interface PreparedStatement {
  readonly name: string;
  readonly text: string;
  /** After this time without a response the call fails with an unknown outcome. */
  readonly timeoutMs?: number;
}

/** The part of the connection that a query uses. */
interface Connection {
  readonly stream: Writable;
  readonly parsedStatements: Readonly<Record<string, string>>;
  readonly submittedNamedStatements: Record<string, string>;
  parse(statement: PreparedStatement): void;
}

/**
 * Calls a statement that returns one row, repeatedly but one call at a time. A call that was never sent fails with
 * `store-unavailable`, one that was answered with a warning with `outcome-unknown`.
 */
export function preparedCall(
  client: ClientBase,
  statement: PreparedStatement,
): (values: readonly BoundValue[]) => Promise<Row> {
  const frame = new BindFrame(statement.name);
  const warnings = warningsOf(client);
  return (values) =>
    new Promise((resolve, reject) => {
      const before = warnings.count;
      const call = new Call(statement, frame.of(values), (error, row) => {
        if (error) reject(call.wasSent ? error : storeUnavailable(error));
        else if (warnings.count === before) resolve(row);
        else reject(outcomeUnknown(warnings.last));
      });
      client.query(call);
    });
}

/** Writes its own messages: the arguments are copied once, into a reused buffer. */
class Call extends Query {
  #row: Row = [];
  wasSent = false;
  /** Read by the client. */
  readonly query_timeout: number | undefined;

  constructor(
    private readonly statement: PreparedStatement,
    private readonly frame: Buffer,
    settle: (error: Error | null | undefined, row: Row) => void,
  ) {
    super(statement, (error) => {
      settle(error, this.#row);
    });
    this.query_timeout = statement.timeoutMs;
  }

  /** Called by the client when the query may run. */
  prepare(connection: Connection): void {
    const { name, text } = this.statement;
    this.wasSent = true;
    if (!(name in connection.parsedStatements)) {
      connection.parse(this.statement);
      connection.submittedNamedStatements[name] = text;
    }
    connection.stream.write(this.frame);
  }

  /** Called by the client; the fields are known, so they are not described. */
  handleDataRow({ fields }: { readonly fields: Row }): void {
    this.#row = fields;
  }
}
