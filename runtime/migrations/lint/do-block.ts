import type { Node } from 'libpg-query';

/** Where the body of a DO block starts, if it is PL/pgSQL. */
export function blockBodyOf(node: Node): { readonly location: number } | undefined {
  if (!('DoStmt' in node)) return undefined;
  const options = (node.DoStmt.args ?? []).flatMap((option) => ('DefElem' in option ? [option.DefElem] : []));
  const language = options.find(({ defname }) => defname === 'language')?.arg;
  if (language !== undefined && !('String' in language && language.String.sval === 'plpgsql'))
    return undefined;
  const body = options.find(({ defname }) => defname === 'as');
  return body === undefined ? undefined : { location: body.location ?? 0 };
}

interface InnerStatement {
  readonly sql: string;
  readonly line: number;
}

interface Expression {
  readonly PLpgSQL_expr?: { readonly query?: string };
}

/** A DO block runs immediately: its SQL counts, and so does SQL that it executes as constant text. */
export function statementsInBlock(block: unknown, bodyLine: number): readonly InnerStatement[] {
  const found: InnerStatement[] = [];
  const waiting: unknown[] = [block];
  // A deep block must not overflow the stack.
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (typeof next !== 'object' || next === null) continue;
    for (const [kind, value] of Object.entries(next)) {
      const sql = sqlOf(kind, value);
      const { lineno = 1 } = (value ?? {}) as { readonly lineno?: number };
      if (sql !== undefined) found.push({ sql, line: bodyLine + lineno - 1 });
      else waiting.push(value);
    }
  }
  return found.toSorted((a, b) => a.line - b.line);
}

function sqlOf(kind: string, value: unknown): string | undefined {
  const { sqlstmt, query: dynamic } = (value ?? {}) as {
    readonly sqlstmt?: Expression;
    readonly query?: Expression;
  };
  if (kind === 'PLpgSQL_stmt_execsql') return sqlstmt?.PLpgSQL_expr?.query;
  if (kind !== 'PLpgSQL_stmt_dynexecute') return undefined;
  const [, constant] = /^\s*'((?:[^']|'')*)'\s*$/.exec(dynamic?.PLpgSQL_expr?.query ?? '') ?? [];
  return constant?.replaceAll("''", "'");
}
