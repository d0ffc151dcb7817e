import type { SqlFile } from './application-migrations.js';
import { headerOf } from './sql-file-header.js';
import { runsAlone, type Statement, statementsOf, transactionalIn } from './split-statements.js';

/** A statement that would affect running code or its users. */
export interface Finding {
  readonly file: string;
  readonly line: number;
  readonly rule: string;
  /** `breaks`: running code fails; `blocks`: it waits. */
  readonly effect: 'breaks' | 'blocks';
  readonly message: string;
  /** The safe alternative. */
  readonly instead: string;
}

interface Rule {
  readonly rule: string;
  readonly effect: Finding['effect'];
  readonly matches: (normalized: string) => boolean;
  readonly message: string;
  readonly instead: string;
}

const alterTable = /^ALTER TABLE\b/;
// Objects that code uses by name.
const used =
  '(?:FOREIGN )?TABLE|(?:MATERIALIZED )?VIEW|TYPE|DOMAIN|SCHEMA|SEQUENCE|FUNCTION|PROCEDURE|ROUTINE|AGGREGATE';
const contract =
  'first deploy code that reads the new structure only; then remove the old one in a later release, in a file with -- svc: min-level=N';

const rules: readonly Rule[] = [
  {
    rule: 'not-null-without-default',
    effect: 'breaks',
    matches: (normalized) =>
      alterTable.test(normalized) &&
      addedColumns(normalized).some(
        (column) => /\b(?:NOT NULL|PRIMARY KEY)\b/.test(column) && !hasValue(column),
      ),
    message:
      'a required column without a default fails on existing rows, and on every insert of running code',
    instead:
      'add an optional column; deploy code that reads it and falls back to the old logic; backfill; then make it required',
  },
  {
    rule: 'set-not-null',
    effect: 'breaks',
    matches: (normalized) => alterTable.test(normalized) && /\bSET NOT NULL\b/.test(normalized),
    message:
      'running code that does not write the column yet fails, and the whole table is read under a lock',
    instead:
      'deploy code that always writes it; backfill; ADD CONSTRAINT … CHECK (c IS NOT NULL) NOT VALID; VALIDATE CONSTRAINT; then SET NOT NULL',
  },
  {
    rule: 'rename',
    effect: 'breaks',
    matches: (normalized) =>
      new RegExp(`^ALTER (?:${used})\\b.*\\b(?:RENAME\\b(?! CONSTRAINT)|SET SCHEMA\\b)`).test(normalized),
    message: 'running code still uses the old name',
    instead: `expand: add the new name, write both, backfill; contract: ${contract}`,
  },
  {
    rule: 'drop',
    effect: 'breaks',
    matches: (normalized) =>
      new RegExp(`^DROP (?:${used})\\b`).test(normalized) ||
      (alterTable.test(normalized) &&
        /\bDROP (?!CONSTRAINT|DEFAULT|NOT NULL|EXPRESSION|IDENTITY)/.test(normalized)),
    message: 'running code still uses what is dropped',
    instead: contract,
  },
  {
    rule: 'type-change',
    effect: 'breaks',
    matches: (normalized) =>
      alterTable.test(normalized) &&
      /\bALTER (?:COLUMN )?(?:"[^"]*"|\S+) (?:SET DATA )?TYPE\b/.test(normalized),
    message: 'the table is rewritten under a lock, and running code sees another type',
    instead: 'copy the column: -- svc: column-copy table=… column=… type=… using=…',
  },
  {
    rule: 'index-without-concurrently',
    effect: 'blocks',
    matches: (normalized) => /^CREATE (?:UNIQUE )?INDEX\b(?! CONCURRENTLY)/.test(normalized),
    message: 'writers wait until the index is built',
    instead: 'CREATE INDEX CONCURRENTLY IF NOT EXISTS, in a separate file: it runs outside a transaction',
  },
  {
    rule: 'drop-index-without-concurrently',
    effect: 'blocks',
    matches: (normalized) => /^DROP INDEX\b(?! CONCURRENTLY)/.test(normalized),
    message: 'readers and writers wait behind the lock',
    instead: 'DROP INDEX CONCURRENTLY IF EXISTS, in a separate file: it runs outside a transaction',
  },
  {
    rule: 'constraint-without-not-valid',
    effect: 'blocks',
    matches: (normalized) =>
      alterTable.test(normalized) &&
      /\bADD (?:CONSTRAINT \S+ )?(?:CHECK|FOREIGN KEY)\b/.test(normalized) &&
      !/\bNOT VALID\b/.test(normalized),
    message: 'every row is checked under a lock',
    instead: 'ADD CONSTRAINT … NOT VALID in one file, VALIDATE CONSTRAINT in the next',
  },
  {
    rule: 'unique-constraint',
    effect: 'blocks',
    matches: (normalized) =>
      alterTable.test(normalized) &&
      (/\bADD (?:CONSTRAINT (?:"[^"]*"|\S+) )?(?:UNIQUE|PRIMARY KEY)\b(?! USING INDEX)/.test(normalized) ||
        addedColumns(normalized).some((column) => /\b(?:UNIQUE|PRIMARY KEY)\b/.test(column))),
    message: 'readers and writers wait until its index is built',
    instead: 'CREATE UNIQUE INDEX CONCURRENTLY first, then ADD CONSTRAINT … UNIQUE USING INDEX',
  },
  {
    rule: 'volatile-default',
    effect: 'blocks',
    matches: (normalized) =>
      alterTable.test(normalized) &&
      addedColumns(normalized).some((column) =>
        /\bDEFAULT (?:RANDOM|GEN_RANDOM_UUID|CLOCK_TIMESTAMP|NEXTVAL|UUID\w*)\s*\(|\b(?:BIG|SMALL)?SERIAL\b|\bSTORED\b/.test(
          column,
        ),
      ),
    message: 'the whole table is rewritten under a lock, because each row gets its own value',
    instead: 'add the column without a default; SET DEFAULT; backfill in batches',
  },
  {
    rule: 'whole-table-update',
    effect: 'blocks',
    matches: (normalized) => /^(?:UPDATE|DELETE)\b/.test(normalized) && !/\bWHERE\b/.test(normalized),
    message: 'every row is locked until the end of the transaction',
    instead: 'backfill in batches, or let column-copy do it',
  },
  {
    rule: 'table-lock',
    effect: 'blocks',
    matches: (normalized) => /^(?:LOCK\b|VACUUM\b.*\bFULL\b|CLUSTER\b|TRUNCATE\b)/.test(normalized),
    message: 'readers and writers wait for the lock',
    instead: 'do it during downtime, with the recreate strategy',
  },
];

/** The state of the store that pending files are checked against. */
interface RunningVersion {
  readonly runningLevel: number;
  readonly pending: ReadonlySet<string>;
}

/** Everything risky, in the order of the files. Objects that the same file creates are not in use yet. */
export async function lintMigrations(
  files: readonly SqlFile[],
  _running?: RunningVersion,
): Promise<Finding[]> {
  return files.flatMap(({ name, sql }) => {
    const isContract = headerOf(name, sql).levels.least > 1;
    const statements = statementsOf(sql);
    const made = new Set<string>();
    const findings = statements.flatMap(splitBody).flatMap((statement) => {
      const found = isAbout(statement, made) ? [] : findingsIn(name, statement, isContract);
      const table = /^CREATE (?:UNLOGGED )?TABLE (?:IF NOT EXISTS )?("[^"]*"|[^\s(]+)/.exec(
        statement.normalized,
      )?.[1];
      if (table !== undefined) made.add(table);
      return found;
    });
    return [...findings, ...mixed(name, statements), ...transactions(name, statements)];
  });
}

/** Whether it only concerns a table that the same file creates. */
const isAbout = ({ normalized }: Statement, made: ReadonlySet<string>): boolean => {
  const [, table] =
    /^(?:ALTER TABLE (?:IF EXISTS )?(?:ONLY )?|CREATE (?:UNIQUE )?INDEX .*? ON (?:ONLY )?|UPDATE |DELETE FROM )("[^"]*"|[^\s(]+)/.exec(
      normalized,
    ) ?? [];
  return table !== undefined && made.has(table);
};

/** A contract step is meant to drop what no running code uses any more. */
const findingsIn = (file: string, { normalized, line }: Statement, isContract: boolean): Finding[] =>
  rules
    .filter(({ rule, matches }) => matches(normalized) && !(isContract && rule === 'drop'))
    .map(({ rule, effect, message, instead }) => ({ file, line, rule, effect, message, instead }));

/** A DO block runs immediately: its statements count, each without the keywords before it. */
function splitBody(statement: Statement): Statement[] {
  if (!/^DO\b/.test(statement.normalized)) return [statement];
  const [head = '', , body] = statement.text.slice(statement.lead).split(/\$([A-Za-z_]\w*|)\$/, 3);
  if (body === undefined) return [statement];
  const before = statement.line + head.split('\n').length - 2;
  const parted = body.replaceAll(leading, (word) => `${word};`);
  return statementsOf(parted).map((inner) => ({ ...inner, line: before + inner.line }));
}

const leading =
  /\b(?:BEGIN|THEN|ELSE|LOOP)\b(?=(?:\s|--[^\n]*\n)+(?:ALTER|CREATE|DELETE|DROP|LOCK|TRUNCATE|UPDATE)\b)/gi;

const transactions = (file: string, statements: readonly Statement[]): Finding[] =>
  transactionalIn(statements).map(({ line }) => ({
    file,
    line,
    rule: 'own-transaction',
    effect: 'breaks',
    message: 'the file is rejected: each file already runs in its own transaction',
    instead: 'remove BEGIN, COMMIT and ROLLBACK',
  }));

function mixed(file: string, statements: readonly Statement[]): Finding[] {
  const alone = statements.find(runsAlone);
  if (alone === undefined || statements.length === 1) return [];
  return [
    {
      file,
      line: alone.line,
      rule: 'no-transaction',
      effect: 'blocks',
      message: 'the whole file runs statement by statement, outside a transaction',
      instead: 'move it to a separate file',
    },
  ];
}

/** Each `ADD COLUMN …` up to the next comma outside parentheses. */
function addedColumns(normalized: string): string[] {
  const parts: string[] = [''];
  let depth = 0;
  for (const letter of normalized) {
    if (letter === '(') depth++;
    if (letter === ')') depth--;
    if (letter === ',' && depth === 0) parts.push('');
    else parts[parts.length - 1] += letter;
  }
  return parts.filter((part) =>
    /\bADD (?:COLUMN )?(?!CONSTRAINT\b|CHECK\b|FOREIGN\b|UNIQUE\b|PRIMARY\b|EXCLUDE\b)/.test(part),
  );
}

const hasValue = (column: string): boolean =>
  /\bDEFAULT\b|\bGENERATED\b|\b(?:BIG|SMALL)?SERIAL\b/.test(column);
