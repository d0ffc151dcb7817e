/** The filters of the system stream for a search of requests; undefined if its words have no meaning there. */
export function auditFilters(search: string): Readonly<Record<string, string>> | undefined {
  const filters: Record<string, string> = {};
  for (const word of search.trim().split(/\s+/).filter(Boolean)) {
    const [name, value] = filterOf(word) ?? [];
    if (name === undefined || value === undefined || name in filters) return undefined;
    filters[name] = value;
  }
  return Object.keys(filters).length === 0 ? undefined : filters;
}

const names: Readonly<Record<string, string>> = {
  id: 'correlation',
  stream: 'stream',
  host: 'host-name',
  since: 'since',
};

function filterOf(word: string): readonly [name: string, value: string] | undefined {
  const colon = word.indexOf(':');
  const [field, value] = [word.slice(0, Math.max(0, colon)).toLowerCase(), word.slice(colon + 1)];
  // A search of requests also takes a time of today.
  if (field === 'since' && !/^\d{4}-/.test(value)) return undefined;
  if (/^(?:status:)?[45](?:\d\d|xx)$/i.test(word) || /^outcome:(?:failed|rejected)$/i.test(word))
    return ['status', 'failed'];
  const name = names[field];
  if (name !== undefined) return [name, value];
  if (colon >= 0) return undefined;
  return /^[0-9a-f]{8}-[0-9a-f-]{27}$/i.test(word) ? ['correlation', word] : ['type', word];
}
