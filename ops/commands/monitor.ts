import { log, logForMachines } from '../../runtime/log.js';
import { type Config, readConfig } from '../config.js';
import { printConsoleLink, withGeneratedToken } from '../generated-token.js';
import type { Host } from '../host/host.js';
import { runHostProcess } from '../host/run-host-process.js';
import { monitorHost } from '../monitor/monitor.js';
import type { ReceivedRecord } from '../console/sources/monitor/received-record.js';
import type { Verb } from '../verb.js';
import { printToStdout } from '../print.js';
import { optionsOf, usageOf } from './arguments.js';

export const monitor: Verb = {
  name: 'monitor',
  usage: 'monitor [--url NATS]',
  summary: 'receives, keeps and shows the system events of every broadcasting host',
  help: `
svc monitor [--url NATS] [--port P] [--correlation ID] [--user ID] [--tenant ID] [--type NAME] [--json]

Receives the system events of every host that runs with SVC_BROADCAST=1, keeps them in a store of its own,
each store's chain by itself, and shows them as they come, one line each. It may be started before or after
the hosts and the broker; what it missed while it was down it receives when it is back.
The page tells more: which hosts there are, when they were last heard of and how they are, failures,
rebuilds and migrations on their way, and the streams of all hosts or of one.

  --url NATS          the broker (default: NATS_URL), such as nats://localhost:4222
  --port P            of the page (default: SVC_PORT or 3030; 0 = any that is free)
  --correlation, --user, --tenant, --type
                      show only records that match every one of them; all are kept
  --json              lines of JSON, as always where the output is no terminal

The store is the one of DATABASE_URL, or an embedded one in SVC_DATA_DIR (.svc-monitor); it must not be
that of a service. SVC_NAME (monitor) is its own name. svc audit verify --origin STORE verifies a chain.

  svc monitor --url nats://localhost:4222 --type CommandFailed`,
  run: async (args) => {
    const { json, url, port, ...filter } = parse(args);
    if (json === true) logForMachines();
    const config = withGeneratedToken(configOf(url, port));
    const asJson = json === true || !process.stdout.isTTY;
    const show = ({ json: text, line }: ReceivedRecord): void => {
      printToStdout(`${asJson ? text : line}\n`);
    };
    const { definition, hostOptions: extras } = monitorHost({ name: config.name, filter, show });
    const announce = ({ url: address }: Host): void => {
      const told = {
        url: address,
        service: definition.name,
        host: config.name,
        console: `${address}/console`,
      };
      log.info(told, 'listening');
      printConsoleLink(address, config);
    };
    await runHostProcess(definition, config, announce, extras);
  },
};

const options = {
  url: { type: 'string' },
  port: { type: 'string' },
  correlation: { type: 'string' },
  user: { type: 'string' },
  tenant: { type: 'string' },
  type: { type: 'string' },
  json: { type: 'boolean' },
} as const;

const parse = (args: readonly string[]) => optionsOf(args, options, usage);

/** It would not receive what it does not broadcast itself, and nobody could look at it without its page. */
function configOf(url: string | undefined, port: string | undefined): Config {
  const { env } = process;
  const config = readConfig({
    ...env,
    SVC_NAME: env['SVC_NAME'] || 'monitor',
    SVC_DATA_DIR: env['SVC_DATA_DIR'] || '.svc-monitor',
    SVC_BROADCAST: '1',
    SVC_INSPECT: '1',
    ...(url === undefined ? {} : { NATS_URL: url }),
    SVC_PORT: port ?? (env['SVC_PORT'] || '3030'),
  });
  if (config.natsUrl === undefined)
    throw usage('Name the broker by --url or NATS_URL, such as nats://localhost:4222');
  return config;
}

const usage = usageOf('monitor');
