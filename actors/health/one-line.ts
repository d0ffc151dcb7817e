const longest = 200;

/** What went wrong, on one line, without what stands before the @ of a URL. */
export function onOneLine(reason: unknown): string {
  const text = reason instanceof Error ? messageOf(reason) : String(reason);
  const [line = ''] = text.split('\n', 1);
  return line.replaceAll(/\/\/[^\s/]*@/g, '//').slice(0, longest);
}

/** An AggregateError of a refused connection says nothing itself. */
const messageOf = ({ message, name, ...rest }: Error & { readonly code?: unknown }): string =>
  message || (typeof rest.code === 'string' ? rest.code : name);
