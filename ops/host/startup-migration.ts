import { createStartupServer, type StartupServer } from '../../endpoints/routes/startup-server.js';
import { healthAccess, healthRoutes, statusOnly } from '../../endpoints/routes/health.js';
import type { ApplicationItems } from '../../runtime/migrations/application-migrations.js';
import type { BatchOutcome } from '../../runtime/migrations/run-batch.js';
import { migrate } from '../../runtime/migrations/migrate.js';
import { migrationRecords } from '../../runtime/service/migration-records.js';
import type { Service } from '../../runtime/service/service.js';
import type { Config } from '../config/config.js';
import { accessFrom } from '../service/console-access.js';
import type { LaunchOptions } from './launch-options.js';
import type { HostDatabase } from './database.js';
import { MigrationLog } from './migration-log.js';
import { portMustBeFree, withStartupServer } from './startup-server.js';

/** The migration at the start of a host, with every step in the log and the system stream; a failure ends the start. */
export class StartupMigration {
  /** The connection that needs the schema. */
  readonly migrated: Promise<HostDatabase>;
  #begin: (batch: Promise<unknown>) => void = () => undefined;

  constructor(
    private readonly connection: HostDatabase,
    private readonly items: ApplicationItems,
    private readonly config: Config,
    private readonly authenticates: boolean,
  ) {
    const begun = new Promise<unknown>((resolve) => (this.#begin = resolve));
    this.migrated = begun.then(() => connection);
    this.migrated.catch(() => undefined);
  }

  /**
   * Returns the port on which probes were answered meanwhile; under a supervisor other hosts serve the address, and
   * this one answers none.
   */
  async run(
    service: Service,
    onMigrating?: LaunchOptions['onMigrating'],
  ): Promise<{ readonly batch: BatchOutcome; readonly port: number }> {
    const { config } = this;
    if (onMigrating === undefined) await portMustBeFree(config);
    const running =
      onMigrating === undefined
        ? withStartupServer(
            config,
            () => this.#startupServer(service),
            () => this.#migrate(service),
          )
        : this.#migrate(service, onMigrating).then((result) => ({ result, port: config.port }));
    this.#begin(running);
    const { result: batch, port } = await running;
    return { batch, port };
  }

  async #migrate({ parts }: Service, migrating?: LaunchOptions['onMigrating']): Promise<BatchOutcome> {
    const { ownerUrl, runtimeUser } = this.connection;
    const migrations = new MigrationLog(() => migrating?.());
    try {
      const { watch, progress } = migrations;
      const records = migrationRecords(parts, this.config.name);
      const application = this.items;
      return (await migrate({ ownerUrl, runtimeUser, application, records, watch, progress })).batch;
    } finally {
      migrations.stop();
    }
  }

  #startupServer({ parts }: Service): StartupServer {
    const { name } = this.config;
    const board = { state: 'migrating', results: [] } as const;
    const access = this.authenticates ? statusOnly : healthAccess(accessFrom(this.config));
    return createStartupServer(healthRoutes(name, board, parts.health.paths, access));
  }
}
