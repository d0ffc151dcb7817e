const maxLength = 200;

/** The error on one line, without the user information of a URL. */
export function reasonOnOneLine(reason: unknown): string {
  const text = reason instanceof Error ? messageOf(reason) : String(reason);
  const [line = ''] = text.split('\n', 1);
  return line.replaceAll(/\/\/[^\s/]*@/g, '//').slice(0, maxLength);
}

/** The AggregateError of a refused connection has no message of its own. */
const messageOf = ({ message, name, ...rest }: Error & { readonly code?: unknown }): string =>
  message || (typeof rest.code === 'string' ? rest.code : name);
