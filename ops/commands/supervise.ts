import { availableParallelism } from 'node:os';
import { Problem } from '../../contracts/problems.js';
import { readConfig } from '../config.js';
import { withGeneratedToken } from '../generated-token.js';
import { quarantineDefaults } from '../supervise/quarantine.js';
import { statusOf } from '../supervise/status-socket.js';
import { statusText } from '../supervise/status-text.js';
import type { SuperviseOptions } from '../supervise/host-supervisor.js';
import { runSupervisorProcess } from '../supervise/supervisor-process.js';
import type { Verb } from '../verb.js';
import { printToStdout } from '../print.js';
import { argumentsOf } from './arguments.js';

export const supervise: Verb = {
  name: 'supervise',
  usage: 'supervise <app>',
  summary: 'runs several host processes on one port, and keeps them running',
  help: `
svc supervise <app> [--hosts N] [--max-memory SIZE] [--max-restarts N] [--patience MS] [--quarantine-after N]
svc supervise [app] --status [--json]

Runs N hosts, named SVC_NAME-1 to -N, on one port. One that ends or whose event loop is blocked
is replaced; one that ends too often is given up, and the supervisor ends with 1.
A command that blocks the event loop of several hosts is refused with 503 quarantined for ten minutes, by its key
where it has one (its receptor's key, else its Idempotency-Key); all others are served. A restart of svc supervise
releases it.
SIGHUP replaces all hosts, one after another, without losing a request; SIGTERM drains and stops them.
The environment is that of svc start.

  --hosts N           as many as there are processors, if not said
  --max-memory SIZE   a host that takes more is replaced: 512M, 2G
  --max-restarts N    of one host within a minute (10)
  --patience MS       a host whose event loop stands still for longer is replaced (SVC_PATIENCE_MS, 1500)
  --quarantine-after N  so many hosts lost to one command within five minutes (3); 0: never
  --status            how the hosts of SVC_DATA_DIR (.svc) are
  --json              the same for machines

  svc supervise examples/orders --hosts 4 --max-memory 512M`,
  run: async (args) => {
    const config = readConfig();
    const { options, status, json } = parse(args, config.patienceMs);
    if (options !== undefined) return runSupervisorProcess(options, withGeneratedToken(config));
    if (status) await printStatus(config.dataDir, json);
  },
};

async function printStatus(dataDir: string, json: boolean): Promise<void> {
  const status = await statusOf(dataDir);
  if (status === undefined) {
    throw new Problem('invalid-setup', {
      detail: `No supervisor runs in ${dataDir}; start one with svc supervise <app>, or set SVC_DATA_DIR.`,
    });
  }
  printToStdout(json ? `${JSON.stringify(status)}\n` : statusText(status, Date.now()));
}

interface Parsed {
  readonly options: SuperviseOptions | undefined;
  readonly status: boolean;
  readonly json: boolean;
}

function parse(args: readonly string[], patienceMs: number): Parsed {
  const { values, positionals } = parsed(args);
  const {
    status = false,
    json = false,
    hosts,
    'max-memory': memory,
    'max-restarts': restarts,
    patience,
    'quarantine-after': quarantine,
  } = values;
  const [app, ...rest] = positionals;
  // The data folder says whose hosts they are, whatever the application is called.
  if (status && rest.length === 0) return { options: undefined, status, json };
  if (app === undefined || rest.length > 0) throw usage('Name one application: svc supervise <app>');
  const options = {
    app,
    hosts: wholeNumber('--hosts', hosts, 1, 256) ?? availableParallelism(),
    maxMemory: bytesOf(memory),
    maxRestarts: wholeNumber('--max-restarts', restarts, 0, 1_000),
    patienceMs: wholeNumber('--patience', patience, 1_000, 600_000) ?? patienceMs,
    quarantineAfter: wholeNumber('--quarantine-after', quarantine, 0, 100) ?? quarantineDefaults.after,
  };
  return { options, status, json };
}

function parsed(args: readonly string[]) {
  const options = {
    hosts: { type: 'string' },
    'max-memory': { type: 'string' },
    'max-restarts': { type: 'string' },
    patience: { type: 'string' },
    'quarantine-after': { type: 'string' },
    status: { type: 'boolean' },
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
  new Problem('usage', { detail: `${detail}. svc supervise --help tells more.` });
