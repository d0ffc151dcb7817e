import { Problem } from '../../contracts/problems.js';
import { logForMachines, logListening } from '../../runtime/logging/log.js';
import { builtModuleOf } from '../service/load-service.js';
import { readConfig } from '../config/config.js';
import { warnOfMisspelled } from '../config/misspelled-variables.js';
import { printConsoleLink, withGeneratedToken } from '../config/generated-token.js';
import { startupBanner } from '../host/startup-banner.js';
import type { Verb } from '../cli/verb.js';
import { printToStdout } from '../terminal/print.js';
import { argumentsOf, usageOf } from './arguments.js';

export const start: Verb = {
  help: `
svc start <app> [--port P] [--json]

Runs one host. <app> is a folder whose package.json names the built module in "main",
or a .js file; its default export is the service definition.

  --port P   the port (default: SVC_PORT or 3000; 0: any free port)
  --json     prints lines of JSON even on a terminal

Environment, all optional:
  SVC_PORT (3000; 0: any free port), SVC_BIND (127.0.0.1), SVC_NAME (the name of the machine), SVC_DATA_DIR (.svc)
  DATABASE_URL (unset: an embedded PostgreSQL in the data dir, and set for the application), DATABASE_OWNER_URL
  (migrates and rebuilds); several servers: postgres://user@a,b/db
  SVC_DURABILITY (local; sync: a standby has every answered commit, else 503; async: a failover may lose some)
  SVC_MASTER_KEY (openssl rand -base64 32; for fields marked @Sensitive({ subject }), the same on every host), SVC_MASTER_KEY_OLD
  (the one before, while svc store rotate-master replaces it)
  NATS_URL (unset: messages stay in the process; several: nats://a,b), SVC_BROADCAST (0; 1: publishes system events, too)
  NATS_CREDS, NATS_NKEY (files), NATS_TOKEN, or NATS_USER with NATS_PASSWORD (one of them, if the broker asks)
  SVC_NAMESPACE (svc; the first part of all names at the broker, for stores that share one)
  NATS_TLS_CA, NATS_TLS_CERT with NATS_TLS_KEY (files), SVC_MESSAGE_FORMAT (msgpack; cloudevents)
  SVC_AUDIT (all, events, commands, off), SVC_AUDIT_MODE (OptOut, OptIn), AMQP_URL (set: health includes the broker)
  SVC_STORE_TRUST (pin: a new store is trusted at once; strict: it waits for svc stores trust; default by broker)
  SVC_SIGN_MESSAGES (0; 1: domain messages are signed one by one)
  SVC_SIGNING_KEY (unset: kept in the store; base64 of 32 bytes or PEM: signs the heads of the audit chain),
  SVC_SIGNING_KEY_OLD (the one before, while svc store rotate-key replaces it)
  SVC_DEADLINE_MS (30000), SVC_BODY_LIMIT (1048576), SVC_LIVE_WATCHERS (5000), SVC_LOG (info), SVC_PATIENCE_MS (1500; under svc supervise)
  SVC_REVISION (set by svc deploy; the header svc-revision of every answer, else the version of the service)
  SVC_REBUILD_THREADS (one less than the cores; 1: no extra thread)
  SVC_INSPECT (1 in development), SVC_INSPECT_TOKEN (read access), SVC_OPERATOR_TOKEN (operator actions, too)
  SVC_AUTH (unset: serves this machine only; jwt, api-key or both; none: a proxy in front controls access)
  SVC_JWT_SECRET, or SVC_JWT_JWKS_URL with SVC_JWT_ISSUER and SVC_JWT_AUDIENCE (for SVC_AUTH=jwt)
  SVC_RATE_LIMIT, SVC_TENANT_RATE_LIMIT (unset; 100/s, 1000/min: of one caller, of one tenant),
  SVC_TRUSTED_PROXIES (addresses whose X-Forwarded-For counts)
  SVC_TENANT_WEIGHTS (unset; north=10,south=2: turns of tenants where commands wait, 1 to 100)
  SVC_CORS_ORIGINS (unset; https://shop.example,…: sites whose pages may use the service; *: every site)
  SVC_FAILPOINTS (store-before-commit@3, …: where the process exits, for tests)

  svc start examples/orders --port 8080`,
  run: async (args) => {
    const { app, json, port } = parse(args);
    if (json) logForMachines();
    const config = withGeneratedToken(
      readConfig(port === undefined ? process.env : { ...process.env, SVC_PORT: port }),
    );
    warnOfMisspelled(start.help);
    await builtModuleOf(app);
    // Load the runtime and the application last: a bad argument or setting is reported at once.
    const { runHostProcess } = await import('../host/run-host-process.js');
    const { startHostOf } = await import('../host/start-host-of.js');
    await runHostProcess(
      config,
      (ending) => startHostOf(app, config, ending),
      ({ url, registry, name, embedded }) => {
        logListening({ url, service: name, host: config.name });
        if (process.stdout.isTTY && !json)
          printToStdout(startupBanner(url, registry, { ...config, embedded }));
        else printConsoleLink(url, config);
      },
    );
  },
};

interface Started {
  readonly app: string;
  readonly json: boolean;
  readonly port: string | undefined;
}

function parse(args: readonly string[]): Started {
  const { values, positionals } = parsed(args);
  const [app, ...rest] = positionals;
  if (app === undefined || rest.length > 0) throw usage('Give one application: svc start <app>.');
  const { json, port } = values;
  if (port !== undefined && !(/^\d{1,5}$/.test(port) && Number(port) <= 65_535))
    throw usage(`--port must be a whole number from 0 to 65535, not '${port}'; see svc start --help.`);
  return { app, json, port };
}

function parsed(args: readonly string[]) {
  const options = { json: { type: 'boolean', default: false }, port: { type: 'string' } } as const;
  return argumentsOf(args, options, usageOf('start'));
}

const usage = (detail: string): Problem => new Problem('usage', { detail });
