import type { StoreTrust } from '../../contracts/store-trust.js';
import { isLoopbackHost } from '../../endpoints/access/local-requests.js';
import { natsServersOf } from '../../runtime/transport/nats-servers.js';

type Environment = Readonly<Record<string, string | undefined>>;

const credentials = ['NATS_CREDS', 'NATS_NKEY', 'NATS_TOKEN', 'NATS_USER', 'NATS_TLS_CERT'];

/** Where anybody can reach the broker, a store that was not known waits for an operator. */
export function defaultTrustOf(env: Environment): StoreTrust {
  const servers = natsServersOf(env['NATS_URL'] ?? '');
  if (servers === undefined) return 'pin';
  const hasCredentials = servers.username !== '' || credentials.some((name) => Boolean(env[name]));
  return hasCredentials || servers.hosts.every(isLoopbackHost) ? 'pin' : 'strict';
}
