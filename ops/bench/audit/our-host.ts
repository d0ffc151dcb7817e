import type { ServiceDefinition } from '../../../endpoints/service-definition.js';
import { loadService } from '../../service/load-service.js';
import { readConfig } from '../../config/config.js';
import { startHost } from '../../host/host.js';
import { ordersUnderTest } from '../harness/build-under-test.js';
import { commandsAlone } from '../harness/commands-alone.js';

/**
 * The orders example as `svc start` runs it, with the given audit setting, without read models and processes, which no
 * other variant has. With a shared key its callers authenticate with a JWT.
 */
const [databaseUrl = '', audit = 'all', secret] = process.argv.slice(2);
const config = readConfig({
  SVC_PORT: '0',
  SVC_NAME: 'bench',
  SVC_LOG: 'error',
  SVC_AUDIT: audit,
  NODE_ENV: 'production',
  DATABASE_URL: databaseUrl,
  ...(secret === undefined ? {} : { SVC_AUTH: 'jwt', SVC_JWT_SECRET: secret }),
});
const application = await loadService(ordersUnderTest());
const measured: ServiceDefinition = {
  ...application,
  create: (dispatcher) => commandsAlone(application.create(dispatcher)),
};
const host = await startHost(measured, config);
process.once('SIGTERM', () => {
  void host.stop().then(() => process.exit(0));
});
process.stdout.write(`${JSON.stringify({ port: Number(new URL(host.url).port) })}\n`);
