import { createHmac, randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { withEmptyNats } from '../../runtime/testing/shared-nats.js';
import { type TappedMessage, withNatsTap } from '../../runtime/testing/nats-tap.js';
import { builtForProcess } from '../../runtime/testing/process-root.js';
import { type Secret, secretOf } from './canaries.js';
import { svcInProcess } from './in-process-cli.js';
import { type SpawnedHost, withListening } from './spawned-host.js';

const cardService = fileURLToPath(builtForProcess(new URL('./card-service.js', import.meta.url)));

export const mishaps = [
  ...['none', 'before', 'handler', 'text', 'cause', 'problem', 'after', 'recovering'],
  ...['deferred', 'apply', 'key', 'column', 'behavior', 'unstorable'],
  ...['react', 'reaction', 'timer', 'context', 'process', 'call', 'refused'],
];

/** Everything that one host was given and has shown, by where it was found. */
export interface Scene {
  readonly host: SpawnedHost;
  readonly database: string;
  readonly broker: string;
  readonly tapped: readonly TappedMessage[];
  readonly secrets: Readonly<
    Record<'card' | 'token' | 'key' | 'wrong' | 'operator' | 'signing' | 'provider', Secret>
  >;
  /** Whatever a client received. */
  readonly seen: Map<string, string>;
}

const jwt = (signingKey: string, permissions: readonly string[]): string => {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const claims = { sub: 'ada', tenant: 'north', permissions, exp: Math.floor(Date.now() / 1000) + 600 };
  const signed = `${part({ alg: 'HS256', typ: 'JWT' })}.${part(claims)}`;
  return `${signed}.${createHmac('sha256', signingKey).update(signed).digest('base64url')}`;
};

export const random = (): string => randomBytes(18).toString('hex');
const permissions = ['cards:read', 'cards:write', 'svc:observe', 'svc:operate'];

export const withCards = (body: (scene: Scene) => Promise<void>): Promise<void> =>
  withEmptyNats((broker) =>
    withNatsTap(broker, (tapped) =>
      withStore(async (database) => {
        const signing = random();
        const operator = random();
        const create = [
          'keys',
          'create',
          '--name',
          'till',
          '--permissions',
          permissions.join(),
          '--tenant',
          'north',
          '--json',
        ];
        const made = await svcInProcess(create, { DATABASE_URL: database });
        const { key } = JSON.parse(made.stdout) as { key: string };
        const token = jwt(signing, permissions);
        const secrets = {
          card: secretOf(random()),
          token: secretOf(token, token.slice(token.lastIndexOf('.') + 1)),
          key: secretOf(key, key.slice(-30)),
          wrong: secretOf(`svc_${random()}`),
          operator: secretOf(operator),
          signing: secretOf(signing),
          provider: secretOf(random()),
        };
        const env = {
          DATABASE_URL: database,
          NATS_URL: broker,
          SVC_BROADCAST: '1',
          SVC_INSPECT: '1',
          SVC_LOG: 'trace',
          SVC_AUTH: 'jwt,api-key',
          SVC_JWT_SECRET: signing,
          SVC_OPERATOR_TOKEN: operator,
          CARD_PROVIDER_KEY: secrets.provider.text,
        };
        await withListening(['start', cardService], env, (host) =>
          body({ host, database, broker, tapped, secrets, seen: new Map() }),
        );
      }),
    ),
  );
