const name = /^(?!__)[A-Za-z_]\w*$/;
const notForEnums = new Set(['true', 'false', 'null']);

export const isGraphQLName = (text: string): boolean => name.test(text);

export const isEnumValue = (text: string): boolean => isGraphQLName(text) && !notForEnums.has(text);

export const quoted = (text: string): string => JSON.stringify(text);

/** The description above a definition. */
export function describe(description: string | undefined, indent = ''): string {
  const text = description?.trim() ?? '';
  if (text === '') return '';
  // A block string has its own rules for quotes and backslashes; a plain string has those of JSON.
  if (/["\\]/.test(text)) return `${indent}${quoted(text)}\n`;
  if (!text.includes('\n')) return `${indent}"""${text}"""\n`;
  const lines = text.split(/\r?\n/).map((line) => (line.trim() === '' ? '' : indent + line.trimEnd()));
  return `${indent}"""\n${lines.join('\n')}\n${indent}"""\n`;
}

/** A definition with members, one per line. */
export const block = (keyword: string, own: string, ...lines: readonly string[]): string =>
  `${keyword} ${own} {\n${lines.map((line) => `  ${line}`).join('\n')}\n}`;
