import type { ConnectionOptions } from 'nats';

/** How a plain client connects to a broker whose URL may have a user. */
export function loginTo(url: string): ConnectionOptions {
  const { host, username, password } = new URL(url);
  return { servers: host, ...(username === '' ? {} : { user: username, pass: password }) };
}
