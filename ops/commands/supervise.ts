import { availableParallelism } from 'node:os';
import { Problem } from '../../contracts/problems.js';
import { mustHaveScaled, scaleSupervisor, stopSupervisor } from '../supervise/control-supervisor.js';
import { readConfig } from '../config/config.js';
import { warnOfMisspelled } from '../config/misspelled-variables.js';
import { withGeneratedToken } from '../config/generated-token.js';
import { quarantineDefaults } from '../supervise/quarantine.js';
import { mostHosts, notRunningIn, statusOf } from '../supervise/status-socket.js';
import { statusText } from '../supervise/status-text.js';
import type { SuperviseOptions } from '../supervise/host-supervisor.js';
import { runSupervisorProcess } from '../supervise/supervisor-process.js';
import type { Verb } from '../cli/verb.js';
import { printToStdout } from '../terminal/print.js';
import { argumentsOf } from './arguments.js';
import { start } from './start.js';

export const supervise: Verb = {
  help: `
svc supervise <app> [--hosts N] [--max-memory SIZE] [--max-restarts N] [--patience MS] [--quarantine-after N]
svc supervise [app] --status | --scale N [--json]
svc supervise [app] --stop

Runs N hosts, named SVC_NAME-1 to -N, on one port. It replaces a host that exits or whose event loop is blocked, and
exits with 1 when a host exits too often.
A command that blocks the event loop of several hosts is quarantined: for ten minutes it is refused with 503
quarantined, only for its key if it has one (the receptor's key, else its Idempotency-Key), or for every key if three
keys block hosts. All other commands are served.
An event whose reaction or process blocks several hosts is parked until you release it.
Restarting svc supervise ends every quarantine.
SIGHUP replaces all hosts, one after another, without losing a request; SIGTERM drains and stops them.
--scale adds hosts with the next free numbers or drains those with the highest ones, without losing a request.
Takes the same environment as svc start.

  --hosts N           the number of hosts (default: one per processor)
  --max-memory SIZE   replaces a host that uses more, such as 512M or 2G
  --max-restarts N    restarts of one host within a minute (10)
  --patience MS       replaces a host whose event loop is blocked for longer (SVC_PATIENCE_MS, 1500)
  --quarantine-after N  quarantines a command after one of its keys took down N hosts in five minutes (3); 0: never
  --status            shows the hosts of SVC_DATA_DIR (.svc)
  --scale N           changes the number of hosts of SVC_DATA_DIR, and waits; 0 keeps only the supervisor
  --stop              drains and stops the hosts of SVC_DATA_DIR, and waits
  --json              prints JSON

  svc supervise examples/orders --hosts 4 --max-memory 512M`,
  run: async (args) => {
    const config = readConfig();
    const { json = false, ...request } = parse(args, config.patienceMs);
    if (request.options !== undefined) {
      warnOfMisspelled(start.help);
      return runSupervisorProcess(request.options, withGeneratedToken(config));
    }
    if (request.stop === true) return stopSupervisor(config.dataDir);
    const status =
      request.scale === undefined
        ? await statusOf(config.dataDir)
        : await scaleSupervisor(config.dataDir, request.scale);
    if (status === undefined) throw notRunningIn(config.dataDir);
    printToStdout(json ? `${JSON.stringify(status)}\n` : statusText(status, Date.now()));
    if (request.scale !== undefined) mustHaveScaled(status, request.scale);
  },
};

/** One of the three, or none for the status. */
interface Parsed {
  readonly options?: SuperviseOptions;
  readonly scale?: number | undefined;
  readonly stop?: boolean;
  readonly json?: boolean;
}

function parse(args: readonly string[], patienceMs: number): Parsed {
  const { values, positionals } = parsed(args);
  const { status = false, json = false, stop = false } = values;
  const scale = wholeNumber('--scale', values.scale, 0, mostHosts);
  const [app, ...rest] = positionals;
  const given = [status, stop, scale !== undefined].filter(Boolean).length;
  if (given > 1) throw usage('Give one of --status, --scale and --stop');
  // The data folder identifies the supervisor, whatever the application is called.
  if (given === 1 && rest.length === 0) return { scale, stop, json };
  if (app === undefined || rest.length > 0) throw usage('Give one application: svc supervise <app>');
  const options = {
    app,
    hosts: wholeNumber('--hosts', values.hosts, 1, mostHosts) ?? availableParallelism(),
    maxMemory: bytesOf(values['max-memory']),
    maxRestarts: wholeNumber('--max-restarts', values['max-restarts'], 0, 1_000),
    patienceMs: wholeNumber('--patience', values.patience, 1_000, 600_000) ?? patienceMs,
    quarantineAfter:
      wholeNumber('--quarantine-after', values['quarantine-after'], 0, 100) ?? quarantineDefaults.after,
  };
  return { options };
}

function parsed(args: readonly string[]) {
  const options = {
    hosts: { type: 'string' },
    'max-memory': { type: 'string' },
    'max-restarts': { type: 'string' },
    patience: { type: 'string' },
    'quarantine-after': { type: 'string' },
    status: { type: 'boolean' },
    scale: { type: 'string' },
    stop: { type: 'boolean' },
    json: { type: 'boolean' },
  } as const;
  return argumentsOf(args, options, usage);
}

function wholeNumber(
  name: string,
  text: string | undefined,
  least: number,
  most: number,
): number | undefined {
  if (text === undefined) return undefined;
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return value;
  throw usage(`${name} must be a whole number from ${least} to ${most}, not '${text}'`);
}

const units = { K: 2 ** 10, M: 2 ** 20, G: 2 ** 30 };

function bytesOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const [, number, unit] = /^(\d{1,12})([KMG])?$/.exec(text) ?? [];
  if (number === undefined) throw usage(`--max-memory must be a size such as 512M, not '${text}'`);
  return Number(number) * (unit === undefined ? 1 : units[unit as keyof typeof units]);
}

const usage = (detail: string): Problem =>
  new Problem('usage', { detail: `${detail}; see svc supervise --help.` });
