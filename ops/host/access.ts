import {
  type Authenticate,
  type AuthenticationRequest,
  type Identity,
  identityFrom,
  type IdentityInit,
  type RequestHeaders,
} from '../../contracts/identity.js';
import { Problem } from '../../contracts/problems.js';
import type { Authentication, Identifiable, Identify } from '../../endpoints/access/authentication.js';
import type { Access } from '../../endpoints/access/access.js';
import { callersOf } from '../../endpoints/access/caller.js';
import { isToken } from '../../endpoints/access/credentials.js';
import { FailedLogins, limitingFailures } from '../../endpoints/access/failed-logins.js';
import { RateLimit } from '../../endpoints/access/rate-limit.js';
import { TrustedProxies } from '../../endpoints/access/trusted-proxies.js';
import type { CorsOptions, Registry, ServiceDefinition } from '../../endpoints/service-definition.js';
import { type Correlation, correlationOf } from '../../endpoints/http/correlation.js';
import { AccessGuard, type SecurityEvents } from '../../runtime/access/access-guard.js';
import { frozenIdentity } from '../../runtime/access/frozen-identity.js';
import { oncePerFrozen } from '../../runtime/lang/once-per-frozen.js';
import { isThenable } from '../../runtime/lang/thenable.js';
import type { Config } from '../config/config.js';
import { accessFrom } from '../service/console-access.js';
import { authenticatorsOf } from './authenticators.js';
import { mustDeclarePermissions } from './refuse-undeclared-permissions.js';
import {
  type SecurityEventPorts,
  SecurityEventRecorder,
} from '../../actors/access/security-event-recorder.js';
import { startRefreshing } from '../../actors/start-refreshing.js';
import type { Supervisor } from '../../actors/supervisor/supervisor.js';
import { KnownRoles } from '../../runtime/access/known-roles.js';
import { readRoles } from '../../runtime/access/read-stored-roles.js';
import type { Database } from '../../runtime/database/database.js';
import type { NotificationSource } from '../../runtime/database/notifications.js';
import type { HostLeases } from '../../runtime/leases/host-leases.js';

/** The access settings of a host once its service is known: an authenticator of its own opens it as `SVC_AUTH` does. */
export function withAuthenticator(config: Config, { authenticate }: ServiceDefinition): Config {
  const localOnly = config.localOnly && authenticate === undefined;
  if (localOnly && !/^(?:127\.\d+\.\d+\.\d+|::1|localhost)$/.test(config.bind))
    throw new Problem('invalid-setup', {
      detail: `SVC_BIND must be a loopback address while there is no authentication, not '${config.bind}'; set SVC_AUTH=jwt or api-key, or SVC_AUTH=none if a proxy in front controls access`,
    });
  return { ...config, localOnly };
}

/** The operator's origins replace those of the service. */
const corsOf = ({ corsOrigins }: Config, { cors }: ServiceDefinition): CorsOptions | undefined =>
  corsOrigins === undefined ? cors : { ...cors, origins: corsOrigins };

/** How a host checks its callers, and what the parts of a request need for it. */
interface HostAccess {
  /** Unset: the host does not authenticate. */
  readonly authentication: Authentication | undefined;
  readonly accessGuard: AccessGuard | undefined;
  readonly callerOf: ReturnType<typeof callersOf>;
  /** Who may see the pages. */
  readonly pages: Access;
  readonly rateLimit: RateLimit | undefined;
  readonly cors: CorsOptions | undefined;
}

interface AccessHost extends AccessPorts {
  readonly definition: ServiceDefinition;
  readonly registry: Registry;
}

export async function startAccess(host: AccessHost, config: Config): Promise<HostAccess> {
  const proxies = new TrustedProxies(config.trustedProxies);
  const failedLogins = new FailedLogins(proxies);
  const limits = { caller: config.rateLimit, tenant: config.tenantRateLimit };
  const isLimited = limits.caller !== undefined || limits.tenant !== undefined;
  const rateLimit = isLimited ? new RateLimit(limits, proxies) : undefined;
  const found = await startAuthentication(host, config, proxies);
  const authentication = found && {
    ...limitingFailures(found, failedLogins, verifiesTokens(host, config) ? isToken : undefined),
    rateLimit,
  };
  const accessGuard = authentication?.guard;
  const callerOf = callersOf(accessGuard, host.definition.hiddenHeaders, proxies);
  const pages = { ...accessFrom(config), authentication, failedLogins, proxies };
  const cors = corsOf(config, host.definition);
  return { authentication, accessGuard, callerOf, pages, rateLimit, cors };
}

/** What an authenticator of the service takes in the form of a token need not be signed. */
const verifiesTokens = ({ definition }: AccessHost, { jwt }: Config): boolean =>
  jwt !== undefined && definition.authenticate === undefined;

async function startAuthentication(
  host: AccessHost,
  config: Config,
  proxies: TrustedProxies,
): Promise<Authentication | undefined> {
  const authenticators = await authenticatorsOf(host, config);
  if (authenticators.length === 0) return undefined;
  const events = await startSecurityEvents(host);
  return authenticationOf(authenticators, host.registry, events, {
    withRoles: await startRoles(host),
    proxies,
  });
}

interface IdentifyOptions {
  /** Adds what the roles store grants to what an authenticator found. */
  readonly withRoles: (identity: Identity) => Identity;
  readonly proxies: TrustedProxies;
}

/** How a host checks its callers; undefined without an authenticator. */
export function authenticationOf(
  authenticators: readonly Authenticate[],
  registry: Registry,
  events: SecurityEvents,
  { withRoles = (identity) => identity, proxies = new TrustedProxies() }: Partial<IdentifyOptions> = {},
): Authentication | undefined {
  if (authenticators.length === 0) return undefined;
  mustDeclarePermissions(registry);
  const identify = identifier(authenticators, events, { withRoles, proxies });
  return { identify, guard: new AccessGuard(events), proxies };
}

/** The first authenticator that recognizes the credentials decides. */
function identifier(
  authenticators: readonly Authenticate[],
  events: SecurityEvents,
  { withRoles, proxies }: IdentifyOptions,
): Identify {
  const checked = oncePerFrozen(checkedIdentity);
  const establish = (init: IdentityInit, { correlation }: SentRequest): Identity => {
    const identity = withRoles(checked(init));
    events.established(identity, correlation);
    return identity;
  };
  const asking =
    (next: Ask, authenticate: Authenticate): Ask =>
    (request) => {
      const taken = (init: IdentityInit | null) => (init === null ? next(request) : establish(init, request));
      const found = authenticate(request);
      return isThenable(found) ? found.then(taken) : taken(found);
    };
  const ask = authenticators.reduceRight<Ask>(asking, () => null);
  return (sent) => ask(new SentRequest(sent, proxies));
}

type Ask = (request: SentRequest) => ReturnType<Identify>;

/** An authenticator that remembers its callers returns the same frozen answer again. */
const checkedIdentity = (init: IdentityInit): Identity =>
  Object.isFrozen(init) ? frozenIdentity(init) : identityFrom(init);

/** Most authenticators never look at the address: it is found on use. */
class SentRequest implements AuthenticationRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: RequestHeaders;
  readonly #sent: Identifiable;
  readonly #proxies: TrustedProxies;

  constructor(sent: Identifiable, proxies: TrustedProxies) {
    this.#sent = sent;
    this.#proxies = proxies;
    this.method = sent.method;
    this.url = sent.url;
    this.headers = sent.headers;
  }

  get correlation(): Correlation {
    return correlationOf(this.#sent);
  }

  get remoteAddress(): string {
    return this.#proxies.addressOf(this.#sent);
  }
}

/** What a host that authenticates needs to record its decisions and to know its roles. */
interface AccessPorts {
  readonly supervisor: Supervisor;
  readonly database: Database;
  readonly notifications: NotificationSource;
  readonly leases: Pick<HostLeases, 'watch'>;
  readonly report: SecurityEventPorts['emit'];
}

/** Stopped after the server: what the last requests were granted is stored too. */
const startSecurityEvents = ({ supervisor, report }: AccessPorts): Promise<SecurityEventRecorder> =>
  supervisor.keep(
    'security-events',
    () => new SecurityEventRecorder({ emit: report }),
    (recorder) => recorder.stop(),
  );

/** The host learns of a change whose notification is lost when it renews its leases. */
const everyMs = 60_000;

/** No request is served before the roles are known. */
async function startRoles(ports: AccessPorts): Promise<(identity: Identity) => Identity> {
  const { supervisor, database } = ports;
  const known = new KnownRoles((version) => readRoles(database, version));
  await known.refresh();
  const [version, refresh] = [() => known.version, () => known.refresh()];
  const copy = { name: 'the roles', channel: 'svc_access', everyMs, version, refresh } as const;
  await supervisor.start({ name: 'roles', start: () => startRefreshing(copy, ports) });
  return (identity) => known.complete(identity);
}
