import { logForMachines, logListening } from '../../runtime/logging/log.js';
import { type Config, readConfig } from '../config/config.js';
import { printConsoleLink, withGeneratedToken } from '../config/generated-token.js';
import { type Host, startHost } from '../host/host.js';
import { runHostProcess } from '../host/run-host-process.js';
import { monitorHost } from '../monitor/monitor.js';
import type { ReceivedRecord } from '../console/sources/monitor/received-record.js';
import type { Verb } from '../cli/verb.js';
import { printToStdout } from '../terminal/print.js';
import { optionsOf, usageOf } from './arguments.js';

export const monitor: Verb = {
  help: `
svc monitor [--url NATS] [--port P] [--correlation ID] [--user ID] [--tenant ID] [--type NAME] [--json]

Receives the system events of every host that runs with SVC_BROADCAST=1, keeps them in its own store, one chain
per sending store, and prints each on one line as it arrives. Start it before or after the hosts and the broker;
after a restart it receives what it missed.
The page shows more: all hosts with their health and the time of their last message, failures, running rebuilds
and migrations, and the stream of all hosts or of one.

  --url NATS          the broker (default: NATS_URL), such as nats://localhost:4222
  --port P            the port of the page, which is at /console (default: SVC_PORT or 3030; 0: any free port)
  --correlation, --user, --tenant, --type
                      show only records that match every filter; all records are kept
  --json              prints lines of JSON, the default when the output is not a terminal

The store is the one at DATABASE_URL, or an embedded one in SVC_DATA_DIR (.svc-monitor); it must not be
the store of a service. It sees the hosts of its SVC_NAMESPACE (svc). SVC_NAME (default: monitor) is the name of the monitor. svc audit verify --origin STORE verifies a chain.

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
      const details = {
        url: address,
        service: definition.name,
        host: config.name,
        console: `${address}/console`,
      };
      logListening(details);
      printConsoleLink(address, config);
    };
    await runHostProcess(
      config,
      (signal) => startHost(definition, config, undefined, { ...extras, signal }),
      announce,
    );
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

/** The monitor must broadcast in order to receive, and needs its page in order to be seen. */
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
    throw usage('Set the broker with --url or NATS_URL, such as nats://localhost:4222');
  return config;
}

const usage = usageOf('monitor');
