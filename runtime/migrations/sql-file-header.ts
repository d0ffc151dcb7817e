import { MigrationFailureReason } from '../../contracts/migration.js';
import { MigrationFailure } from './failure.js';
import type { SchemaLevels } from './schema-levels.js';

/** A column whose type or values change while the table is in use. */
export interface ColumnCopy {
  readonly table: string;
  readonly column: string;
  readonly type: string;
  /** The new value, as an expression over the columns of the row. */
  readonly using: string;
}

/** The settings of a file, in lines that start with `-- svc:`. */
interface FileHeader {
  readonly copy: ColumnCopy | undefined;
  readonly levels: SchemaLevels;
  /** It may run again whenever its text changes. */
  readonly isRepeatable: boolean;
}

const line = /^\s*--\s*svc:\s*(.*?)\s*$/gm;

const repeatable = /^--\s*svc:\s*repeatable\s*$/;

/** Reads `-- svc: column-copy table=… column=… type=… using=…`, `-- svc: level=2`, `-- svc: min-level=2` and `-- svc: repeatable`. */
export function headerOf(file: string, sql: string): FileHeader {
  let copy: ColumnCopy | undefined;
  let levels: SchemaLevels = { level: 1, least: 1 };
  const isRepeatable = repeatable.test(sql.replace(/^\ufeff/, '').split('\n', 1)[0] ?? '');
  for (const [, text = ''] of sql.matchAll(line)) {
    const [, what, number] = /^(level|min-level)=(\d{1,9})$/.exec(text) ?? [];
    if (what === 'level') levels = { ...levels, level: Math.max(levels.level, Number(number)) };
    else if (what === 'min-level') levels = { ...levels, least: Math.max(levels.least, Number(number)) };
    else if (text.startsWith('column-copy ') && copy === undefined) copy = columnCopyOf(file, text);
    else if (text !== 'repeatable') throw unreadable(file, `'-- svc: ${text}' is not understood`);
    else if (!isRepeatable) throw unreadable(file, 'repeatable is allowed on the first line only');
  }
  if (isRepeatable && copy !== undefined && copy.using !== castOf(copy)) {
    throw unreadable(
      file,
      'a column-copy with using= would run over its own values and cannot be repeatable',
    );
  }
  return { copy, isRepeatable, levels: { ...levels, level: Math.max(levels.level, levels.least) } };
}

const fields = ['table', 'column', 'type', 'using'] as const;

function columnCopyOf(file: string, text: string): ColumnCopy {
  const found = new Map<string, string>();
  // Everything after using= is an expression.
  const [rest = '', using] = text.slice('column-copy '.length).split(/(?:^|\s)using=(.*)$/s);
  for (const [, name = '', value = ''] of rest.matchAll(/(\w+)=(.*?)(?=\s+\w+=|\s*$)/g))
    found.set(name, value);
  const unknown = [...found.keys()].find((name) => !fields.some((field) => field === name));
  if (unknown !== undefined) throw unreadable(file, `column-copy has no '${unknown}='`);
  const { table, column, type } = Object.fromEntries(found);
  if (!table || !column || !type) throw unreadable(file, 'column-copy needs table=, column= and type=');
  if (!/^[\w"]+(?:\.[\w"]+)?$/.test(table)) throw unreadable(file, `'${table}' is not a table name`);
  if (!/^[a-z_][\w$]*$/.test(column)) throw unreadable(file, `'${column}' is not a column name`);
  if (!/^[\w "[\](),.]+$/.test(type)) throw unreadable(file, `'${type}' is not a type`);
  return { table, column, type, using: using ?? castOf({ column, type }) };
}

const castOf = ({ column, type }: Pick<ColumnCopy, 'column' | 'type'>): string => `${column}::${type}`;

const unreadable = (file: string, detail: string): MigrationFailure =>
  new MigrationFailure(
    MigrationFailureReason.SqlError,
    `${file}: ${detail}; write -- svc: column-copy table=orders column=total type=numeric(12,2) using=total::numeric(12,2), or -- svc: level=2, or -- svc: min-level=2, or -- svc: repeatable.`,
  );
