/** A Markdown table; the first row is its head. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(' | ')} |\n`;
  return line(head) + line(head.map(() => '---')) + rows.map(line).join('');
}

/** Text of a table cell, which neither a pipe nor a line break may end. */
const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

export const code = (text: string): string => `\`${text}\``;

/** Text that Markdown shows as it is: the site reads tags and double braces, too. */
export const plain = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('{', '&#123;').replaceAll('*', '\\*');

/** A page with the front matter that the site and llms.txt read. */
export const page = (title: string, description: string, body: string): string =>
  `---\ndescription: ${JSON.stringify(description)}\n---\n\n# ${title}\n\n${body}`;
