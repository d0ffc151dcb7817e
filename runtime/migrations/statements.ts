/** One statement of an SQL file. */
export interface Statement {
  readonly text: string;
  /** Where its first word stands. */
  readonly line: number;
  /** Upper case, without comments, with every text literal emptied: what the statement does, not what it says. */
  readonly bones: string;
}

// Comments, quoted texts and names, dollar quotes, and the end of a statement.
const token =
  /--[^\n]*|\/\*[\s\S]*?\*\/|\b[eE]'(?:[^'\\]|\\[\s\S]|'')*'|'(?:[^']|'')*'|"(?:[^"]|"")*"|\$([A-Za-z_]\w*|)\$[\s\S]*?\$\1\$|;/g;

/** Splits an SQL file where the server would. */
export function statementsOf(sql: string): Statement[] {
  const found: Statement[] = [];
  let from = 0;
  let bones = '';
  let at = 0;
  const end = (until: number): void => {
    bones += sql.slice(at, until);
    const statement = statementOf(sql, from, until, bones);
    if (statement !== undefined) found.push(statement);
    [from, at, bones] = [until + 1, until + 1, ''];
  };
  for (const match of sql.matchAll(token)) {
    const [text] = match;
    if (text === ';') end(match.index);
    else {
      bones += sql.slice(at, match.index) + boneOf(text);
      at = match.index + text.length;
    }
  }
  end(sql.length);
  return found;
}

const boneOf = (text: string): string => {
  if (text.startsWith('--') || text.startsWith('/*')) return ' ';
  return text.startsWith('"') ? text : "''";
};

function statementOf(sql: string, from: number, until: number, bones: string): Statement | undefined {
  const tight = bones
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replaceAll(/"(?:[^"]|"")*"|[^"]+/g, (part) => (part.startsWith('"') ? part : part.toUpperCase()));
  if (tight === '') return undefined;
  const text = sql.slice(from, until);
  const lead = /^(?:\s+|--[^\n]*\n?|\/\*[\s\S]*?\*\/)*/.exec(text)?.[0].length ?? 0;
  const line = sql.slice(0, from + lead).split('\n').length;
  return { text: text.trim(), line, bones: tight };
}

/** Refused by the server inside a transaction. */
export const runsAlone = ({ bones }: Statement): boolean =>
  /^(?:CREATE (?:UNIQUE )?INDEX|DROP INDEX|REINDEX|ALTER TABLE) .*\bCONCURRENTLY\b|^VACUUM\b/.test(bones);
