import type { NatsCredentials } from '../../runtime/transport/nats-credentials.js';
import { defaultNamespace, isNamespace, namespaceRule } from '../../runtime/transport/nats-names.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** How a host proves to the broker who it is. */
export function natsCredentialsOf(env: Environment, faults: string[]): NatsCredentials {
  const set = (name: string): string | undefined => env[name] || undefined;
  const ways = ['NATS_CREDS', 'NATS_NKEY', 'NATS_USER', 'NATS_TOKEN'].filter((name) => set(name));
  if (ways.length > 1) faults.push(`${ways.join(' and ')} are set; NATS takes one of them`);
  if ((set('NATS_USER') === undefined) !== (set('NATS_PASSWORD') === undefined))
    faults.push('NATS_USER and NATS_PASSWORD must be set together');
  if ((set('NATS_TLS_CERT') === undefined) !== (set('NATS_TLS_KEY') === undefined))
    faults.push('NATS_TLS_CERT and NATS_TLS_KEY must be set together');
  const given = {
    user: set('NATS_USER'),
    password: set('NATS_PASSWORD'),
    token: set('NATS_TOKEN'),
    credsFile: set('NATS_CREDS'),
    nkeyFile: set('NATS_NKEY'),
    tlsCa: set('NATS_TLS_CA'),
    tlsCert: set('NATS_TLS_CERT'),
    tlsKey: set('NATS_TLS_KEY'),
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

export function namespaceOf(env: Environment, faults: string[]): string {
  const namespace = env['SVC_NAMESPACE'] || defaultNamespace;
  if (!isNamespace(namespace)) faults.push(`SVC_NAMESPACE ${namespaceRule}, not '${namespace}'`);
  return namespace;
}
