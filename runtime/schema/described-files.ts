import type { ParsedFile, ParsedStatement } from '../migrations/lint/parse-file.js';
import { parseFiles } from '../migrations/lint/parser.js';
import { namesOf, tableName } from '../migrations/lint/sql-object-names.js';

/** A file of SQL as PostgreSQL's parser reads it, with the comments, which the parser leaves out. */
export interface DescribedFile {
  readonly name: string;
  readonly faults: ParsedFile['faults'];
  /** The comment at its top, line by line. */
  readonly opening: readonly string[];
  /** The tables, views and types that it makes. */
  readonly relations: readonly DescribedRelation[];
  readonly routines: readonly DescribedRoutine[];
}

interface DescribedRelation {
  readonly name: string;
  readonly comment: readonly string[];
  /** The comments above its columns, by their names. */
  readonly columns: Readonly<Record<string, string>>;
}

interface DescribedRoutine {
  readonly name: string;
  readonly promise: readonly string[];
  readonly lock?: string;
}

export async function describeFiles(
  files: readonly { readonly name: string; readonly sql: string }[],
): Promise<readonly DescribedFile[]> {
  const described = files.map(async ({ name, sql }) =>
    (await parseFiles([sql])).map((parsed) => describeFile(name, sql, parsed)),
  );
  return (await Promise.all(described)).flat();
}

function describeFile(name: string, sql: string, { statements, faults }: ParsedFile): DescribedFile {
  const lines = sql.split('\n');
  const end = lines.findIndex((line) => !isComment(line));
  return {
    name,
    faults,
    opening: textsOf(lines.slice(0, end)).filter((text) => !isLock(text)),
    relations: statements.flatMap((statement) => relationsIn(statement, sql, lines)),
    routines: statements.flatMap((statement) => routinesIn(statement, lines)),
  };
}

type Node = ParsedStatement['node'];

function relationsIn({ node, line }: ParsedStatement, sql: string, lines: readonly string[]) {
  const relation = (name: string, columns: readonly Node[] = []): readonly DescribedRelation[] => [
    { name, comment: commentAbove(lines, line), columns: columnComments(columns, sql, lines) },
  ];
  if ('CreateStmt' in node) return relation(tableName(node.CreateStmt.relation), node.CreateStmt.tableElts);
  if ('ViewStmt' in node) return relation(tableName(node.ViewStmt.view));
  if ('CompositeTypeStmt' in node)
    return relation(tableName(node.CompositeTypeStmt.typevar), node.CompositeTypeStmt.coldeflist);
  return [];
}

/** A comment is about the column below it; of several on one line, about the first. */
function columnComments(nodes: readonly Node[], sql: string, lines: readonly string[]) {
  const bytes = Buffer.from(sql);
  const lineAt = (offset: number): number => bytes.subarray(0, offset).toString().split('\n').length;
  const columns = nodes
    .flatMap((node) => ('ColumnDef' in node ? [node.ColumnDef] : []))
    .map(({ colname = '', location = 0 }) => ({ colname, line: lineAt(location) }));
  const first = columns.filter(({ line }, at) => line !== columns[at - 1]?.line);
  const comments = first.map(({ colname, line }) => [colname, commentAbove(lines, line).join(' ')] as const);
  return Object.fromEntries(comments.filter(([, text]) => text !== ''));
}

function routinesIn({ node, line }: ParsedStatement, lines: readonly string[]): readonly DescribedRoutine[] {
  if (!('CreateFunctionStmt' in node)) return [];
  const { funcname } = node.CreateFunctionStmt;
  const comment = commentAbove(lines, line);
  const lock = comment.at(-1);
  return [
    {
      name: namesOf(funcname),
      promise: comment.filter((text) => !isLock(text)),
      ...(lock !== undefined && isLock(lock) ? { lock: lock.replace('Lock: ', '') } : {}),
    },
  ];
}

/** The lines of the comment that ends directly above a line, which is counted from 1. */
function commentAbove(lines: readonly string[], line: number): readonly string[] {
  const above = lines.slice(0, line - 1);
  return textsOf(above.slice(above.findLastIndex((text) => !isComment(text)) + 1));
}

const isComment = (line: string): boolean => line.trimStart().startsWith('--');

const textsOf = (comment: readonly string[]): readonly string[] =>
  comment.map((line) => line.trim().replace(/^-- ?/, ''));

const isLock = (text: string): boolean => text.startsWith('Lock: ');
