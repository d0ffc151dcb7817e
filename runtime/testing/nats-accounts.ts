import { nkeys } from 'nats';
import { newUuid } from '../../contracts/uuid.js';

type Key = ReturnType<typeof nkeys.createUser>;

/** The claims of NATS, signed as `nsc` signs them. */
function signed(by: Key, subject: Key, name: string, nats: object): string {
  const claims = { iat: 1, iss: by.getPublicKey(), sub: subject.getPublicKey(), name, nats };
  const text = [
    { typ: 'JWT', alg: 'ed25519-nkey' },
    { ...claims, jti: newUuid() },
  ]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  return `${text}.${Buffer.from(by.sign(Buffer.from(text))).toString('base64url')}`;
}

const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('utf8');

interface Permissions {
  readonly publish: readonly string[];
  readonly subscribe: readonly string[];
}

const everything: Permissions = { publish: ['>'], subscribe: ['>'] };

/** An operator with one account and one user: the configuration of the broker, and the user's credentials file. */
export function accountOf(
  user: string,
  { publish, subscribe }: Permissions = everything,
): { readonly config: string; readonly creds: string } {
  const operator = nkeys.createOperator();
  const [account, system, person] = [nkeys.createAccount(), nkeys.createAccount(), nkeys.createUser()];
  const unlimited = { mem_storage: -1, disk_storage: -1, streams: -1, consumer: -1, subs: -1, data: -1 };
  const limits = { ...unlimited, payload: -1, conn: -1, leaf: -1, imports: -1, exports: -1, wildcards: true };
  const operatorJwt = signed(operator, operator, 'operator', { type: 'operator', version: 2 });
  const accountJwt = signed(operator, account, 'account', { type: 'account', version: 2, limits });
  // JetStream needs a system account, which must not have storage of its own.
  const none = { ...limits, mem_storage: 0, disk_storage: 0, streams: 0, consumer: 0 };
  const systemJwt = signed(operator, system, 'system', { type: 'account', version: 2, limits: none });
  const userJwt = signed(account, person, user, {
    type: 'user',
    version: 2,
    pub: { allow: publish },
    sub: { allow: subscribe },
    subs: -1,
    data: -1,
    payload: -1,
  });
  return {
    config: `operator: ${operatorJwt}
system_account: ${system.getPublicKey()}
resolver: MEMORY
resolver_preload: {
  ${account.getPublicKey()}: ${accountJwt}
  ${system.getPublicKey()}: ${systemJwt}
}
`,
    creds: `-----BEGIN NATS USER JWT-----\n${userJwt}\n------END NATS USER JWT------\n\n-----BEGIN USER NKEY SEED-----\n${textOf(person.getSeed())}\n------END USER NKEY SEED------\n`,
  };
}
