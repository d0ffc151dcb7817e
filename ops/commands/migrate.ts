import type { OperatorActed } from '../../contracts/events/operator.js';
import { LocalDispatcher } from '../../actors/commands/dispatcher.js';
import { addSystemEvents } from '../../actors/add-system-events-and-auditing.js';
import { operatorActed } from '../../runtime/store/operator-action.js';
import { openDatabase } from '../../runtime/database/database.js';
import {
  type ApplicationItems,
  noApplicationItems,
} from '../../runtime/migrations/application-migrations.js';
import { firstServerUrl } from '../../runtime/database/server-list.js';
import { dropReplaced, findReplaced } from '../../runtime/migrations/drop-replaced.js';
import { dryRun, dryRunWithout } from '../../runtime/migrations/dry-run.js';
import { type Migrated, tryToMigrate } from '../../runtime/migrations/migrate.js';
import { migrationRecords } from '../../runtime/service/migration-records.js';
import { addService } from '../../runtime/service/service.js';
import { builtModuleOf } from '../service/load-service.js';
import { type Config, readConfig } from '../config/config.js';
import { migrationItemsOf } from '../host/migration-items.js';
import { cliEditor } from '../cli/access-editor.js';
import { settingsIn } from '../cli/database.js';
import { progressBar } from '../terminal/progress-bar.js';
import { withApplication } from '../service/with-application.js';
import { hasStoreFolder, type StoreUrls, withStoreUrls } from '../config/store-urls.js';
import type { Verb } from '../cli/verb.js';
import { outcomeJson, outcomeText, plannedJson, plannedText, remnantsText } from './migrate-text.js';
import { printToStdout } from '../terminal/print.js';
import { argumentsOf, reasonIn, usageOf } from './arguments.js';

export const migrateVerb: Verb = {
  help: `
svc migrate [app] [--dry-run] [--reason TEXT] [--json]
svc migrate --clean [--dry-run] [--reason TEXT] [--json]

Brings the schema of svc-runtime up to date and, with <app>, its perspectives and its migrations/*.sql in the order of
their names. Each file is applied once; a file that was edited afterwards is refused. Hosts do the same at start.
A file may contain directives:
  -- svc: column-copy table=orders column=total type=numeric(12,2) using=total / 100.0
                    changes the type or the values of a column while it is written to; insert by column names
  -- svc: repeatable    as the first line: the whole file runs again whenever its text has changed
  -- svc: level=2       the level of code that uses what this file adds
  -- svc: min-level=2   hosts below this level may no longer start: the file removes what they need
A file with CREATE INDEX CONCURRENTLY runs statement by statement, outside a transaction.

  --dry-run   prints the steps and their SQL and changes nothing; exits with 1 when a step would be refused
  --clean     drops replaced tables of perspectives that no host runs, and columns that were copied
  --reason    why; the system stream records it with SVC_ACTOR, or the user of the operating system
  --json      prints JSON

The store is the one at DATABASE_OWNER_URL or DATABASE_URL, or the embedded one in SVC_DATA_DIR (.svc).

  svc migrate examples/orders --dry-run`,
  run: async (args) => {
    const { app, dry, cleaning, json, reason } = parse(args);
    const config = readConfig();
    // Before the embedded server starts: a wrong name must not create a store.
    if (app !== undefined) await builtModuleOf(app);
    const print = (data: object, text: string) =>
      printToStdout(`${json ? JSON.stringify(data, undefined, 2) : text}\n`);
    if (dry && !(await hasStoreFolder(config))) {
      const steps = cleaning ? [] : await dryRunWithout(await itemsIn(app));
      return print(steps.map(plannedJson), plannedText(steps));
    }
    await withStoreUrls(config, async (urls) => {
      const settings = await settingsAt(urls.owner, config);
      const by = { operator: cliEditor(settings), reason };
      if (cleaning) {
        const remnants = await (dry ? findReplaced(urls.owner) : dropReplaced(urls.owner, by));
        print(remnants, remnantsText(remnants, dry));
      } else if (dry) {
        const steps = await dryRun(urls.owner, await itemsIn(app));
        print(steps.map(plannedJson), plannedText(steps));
        if (steps.some(({ refusal }) => refusal !== undefined)) process.exitCode = 1;
      } else {
        const acted = operatorActed(by, 'migrate', app ?? 'the schema of svc-runtime');
        const { outcomes, failure } = (await run(urls, await itemsIn(app), settings, acted)).batch;
        print(outcomes.map(outcomeJson), outcomes.map(outcomeText).join('\n'));
        if (failure !== undefined) throw failure;
      }
    });
  },
};

function parse(args: readonly string[]) {
  const options = {
    'dry-run': { type: 'boolean' },
    clean: { type: 'boolean' },
    json: { type: 'boolean' },
    reason: { type: 'string' },
  } as const;
  const { values, positionals } = argumentsOf(args, options, usage);
  const [app, ...rest] = positionals;
  if (rest.length > 0) throw usage('Give one application');
  if (app !== undefined && values.clean === true) throw usage('--clean takes no application');
  return {
    app,
    dry: values['dry-run'] === true,
    cleaning: values.clean === true,
    json: values.json === true,
    reason: reasonIn(values.reason, usage),
  };
}

const usage = usageOf('migrate');

const itemsIn = async (app: string | undefined): Promise<ApplicationItems> =>
  app === undefined
    ? noApplicationItems
    : withApplication(app, (definition) =>
        migrationItemsOf(definition, definition.create(new LocalDispatcher())),
      );

/** Runs the batch and stores its events, as a host would. */
async function run(
  { owner, runtime }: StoreUrls,
  application: ApplicationItems,
  { name, broadcast }: Config,
  acted: OperatorActed,
): Promise<Migrated> {
  const bar = progressBar(process.stderr, 'copying');
  const { parts } = addService().with(addSystemEvents((options) => broadcast && options.broadcast()));
  try {
    return await tryToMigrate({
      ownerUrl: owner,
      runtimeUser: decodeURIComponent(firstServerUrl(runtime).username),
      application,
      records: migrationRecords(parts, name),
      acted,
      progress: (_key, done, total) => bar.show(done, total),
    });
  } finally {
    bar.clear();
  }
}

/** A store that does not exist yet has no hosts to follow. */
async function settingsAt(url: string, config: Config): Promise<Config> {
  const database = openDatabase({ url, connections: 1 });
  try {
    return await settingsIn(database, config);
  } catch {
    return config;
  } finally {
    await database.close();
  }
}
