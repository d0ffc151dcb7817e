/** One statement of an SQL file. */
export interface Statement {
  readonly text: string;
  /** The offset of its text in the file. */
  readonly start: number;
  /** The offset of its first keyword in the text, after comments. */
  readonly lead: number;
  /** The line in the file. */
  readonly line: number;
  /** Upper case, without comments, with empty text literals. */
  readonly normalized: string;
}

// Comments, quoted texts and names, dollar quotes, and the end of a statement.
const token =
  /--[^\n]*|\/\*[\s\S]*?\*\/|\b[eE]'(?:[^'\\]|\\[\s\S]|'')*'|'(?:[^']|'')*'|"(?:[^"]|"")*"|\$([A-Za-z_]\w*|)\$[\s\S]*?\$\1\$|;/g;

/** Splits an SQL file where the server would. */
export function statementsOf(sql: string): Statement[] {
  const found: Statement[] = [];
  let from = 0;
  let normalized = '';
  let at = 0;
  let line = 1;
  const end = (until: number): void => {
    normalized += sql.slice(at, until);
    const statement = statementOf(sql, from, until, normalized, line);
    if (statement !== undefined) found.push(statement);
    line += newlinesIn(sql.slice(from, until));
    [from, at, normalized] = [until + 1, until + 1, ''];
  };
  for (const match of sql.matchAll(token)) {
    const [text] = match;
    if (text === ';') end(match.index);
    else {
      normalized += sql.slice(at, match.index) + normalizedToken(text);
      at = match.index + text.length;
    }
  }
  end(sql.length);
  return found;
}

const normalizedToken = (text: string): string => {
  if (text.startsWith('--') || text.startsWith('/*')) return ' ';
  return text.startsWith('"') ? text : "''";
};

const newlinesIn = (text: string): number => text.split('\n').length - 1;

function statementOf(
  sql: string,
  from: number,
  until: number,
  normalized: string,
  firstLine: number,
): Statement | undefined {
  const collapsed = normalized
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replaceAll(/"(?:[^"]|"")*"|[^"]+/g, (part) => (part.startsWith('"') ? part : part.toUpperCase()));
  if (collapsed === '') return undefined;
  const text = sql.slice(from, until);
  const lead = /^(?:\s+|--[^\n]*\n?|\/\*[\s\S]*?\*\/)*/.exec(text)?.[0].length ?? 0;
  const line = firstLine + newlinesIn(text.slice(0, lead));
  const blank = text.length - text.trimStart().length;
  return { text: text.trim(), start: from + blank, lead: lead - blank, line, normalized: collapsed };
}

const transactional =
  /^(?:BEGIN|START TRANSACTION|COMMIT|END|ABORT|PREPARE TRANSACTION|ROLLBACK(?!(?: WORK| TRANSACTION)? TO\b))\b/;

/** Statements that would begin or end the transaction that a file shares with its ledger entry. */
export function transactionalIn(statements: readonly Statement[]): Statement[] {
  let isBody = false;
  return statements.filter(({ normalized }) => {
    if (/\bBEGIN ATOMIC\b/.test(normalized)) isBody = true;
    if (!isBody) return transactional.test(normalized);
    if (/^END\b/.test(normalized)) isBody = false;
    return false;
  });
}

/** Statements that the server refuses inside a transaction. */
export const runsAlone = ({ normalized }: Statement): boolean =>
  /^(?:CREATE (?:UNIQUE )?INDEX|DROP INDEX|REINDEX|ALTER TABLE) .*\bCONCURRENTLY\b|^VACUUM\b/.test(
    normalized,
  );
