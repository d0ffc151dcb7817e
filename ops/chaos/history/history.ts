/** One operation of a transaction: a value is appended to the list of a key, or the list is read. */
export type Operation =
  | { readonly f: 'append'; readonly key: number; readonly value: number }
  /** Without a list, nobody knows what it read. */
  | { readonly f: 'r'; readonly key: number; readonly list?: readonly number[] | undefined };

/** `ok` was acknowledged, `fail` stored nothing, and of `info` nobody knows. */
export type TransactionEnd = 'ok' | 'fail' | 'info';

/** A transaction as its client saw it. Moments are counted from 0, in the order in which all clients saw them. */
export interface Transaction {
  readonly process: number;
  readonly invoked: number;
  readonly ended: number;
  readonly end: TransactionEnd;
  readonly operations: readonly Operation[];
}

/** A history in the form that Elle reads: one map of EDN on each line, see `elle-cli --model list-append`. */
export function ednOf(transactions: readonly Transaction[]): string {
  const moments = transactions.flatMap(({ process, invoked, ended, end, operations }) => [
    { at: invoked, process, type: 'invoke', operations: operations.map(withoutList) },
    { at: ended, process, type: end, operations },
  ]);
  return moments
    .sort((one, other) => one.at - other.at)
    .map(
      ({ process, type, operations }, index) =>
        `{:index ${index}, :time ${index}, :type :${type}, :process ${process}, :f :txn, :value [${operations.map(operationOf).join(' ')}]}\n`,
    )
    .join('');
}

const withoutList = (operation: Operation): Operation =>
  operation.f === 'r' ? { f: 'r', key: operation.key } : operation;

const operationOf = (operation: Operation): string =>
  operation.f === 'append'
    ? `[:append ${operation.key} ${operation.value}]`
    : `[:r ${operation.key} ${operation.list === undefined ? 'nil' : `[${operation.list.join(' ')}]`}]`;
