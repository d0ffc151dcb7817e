import { LocalDispatcher } from '../../../actors/commands/dispatcher.js';
import { SecurityEventRecorder } from '../../../actors/access/security-event-recorder.js';
import type { Authenticate } from '../../../contracts/identity.js';
import { apiKeyAuthenticator } from '../../../endpoints/access/api-key.js';
import { callersOf } from '../../../endpoints/access/caller.js';
import { FailedLogins, limitingFailures } from '../../../endpoints/access/failed-logins.js';
import { jwtAuthenticator } from '../../../endpoints/access/jwt/jwt.js';
import { createHttpServer } from '../../../endpoints/routes/http-server.js';
import { apiKeyIdIn, digestOf } from '../../../runtime/access/api-key.js';
import { KnownApiKeys } from '../../../runtime/access/known-api-keys.js';
import { authenticationOf } from '../../host/access.js';
import { ordersWithoutStore } from '../http/orders-without-store.js';
import { never, noStore } from '../harness/no-store.js';

/** The example's POST /orders without a store, guarded as a host guards it. */
const [mode = 'none', credential = ''] = process.argv.slice(2);

async function authenticators(): Promise<readonly Authenticate[]> {
  if (mode === 'jwt') return [jwtAuthenticator({ key: { secret: credential } })];
  if (mode !== 'api-key') return [];
  const digest = digestOf(credential).toString('hex');
  const id = apiKeyIdIn(credential) ?? '';
  const keys = new KnownApiKeys(async () => [{ id, digest, name: 'bench', permissions: ['orders:write'] }]);
  await keys.refresh();
  return [apiKeyAuthenticator(keys)];
}

const deadlineMs = 10_000;
const dispatcher = new LocalDispatcher({ store: noStore, deadlineMs });
const { registry } = await ordersWithoutStore(dispatcher);
const events = new SecurityEventRecorder({ emit: async () => undefined });
const found = authenticationOf(await authenticators(), registry, events);
const authentication = found && limitingFailures(found, new FailedLogins());
const server = createHttpServer(
  registry.endpoints,
  { gate: { claim: never }, store: noStore, deadlineMs, callerOf: callersOf(authentication?.guard) },
  { bodyLimit: 1 << 20, schema: registry.schema, authentication },
);
const url = await server.listen(0, '127.0.0.1');
process.stdout.write(`${JSON.stringify({ port: Number(new URL(url).port) })}\n`);
