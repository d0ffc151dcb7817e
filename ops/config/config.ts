import { hostname } from 'node:os';
import { join } from 'node:path';
import { AuditMode } from '../../contracts/audit.js';
import { type Durability, durabilities } from '../../contracts/durability.js';
import { Problem } from '../../contracts/problems.js';
import { type StoreTrust, storeTrusts } from '../../contracts/store-trust.js';
import { type MessageFormat, messageFormats } from '../../contracts/transport.js';
import { serverUrls } from '../../runtime/database/server-list.js';
import { natsServersOf } from '../../runtime/transport/nats-servers.js';
import { type HostKeys, keysOf } from './key-config.js';
import { isRevision } from './revision-name.js';
import { defaultTrustOf } from './store-trust-config.js';
import { tenantWeightsOf } from './tenant-weights.js';
import type { NatsCredentials } from '../../runtime/transport/nats-credentials.js';
import type { JwtSettings } from '../../endpoints/access/jwt/jwt.js';
import { jwtSettingsOf, operatorSecretOf, refuseUnusedJwt } from './jwt-config.js';
import { namespaceOf, natsCredentialsOf } from './nats-config.js';
import { type Rate, rateFrom } from '../../endpoints/access/rate-buckets.js';
import { isOrigin, originRule } from '../../endpoints/http/cors.js';
import { isProxyEntry } from '../../endpoints/access/trusted-proxies.js';

/** The settings of a host, as `readConfig` reads them from the environment. */
export interface Config extends HostKeys {
  readonly port: number;
  readonly bind: string;
  /** The host's name in events. */
  readonly name: string;
  readonly dataDir: string;
  /** Where hosts keep what they have seen of their store; only below a folder that was named, as that one is meant to stay. */
  readonly witnessDir: string | undefined;
  /** Unset: an embedded server in the data dir. */
  readonly databaseUrl: string | undefined;
  readonly ownerUrl: string | undefined;
  /** What an answer promises; unset: as `local`, but nothing is asserted about the server. */
  readonly durability: Durability | undefined;
  /** Unset: messages stay in the process. */
  readonly natsUrl: string | undefined;
  /** How this host proves to NATS who it is, beside what the URL says. */
  readonly natsCredentials: NatsCredentials;
  /** The first part of all names at the broker. */
  readonly namespace: string;
  /** How messages are published; both formats are received. */
  readonly messageFormat: MessageFormat;
  /** Set: health includes the AMQP broker. */
  /** What happens to messages of a store that is not known yet. */
  readonly storeTrust: StoreTrust;
  readonly amqpUrl: string | undefined;
  readonly deadlineMs: number;
  readonly bodyLimit: number;
  /** How many live streams a host serves. */
  readonly liveWatchers: number;
  /** By the names of tenants. */
  readonly tenantWeights: ReadonlyMap<string, number>;
  /** Under svc supervise, a host whose event loop is blocked for longer is replaced. */
  readonly patienceMs: number;
  /** The number of threads of a long rebuild; unset: one less than the cores. */
  readonly rebuildThreads: number | undefined;
  readonly logLevel: string;
  /** The system events that are enabled. */
  readonly audit: 'all' | 'events' | 'commands' | 'off';
  readonly auditMode: AuditMode;
  readonly broadcast: boolean;
  /** Domain messages are signed one by one. */
  readonly signMessages: boolean;
  readonly development: boolean;
  /** Whether requests can be watched: console, inspector and list of machines. */
  readonly inspect: boolean;
  /** Set: watching requires this token or the operator's. */
  readonly inspectToken: string | undefined;
  /** Allows operator actions, and watching. */
  readonly operatorToken: string | undefined;
  /** Generated for this start if no operator token is set. */
  readonly generatedToken?: string | undefined;
  /** The ways to authenticate that are built in. */
  readonly auth: readonly AuthMethod[];
  /** Set: callers may authenticate with a JWT. */
  readonly jwt?: JwtSettings | undefined;
  /** Whether only this machine may connect: nobody authenticates, neither this host nor a proxy in front. */
  readonly localOnly: boolean;
  /** How many requests one identity or address may send; unset: no limit. */
  readonly rateLimit: Rate | undefined;
  readonly tenantRateLimit: Rate | undefined;
  /** The addresses and networks of the proxies in front. */
  readonly trustedProxies: readonly string[];
  /** The sites whose pages may use the service; unset: those of the service. */
  readonly corsOrigins: readonly string[] | undefined;
}

const authMethods = ['jwt', 'api-key'] as const;
type AuthMethod = (typeof authMethods)[number];

type Environment = Readonly<Record<string, string | undefined>>;

const audits = ['all', 'events', 'commands', 'off'] as const;
const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];

/** Reads the environment; reports all bad values at once. */
export function readConfig(env: Environment = process.env): Config {
  const faults: string[] = [];
  const config: Config = {
    port: integer(env, 'SVC_PORT', 3000, 0, 65_535, faults),
    bind: env['SVC_BIND'] || '127.0.0.1',
    name: env['SVC_NAME'] || hostname(),
    dataDir: env['SVC_DATA_DIR'] || '.svc',
    witnessDir: env['SVC_DATA_DIR'] ? join(env['SVC_DATA_DIR'], 'witness') : undefined,
    databaseUrl: urlOf(env, 'DATABASE_URL', isPostgresUrl, postgresExample, faults),
    ownerUrl: urlOf(env, 'DATABASE_OWNER_URL', isPostgresUrl, postgresExample, faults),
    durability: durabilityOf(env, faults),
    natsUrl: urlOf(env, 'NATS_URL', isNatsUrl, 'nats://localhost:4222', faults),
    natsCredentials: natsCredentialsOf(env, faults),
    namespace: namespaceOf(env, faults),
    messageFormat: oneOf(env, 'SVC_MESSAGE_FORMAT', 'msgpack', messageFormats, faults),
    storeTrust: oneOf(env, 'SVC_STORE_TRUST', defaultTrustOf(env), storeTrusts, faults),
    amqpUrl: urlOf(env, 'AMQP_URL', isAmqpUrl, 'amqp://user:password@localhost:5672', faults),
    deadlineMs: integer(env, 'SVC_DEADLINE_MS', 30_000, 1, 3_600_000, faults),
    bodyLimit: integer(env, 'SVC_BODY_LIMIT', 1_048_576, 1, 1 << 30, faults),
    liveWatchers: integer(env, 'SVC_LIVE_WATCHERS', 5_000, 0, 100_000, faults),
    tenantWeights: tenantWeightsOf(env, faults),
    patienceMs: integer(env, 'SVC_PATIENCE_MS', 1_500, 1_000, 600_000, faults),
    rebuildThreads: integer(env, 'SVC_REBUILD_THREADS', 0, 1, 64, faults) || undefined,
    audit: oneOf(env, 'SVC_AUDIT', 'all', audits, faults),
    auditMode: oneOf(env, 'SVC_AUDIT_MODE', 'OptOut', Object.values(AuditMode), faults),
    broadcast: oneOf(env, 'SVC_BROADCAST', '0', ['0', '1'], faults) === '1',
    signMessages: oneOf(env, 'SVC_SIGN_MESSAGES', '0', ['0', '1'], faults) === '1',
    ...keysOf(env, faults),
    development: env['NODE_ENV'] !== 'production',
    inspect:
      oneOf(env, 'SVC_INSPECT', env['NODE_ENV'] === 'production' ? '0' : '1', ['0', '1'], faults) === '1',
    inspectToken: operatorSecretOf(env, 'SVC_INSPECT_TOKEN', faults),
    operatorToken: operatorSecretOf(env, 'SVC_OPERATOR_TOKEN', faults),
    ...authOf(env, faults),
    rateLimit: rateOf(env, 'SVC_RATE_LIMIT', faults),
    tenantRateLimit: rateOf(env, 'SVC_TENANT_RATE_LIMIT', faults),
    trustedProxies: proxiesOf(env, faults),
    corsOrigins: originsOf(env, faults),
    logLevel: oneOf(env, 'SVC_LOG', 'info', logLevels, faults),
  };
  checkFailpoints(env, faults);
  checkRevision(env, faults);
  if (faults.length > 0) throw new Problem('invalid-setup', { detail: faults.join('; ') });
  return config;
}

/** Every answer carries it as a header. */
function checkRevision(env: Environment, faults: string[]): void {
  const name = env['SVC_REVISION'] || undefined;
  if (name !== undefined && !isRevision(name))
    faults.push(`SVC_REVISION must be the name of a revision such as 1.4.0, not '${name}'`);
}

/** Check the names here: a misspelled failpoint would silently never be reached. */
function checkFailpoints(env: Environment, faults: string[]): void {
  const text = env['SVC_FAILPOINTS'] ?? '';
  if (text !== '' && env['NODE_ENV'] === 'production')
    faults.push('SVC_FAILPOINTS makes the process exit for tests; unset it, because NODE_ENV is production');
  if (text === '' || text.split(',').every((one) => /^\s*[a-z][a-z0-9-]*(?:@[1-9]\d*)?\s*$/.test(one)))
    return;
  faults.push(
    `SVC_FAILPOINTS must be names such as store-before-commit or store-before-commit@3, not '${text}'`,
  );
}

/** An unknown value must not leave a host open. */
function authOf(env: Environment, faults: string[]): Pick<Config, 'auth' | 'localOnly' | 'jwt'> {
  const text = env['SVC_AUTH'] || undefined;
  if (text === undefined || text === 'none') {
    refuseUnusedJwt(env, faults);
    return { auth: [], localOnly: text === undefined };
  }
  const names = text.split(',');
  const auth = authMethods.filter((method) => names.includes(method));
  if (auth.length !== names.length)
    faults.push(
      `SVC_AUTH must be jwt, api-key, jwt,api-key, or none if a proxy in front controls access, not '${text}'; unset it to serve this machine only`,
    );
  if (!auth.includes('jwt')) {
    refuseUnusedJwt(env, faults);
    return { auth, localOnly: false };
  }
  return { auth, localOnly: false, jwt: jwtSettingsOf(env, faults) };
}

function durabilityOf(env: Environment, faults: string[]): Durability | undefined {
  if (!env['SVC_DURABILITY']) return undefined;
  const durability = oneOf(env, 'SVC_DURABILITY', 'local', durabilities, faults);
  if (durability === 'sync' && !env['DATABASE_URL'])
    faults.push('SVC_DURABILITY=sync needs DATABASE_URL: the embedded server has no standby');
  return durability;
}

function rateOf(env: Environment, name: string, faults: string[]): Rate | undefined {
  const text = env[name] || undefined;
  const rate = text === undefined ? undefined : rateFrom(text);
  if (text !== undefined && rate === undefined)
    faults.push(`${name} must be a rate such as 100/s, 1000/min or 5000/h, not '${text}'`);
  return rate;
}

function originsOf(env: Environment, faults: string[]): readonly string[] | undefined {
  const given = listIn(env['SVC_CORS_ORIGINS']);
  for (const origin of given.filter((one) => !isOrigin(one)))
    faults.push(`SVC_CORS_ORIGINS ${originRule}, not '${origin}'`);
  return given.length === 0 ? undefined : given;
}

const listIn = (text = ''): readonly string[] =>
  text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');

function proxiesOf(env: Environment, faults: string[]): readonly string[] {
  const given = listIn(env['SVC_TRUSTED_PROXIES']);
  for (const entry of given.filter((one) => !isProxyEntry(one)))
    faults.push(
      `SVC_TRUSTED_PROXIES must be addresses and networks such as 10.0.0.7,192.168.0.0/16, not '${entry}'`,
    );
  return given;
}

function integer(
  env: Environment,
  name: string,
  fallback: number,
  min: number,
  max: number,
  faults: string[],
): number {
  const text = env[name];
  if (text === undefined || text === '') return fallback;
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= max) return value;
  faults.push(`${name} must be a whole number from ${min} to ${max}, not '${text}'`);
  return fallback;
}

function oneOf<T extends string>(
  env: Environment,
  name: string,
  fallback: T,
  allowed: readonly T[],
  faults: string[],
): T {
  const text = env[name];
  if (text === undefined || text === '') return fallback;
  const found = allowed.find((value) => value === text);
  if (found !== undefined) return found;
  faults.push(`${name} must be one of ${allowed.join(', ')}, not '${text}'`);
  return fallback;
}

const isPostgresUrl = (text: string): boolean =>
  /^postgres(?:ql)?:\/\//.test(text) && serverUrls(text) !== undefined;
const isNatsUrl = (text: string): boolean => natsServersOf(text) !== undefined;
const isAmqpUrl = (text: string): boolean => /^amqps?:\/\//.test(text) && URL.canParse(text);
const postgresExample =
  'postgres://user:password@host:5432/database (several hosts: a:5432,b:5432, where target_session_attrs may be read-write or primary)';

function urlOf(
  env: Environment,
  name: string,
  fits: (text: string) => boolean,
  example: string,
  faults: string[],
): string | undefined {
  const text = env[name];
  if (text === undefined || text === '') return undefined;
  if (fits(text)) return text;
  // The value may hold a password: it is not repeated.
  faults.push(`${name} must be a URL such as ${example}`);
  return undefined;
}
