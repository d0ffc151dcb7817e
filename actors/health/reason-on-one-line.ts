/** The error on one line, without the user information of a URL. */
export function reasonOnOneLine(reason: unknown, maxLength = 200): string {
  const text = reason instanceof Error ? messageOf(reason) : String(reason);
  const [line = ''] = text.split('\n', 1);
  const shown = line.replaceAll(/\/\/[^\s/]*@/g, '//');
  return shown.length > maxLength ? `${shown.slice(0, maxLength - 1)}…` : shown;
}

/** The AggregateError of a refused connection has no message of its own. */
const messageOf = ({ message, name, ...rest }: Error & { readonly code?: unknown }): string =>
  message || (typeof rest.code === 'string' ? rest.code : name);
