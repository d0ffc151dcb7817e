import { hasSqlDetails, type Node, parsePlPgSQLSync, parseSync, type RawStmt } from 'libpg-query';
import { statementsOf } from '../split-statements.js';
import { blockBodyOf, statementsInBlock } from './do-block.js';

/** A statement as PostgreSQL's own parser reads it. */
export interface ParsedStatement {
  readonly node: Node;
  readonly line: number;
  /** Inside a DO block. */
  readonly isNested?: boolean;
}

/** A part of a file that could not be read. */
interface Fault {
  readonly line: number;
  readonly kind: 'syntax' | 'unread';
  readonly message: string;
}

export interface ParsedFile {
  readonly statements: readonly ParsedStatement[];
  readonly faults: readonly Fault[];
}

/** The parser's time can grow with the square of a statement's length. */
const maxLength = 262_144;
/** An overflow leaves the parser with less stack; it is not used for long after one. */
const maxOverflows = 3;

/** Parses a file; where that fails, each of its statements. */
export function parseFile(written: string): ParsedFile {
  const sql = written.replace(/^\ufeff/, '');
  if (sql.includes('\0')) return faulty(1, 'syntax', 'the file contains a NUL character');
  if (sql.length <= maxLength) {
    try {
      return parsed(sql, 1);
    } catch {
      // One wrong statement fails the whole file: below, the others are still read.
    }
  }
  return parseEach(sql);
}

function parseEach(sql: string): ParsedFile {
  const files: ParsedFile[] = [];
  let overflows = 0;
  for (const { text, lead, line } of statementsOf(sql)) {
    if (text.length > maxLength)
      files.push(faulty(line, 'unread', `it is longer than ${maxLength} characters`));
    else if (overflows >= maxOverflows)
      files.push(faulty(line, 'unread', 'too much before it is nested too deeply'));
    else {
      try {
        files.push(parsed(text.slice(lead), line));
      } catch (error) {
        if (hasSqlDetails(error))
          files.push(faulty(line + lineOfFault(text.slice(lead), error) - 1, 'syntax', error.message));
        else {
          overflows++;
          files.push(faulty(line, 'unread', 'it is nested too deeply'));
        }
      }
    }
  }
  return {
    statements: files.flatMap(({ statements }) => statements),
    faults: files.flatMap(({ faults }) => faults),
  };
}

const faulty = (line: number, kind: Fault['kind'], message: string): ParsedFile => ({
  statements: [],
  faults: [{ line, kind, message }],
});

function lineOfFault(
  text: string,
  { sqlDetails }: { readonly sqlDetails?: { readonly cursorPosition: number } },
): number {
  return text.slice(0, Math.max(0, sqlDetails?.cursorPosition ?? 0)).split('\n').length;
}

const blankOrComment = /^(?:\s+|--[^\n]*\n?|\/\*[\s\S]*?\*\/)*/;

function parsed(sql: string, firstLine: number): ParsedFile {
  const bytes = Buffer.from(sql);
  const faults: Fault[] = [];
  let at = 0;
  let line = firstLine;
  const lineAt = (offset: number): number => {
    for (; at < offset; at++) if (bytes[at] === 0x0a) line++;
    return line;
  };
  const statements = (parseSync(sql).stmts ?? []).flatMap(({ stmt, ...raw }): ParsedStatement[] => {
    if (stmt === undefined) return [];
    const { start, text } = textOf(bytes, raw);
    const statement = { node: stmt, line: lineAt(start) };
    const body = blockBodyOf(stmt);
    if (body === undefined) return [statement];
    try {
      const inner = statementsInBlock(parsePlPgSQLSync(text), lineAt(body.location));
      return [statement, ...inner.flatMap(parsedInner)];
    } catch {
      faults.push({ line: statement.line, kind: 'unread', message: 'the block is not valid PL/pgSQL' });
      return [statement];
    }
  });
  return { statements, faults };
}

/** Without the blanks and comments before it. */
function textOf(bytes: Buffer, { stmt_location: from = 0, stmt_len: length }: RawStmt) {
  const text = bytes.subarray(from, length === undefined ? undefined : from + length).toString();
  const lead = blankOrComment.exec(text)?.[0] ?? '';
  return { start: from + Buffer.byteLength(lead), text: text.slice(lead.length) };
}

/** Dynamic SQL need not be a whole statement. */
function parsedInner({ sql, line }: { readonly sql: string; readonly line: number }): ParsedStatement[] {
  try {
    return (parseSync(sql).stmts ?? []).flatMap(({ stmt }) =>
      stmt === undefined ? [] : [{ node: stmt, line, isNested: true }],
    );
  } catch {
    return [];
  }
}
