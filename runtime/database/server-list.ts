/**
 * One URL per server of a URL that may list several, as libpq reads it:
 * `postgres://user@a:5432,b:5433/db?target_session_attrs=read-write`. Undefined: it is not such a URL.
 */
export function serverUrls(text: string): readonly string[] | undefined {
  const [, start, login = '', hosts = '', rest = ''] = parts.exec(text) ?? [];
  if (start === undefined) return undefined;
  const urls = hosts.split(',').map((host) => single(`${start}${login}${host}${rest}`));
  if (hosts.includes(',') && hosts.split(',').includes('')) return undefined;
  const known = urls.filter((url) => url !== undefined);
  return known.length === urls.length ? known : undefined;
}

/** The first of them stands for all: user, password, database and options are the same. */
export const firstServerUrl = (text: string): URL => new URL(serverUrls(text)?.[0] ?? text);

/** The hosts with their ports, for people to read: neither user nor password. */
export const serverHosts = (text: string): string =>
  (serverUrls(text) ?? [text]).map((url) => new URL(url).host).join(',');

// A password may hold a comma, and one that is not encoded may hold an @: the hosts begin after the last.
const parts = /^([a-z]+:\/\/)([^/?#]*@)?([^/?#]*)(.*)$/is;

/** A host needs the primary, so the other values of the attribute do not fit. */
const writable = ['read-write', 'primary'];
const attribute = 'target_session_attrs';

function single(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  if (!url.searchParams.has(attribute)) return text;
  if (!writable.includes(url.searchParams.get(attribute) ?? '')) return undefined;
  url.searchParams.delete(attribute);
  return url.href;
}
