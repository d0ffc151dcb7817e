import { FailedLogins, limitingFailures } from '../../endpoints/access/failed-logins.js';
import { Tokens, type TokenSettings } from '../../endpoints/access/tokens.js';
import { TrustedProxies } from '../../endpoints/access/trusted-proxies.js';
import { Inspection } from '../../endpoints/inspection/inspection.js';
import { Inspector } from '../../endpoints/routes/inspector.js';
import { withBakery } from '../../endpoints/testing/bakery.js';
import { type Answered, post, send } from '../../endpoints/testing/http-client.js';
import { knownCallers } from '../../endpoints/testing/known-callers.js';
import { consoleFiles } from '../console/server/page-files.js';
import { consoleRoutes } from '../console/server/routes.js';
import { consoleOf, scriptedHost } from './scripted-host.js';

export const session = '/console/session';
const release = '/console/api/perspectives/breads/release';
type Headers = Record<string, string>;

interface Signing {
  readonly url: string;
  readonly authentication: ReturnType<typeof knownCallers>;
  signIn(credential: unknown, headers?: Headers): Promise<Answered>;
  get(path: string, headers?: Headers): Promise<Answered>;
  act(headers: Headers): Promise<Answered>;
}

/** A host with pages and callers that are known by name; proxies on this machine are trusted. */
export async function withSigning(
  body: (signing: Signing) => Promise<void>,
  tokens: TokenSettings = {},
  /** The time by which failed logins are counted. */
  now = () => performance.now(),
): Promise<void> {
  const known = knownCallers();
  const proxies = new TrustedProxies(['127.0.0.1']);
  const failedLogins = new FailedLogins(proxies, now);
  const authentication = { ...known, ...limitingFailures(known, failedLogins) };
  const limits = { failedLogins, proxies, recheckMs: 20 };
  const access = { tokens: new Tokens(tokens), localOnly: false, authentication, ...limits };
  const { add, close } = consoleRoutes(consoleOf(scriptedHost()), consoleFiles(), access);
  const inspector = new Inspector(new Inspection({ host: 'oven-1' }).feed, { access });
  const routes = [add, inspector.route];
  await withBakery(
    { http: { routes, authentication, access, openApi: '{}', development: true } },
    ({ url }) =>
      body({
        url,
        authentication,
        signIn: (credential, headers = {}) => post(url, { credential }, { path: session, headers }),
        get: (path, headers = {}) => send(url, { method: 'GET', path, headers }),
        act: (headers) => post(url, {}, { path: release, headers }),
      }),
  ).finally(() => {
    inspector.stop();
    close();
  });
}

/** The cookie that an answer sets, as a browser sends it back. */
export const cookieIn = ({ headers }: Answered): Headers => ({
  cookie: String(headers['set-cookie']?.[0]?.split(';', 1)[0]),
});
export const fromPage = (url: string): Headers => ({ origin: url, 'sec-fetch-site': 'same-origin' });
