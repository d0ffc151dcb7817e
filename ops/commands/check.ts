import { LocalDispatcher } from '../../actors/commands/dispatcher.js';
import { type DeclaredSmokeTest, declareSmokeTest } from '../host/declared-smoke-test.js';
import { runPostChecks } from '../checks/post.js';
import { runPreChecks } from '../checks/pre.js';
import { type CheckReport, reportText } from '../checks/report.js';
import { printToStdout } from '../terminal/print.js';
import { withApplication } from '../service/with-application.js';
import type { Verb } from '../cli/verb.js';
import { argumentsOf, usageOf } from './arguments.js';
import { checkMigrations } from './check-migrations.js';

export const check: Verb = {
  help: `
svc check migrations [app] [--json]
svc check pre [app] [--test COMMAND] [--test-timeout SECONDS] [--nats-monitor URL,…] [--json]
svc check post [app] --url URL [--key KEY] [--ready-within SECONDS] [--observe SECONDS] [--json]

<app> is a folder or a .js file; default: the current folder. pre and post print one line per check and exit with 1 if
one of them fails.

migrations  Parses migrations/*.sql and reports, with file and line, statements that break or block running code: NOT NULL
            without a default, rename, drop, type change, index without CONCURRENTLY, constraint without NOT VALID, …
            and, over the history of the files, steps that are out of order. Exits with 1 when running code breaks.
            With DATABASE_URL also reports files that were edited after they were applied there: no host would start.
            A file may change what it has created itself; a file with -- svc: min-level=N may drop.
            Needs the package libpg-query: npm install --save-dev --include=dev libpg-query@18.1.5
pre         Before a deployment: the database is reachable and accepts writes, the migrations would be applied, none of
            those to be applied breaks the running version, every named check of a dependency is healthy, NATS flushes
            messages before it acknowledges them, and the command of the integration tests exits with 0.
post        After a deployment: a host is ready, the smokeTest of the service creates and reads, and at most 5 % of the
            requests failed. Hosts declare the smoke test in /openapi.json; with <app> it is taken from there.

The safe order: add an optional column; deploy code that reads it and falls back to the old logic; backfill; then make
it required. Expand (add the new structure, write to both, backfill), then contract (read new only, remove the old).

  --test          the command that runs the integration tests, in a shell; its output goes to stderr
  --test-timeout  how long the tests may take; default 600
  --nats-monitor  the monitoring ports of the NATS servers, such as http://nats:8222; without it their durability is
                  not checked
  --url           the address of a host, such as http://127.0.0.1:3000
  --key           an API key or a token for the host; default: SVC_CHECK_KEY. It needs the permissions of the smoke test,
                  and svc:observe to read /openapi.json and /metrics
  --ready-within  how long the host may take to become ready; default 30
  --observe       counts errors for this long; default 0: since the host started
  --json          prints JSON: the findings, or { ok, checks: [{ name, ok, detail }] }

  svc check pre examples/orders --test 'npm run test:integration'`,
  run: async (args) => {
    const { what, app, json, values } = parse(args);
    if (what === 'migrations') return checkMigrations(app ?? '.', json);
    const report =
      what === 'pre'
        ? await runPreChecks(app ?? '.', {
            test: values.test,
            testTimeoutMs: secondsOf(values['test-timeout'], 'test-timeout', 600) * 1000,
            natsMonitors: monitorsOf(values['nats-monitor']),
          })
        : await runPostChecks({
            url: values.url ?? '',
            smokeTest: app === undefined ? undefined : await smokeTestOf(app),
            key: values.key ?? (process.env['SVC_CHECK_KEY'] || undefined),
            readyWithinMs: secondsOf(values['ready-within'], 'ready-within', 30) * 1000,
            observeMs: secondsOf(values.observe, 'observe', 0) * 1000,
          });
    print(report, json);
  },
};

const smokeTestOf = (app: string): Promise<DeclaredSmokeTest | undefined> =>
  withApplication(app, async (definition) => {
    const { endpoints } = definition.create(new LocalDispatcher());
    return definition.smokeTest && declareSmokeTest(definition.smokeTest, endpoints);
  });

function print(report: CheckReport, json: boolean): void {
  printToStdout(`${json ? JSON.stringify(report, undefined, 2) : reportText(report)}\n`);
  if (!report.ok) process.exitCode = 1;
}

const ofPre = ['test', 'test-timeout', 'nats-monitor'] as const;
const ofPost = ['url', 'key', 'ready-within', 'observe'] as const;

function parse(args: readonly string[]) {
  const text = { type: 'string' } as const;
  const options = {
    json: { type: 'boolean' },
    test: text,
    'test-timeout': text,
    'nats-monitor': text,
    url: text,
    key: text,
    'ready-within': text,
    observe: text,
  } as const;
  const { values, positionals } = argumentsOf(args, options, usage);
  const [what, app, ...rest] = positionals;
  if (what !== 'migrations' && what !== 'pre' && what !== 'post')
    throw usage('Give what to check: svc check migrations, svc check pre or svc check post');
  const foreign = [...(what === 'pre' ? [] : ofPre), ...(what === 'post' ? [] : ofPost)];
  const wrong = foreign.find((name) => values[name] !== undefined);
  if (wrong !== undefined) throw usage(`svc check ${what} has no --${wrong}`);
  if (rest.length > 0) throw usage('Give one application');
  if (what === 'post' && values.url === undefined) throw usage('Give the address of a host: --url URL');
  return { what, app, json: values.json === true, values } as const;
}

function secondsOf(text: string | undefined, name: string, fallback: number): number {
  if (text === undefined) return fallback;
  if (!/^\d{1,6}$/.test(text)) throw usage(`--${name} must be a number of seconds, not '${text}'`);
  return Number(text);
}

const monitorsOf = (text: string | undefined): readonly URL[] | undefined => text?.split(',').map(monitorOf);

function monitorOf(text: string): URL {
  if (!/^https?:/.test(text) || !URL.canParse(text))
    throw usage(
      `--nats-monitor must be the address of a monitoring port, such as http://nats:8222, not '${text}'`,
    );
  return new URL(text);
}

const usage = usageOf('check');
