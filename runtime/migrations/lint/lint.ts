import type { Node } from 'libpg-query';
import type { SqlFile } from '../application-migrations.js';
import { headerOf } from '../sql-file-header.js';
import { effectsOf } from './effects.js';
import type { Finding } from './finding.js';
import { objectName, tableName } from './sql-object-names.js';
import { type FileSteps, orderOf } from './order-rules.js';
import type { ParsedFile, ParsedStatement } from './parse-file.js';
import { parseFiles } from './parser.js';
import { endsTransaction, runsAlone, statementRules } from './rules.js';

/** The state of the store that pending files are checked against. */
interface RunningVersion {
  readonly runningLevel: number;
  readonly pending: ReadonlySet<string>;
}

type CheckedFile = FileSteps & ParsedFile;

/** Everything risky, in the order of the files. Objects that the same file creates are not in use yet. */
export async function lintMigrations(
  files: readonly SqlFile[],
  running?: RunningVersion,
): Promise<Finding[]> {
  const settings = files.map(({ name, sql }) => headerOf(name, sql));
  if (files.length === 0) return [];
  const parsed = await parseFiles(files.map(({ sql }) => sql));
  const checked = files.map(({ name }, index): CheckedFile => {
    const { statements = [], faults = [] } = parsed[index] ?? {};
    const { levels = { level: 1, least: 1 }, copy } = settings[index] ?? {};
    const steps = statements.map(({ node, line }) => ({ line, effects: effectsOf(node) }));
    return { name, levels, copy, steps, statements, faults };
  });
  const { findings: ofOrder, inOrder } = orderOf(checked);
  return checked.flatMap((file) => [
    ...unreadable(file),
    ...tooEarly(file, running),
    ...ofStatements(file).filter(
      ({ rule, line }) => rule !== 'set-not-null' || !inOrder.has(`${file.name}:${line}`),
    ),
    ...ofOrder.filter((finding) => finding.file === file.name),
    ...mixed(file),
    ...transactions(file),
  ]);
}

const unreadable = ({ name: file, faults }: CheckedFile): Finding[] =>
  faults.map(({ line, kind, message }) =>
    kind === 'syntax'
      ? {
          file,
          line,
          rule: 'syntax-error',
          effect: 'breaks',
          message,
          instead: 'correct it: no host would start',
        }
      : {
          file,
          line,
          rule: 'not-checked',
          effect: 'blocks',
          message,
          instead: 'review it by hand, or split it',
        },
  );

/** A contract step and the release before it cannot be deployed at once. */
function tooEarly(
  { name: file, levels: { least } }: CheckedFile,
  running: RunningVersion | undefined,
): Finding[] {
  if (running === undefined || !running.pending.has(file) || least <= running.runningLevel) return [];
  const message = `it needs code of level ${least}, and the version that runs now has level ${running.runningLevel}`;
  return [
    {
      file,
      line: 1,
      rule: 'contract-too-early',
      effect: 'breaks',
      message,
      instead: `deploy the release that brings level ${least} first, without this file`,
    },
  ];
}

/** A contract step is meant to drop what no running code uses anymore. */
function ofStatements({ name: file, levels, statements }: CheckedFile): Finding[] {
  const made = new Set<string>();
  return statements.flatMap(({ node, line }) => {
    const findings = statementRules
      .filter(({ rule, matches }) => matches(node) && !(levels.least > 1 && rule === 'drop'))
      .map(({ rule, effect, message, instead }): Finding => ({ file, line, rule, effect, message, instead }));
    const objects = objectsOf(node);
    const isAboutNew = objects.length > 0 && objects.every((object) => made.has(object));
    for (const effect of effectsOf(node)) if (effect.kind === 'creates') made.add(effect.object);
    return isAboutNew ? [] : findings;
  });
}

/** The tables that a statement concerns. */
function objectsOf(node: Node): readonly string[] {
  if ('DropStmt' in node) return (node.DropStmt.objects ?? []).map(objectName);
  const relation =
    'AlterTableStmt' in node
      ? node.AlterTableStmt.relation
      : 'IndexStmt' in node
        ? node.IndexStmt.relation
        : 'UpdateStmt' in node
          ? node.UpdateStmt.relation
          : 'DeleteStmt' in node
            ? node.DeleteStmt.relation
            : 'RenameStmt' in node
              ? node.RenameStmt.relation
              : undefined;
  return relation === undefined ? [] : [tableName(relation)];
}

const outside = (statements: readonly ParsedStatement[]): readonly ParsedStatement[] =>
  statements.filter(({ isNested }) => isNested !== true);

const transactions = ({ name: file, statements }: CheckedFile): Finding[] =>
  outside(statements)
    .filter(({ node }) => endsTransaction(node))
    .map(({ line }) => ({
      file,
      line,
      rule: 'own-transaction',
      effect: 'breaks',
      message: 'the file is rejected: each file already runs in its own transaction',
      instead: 'remove BEGIN, COMMIT and ROLLBACK',
    }));

function mixed({ name: file, statements }: CheckedFile): Finding[] {
  const all = outside(statements);
  const alone = all.find(({ node }) => runsAlone(node));
  if (alone === undefined || all.length === 1) return [];
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
