import type { ServiceDefinition } from '../../endpoints/service-definition.js';
import { type Config, readConfig } from '../config/config.js';
import { builtModuleOf, loadService } from '../service/load-service.js';
import { type DatabaseState, readDatabaseState } from './database.js';
import { dependencyOutcomes } from './dependency-health.js';
import { migrationOutcomes } from './migrations.js';
import { natsDurability } from './nats-durability.js';
import { type CheckOutcome, type CheckReport, checked, failed, passed, reportOf } from './report.js';
import { runCommand } from './run-command.js';
import { stopApplication } from '../service/stop-application.js';
import { hasStoreFolder, type StoreUrls, withStoreUrls } from '../config/store-urls.js';

interface PreCheckOptions {
  /** The store and the brokers of the deployment; by default those of the environment. */
  readonly config?: Config;
  /** The command that runs the integration tests. */
  readonly test?: string | undefined;
  readonly testTimeoutMs?: number;
  /** The monitoring ports of the NATS servers. */
  readonly natsMonitors?: readonly URL[] | undefined;
  readonly signal?: AbortSignal;
}

const databaseMs = 15_000;
const migrationsMs = 120_000;
const dependenciesMs = 20_000;
const defaultTestMs = 600_000;

/** The gate before a deployment: database, migrations, dependencies, and the integration tests last. */
export async function runPreChecks(app: string, options: PreCheckOptions = {}): Promise<CheckReport> {
  const missing = await builtModuleOf(app).then(
    () => undefined,
    (error: unknown) => failed('application', error),
  );
  if (missing !== undefined) return reportOf([missing]);
  const config = options.config ?? readConfig();
  const check = (urls?: StoreUrls) => applicationOutcomes(app, config, urls);
  const outcomes = await ((await hasStoreFolder(config)) ? withStoreUrls(config, check) : check()).catch(
    (error: unknown) => [failed('database', error)],
  );
  if (outcomes.some(({ name, ok }) => name === 'application' && !ok)) return reportOf(outcomes);
  const beforeTests = [...outcomes, await natsDurability(options.natsMonitors)];
  const isOpen = beforeTests.every(({ ok }) => ok);
  return reportOf([...beforeTests, await testOutcome(options, isOpen)]);
}

async function applicationOutcomes(app: string, config: Config, urls?: StoreUrls): Promise<CheckOutcome[]> {
  const loaded = await loadService(app).catch((error: unknown) => failed('application', error));
  if ('ok' in loaded) return [loaded];
  try {
    return await storeOutcomes(loaded, config, urls);
  } finally {
    await stopApplication(loaded);
  }
}

async function storeOutcomes(
  definition: ServiceDefinition,
  config: Config,
  urls: StoreUrls | undefined,
): Promise<CheckOutcome[]> {
  if (urls === undefined) {
    const first = passed('database', `a host creates the embedded one in ${config.dataDir}`);
    return [first, ...(await migrationOutcomes(definition, urls))];
  }
  let state: DatabaseState | undefined;
  const database = await checked('database', databaseMs, async () => {
    state = await readDatabaseState(urls.runtime);
    return `PostgreSQL ${state.version} accepts writes`;
  });
  if (state === undefined) return [database];
  return [
    database,
    ...(await outcomesOf('migrations', migrationsMs, () => migrationOutcomes(definition, urls))),
    ...(await outcomesOf('dependencies', dependenciesMs, dependenciesOf(definition, config, urls, state))),
  ];
}

const dependenciesOf =
  (...parts: Parameters<typeof dependencyOutcomes>) =>
  () =>
    dependencyOutcomes(...parts);

/** Several outcomes of one check; if it cannot run at all, one failure. */
async function outcomesOf(
  name: string,
  atMostMs: number,
  check: () => Promise<readonly CheckOutcome[]>,
): Promise<readonly CheckOutcome[]> {
  let outcomes: readonly CheckOutcome[] = [];
  const whole = await checked(name, atMostMs, async () => {
    outcomes = await check();
    return '';
  });
  return whole.ok ? outcomes : [whole];
}

async function testOutcome(
  { test, testTimeoutMs = defaultTestMs, signal }: PreCheckOptions,
  isOpen: boolean,
): Promise<CheckOutcome> {
  const name = 'tests';
  if (test === undefined) return passed(name, 'no command given (--test COMMAND)');
  if (!isOpen) return failed(name, 'not run, because a check before it failed');
  const ended = await runCommand(test, testTimeoutMs, signal);
  return ended === 'exit code 0' ? passed(name, test) : failed(name, `${test}: ${ended}`);
}
