/** The servers of a URL that may list several. */
export interface NatsServers {
  readonly isTls: boolean;
  /** Each with its port, if one is given. */
  readonly hosts: readonly string[];
  readonly username: string;
  readonly password: string;
}

/**
 * Reads `nats://user:password@a:4222,b:4222` or `nats://a:4222,nats://b:4222`; what the first server says about the login
 * and TLS holds for all, as they are one cluster. Undefined: it is no such URL.
 */
export function natsServersOf(text: string): NatsServers | undefined {
  const scheme = /^(?:nats|tls):\/\//.exec(text)?.[0];
  if (scheme === undefined) return undefined;
  const whole = URL.canParse(text) ? new URL(text) : undefined;
  // A password may hold a comma.
  const entries = whole?.hostname.includes(',') === false ? [text] : text.split(',').map(trimmed);
  const urls = entries.map((entry) => urlOf(entry.includes('://') ? entry : scheme + entry));
  const known = urls.filter((url) => url !== undefined && url.host !== '').map((url) => url as URL);
  const [first] = known;
  if (first === undefined || known.length < urls.length) return undefined;
  const { protocol, username, password } = first;
  return { isTls: protocol === 'tls:', hosts: known.map(({ host }) => host), username, password };
}

const trimmed = (text: string): string => text.trim();
const urlOf = (text: string): URL | undefined =>
  /^(?:nats|tls):/.test(text) && URL.canParse(text) ? new URL(text) : undefined;
