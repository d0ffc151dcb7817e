import { createPorch, type Porch } from '../../endpoints/routes/porch.js';
import { healthRoutes } from '../../endpoints/routes/health.js';
import type { ApplicationItems } from '../../runtime/migrations/application-items.js';
import type { BatchOutcome } from '../../runtime/migrations/batch.js';
import { migrate } from '../../runtime/migrations/migrate.js';
import { migrationRecords } from '../../runtime/service/migration-records.js';
import type { Service } from '../../runtime/service/service.js';
import type { Config } from '../config.js';
import type { HostOptions } from './host-options.js';
import type { Connected } from './database.js';
import { MigrationLog } from './migration-log.js';
import { mustBeFree, whileAnswering } from './porch.js';

/** The migration at the start of a host, with every step in the log and in the system stream; one that fails ends the start. */
export class HostMigration {
  /** The connection, for whoever needs the schema. */
  readonly migrated: Promise<Connected>;
  #begin: (batch: Promise<unknown>) => void = () => undefined;

  constructor(
    private readonly connection: Connected,
    private readonly items: ApplicationItems,
    private readonly config: Config,
  ) {
    const begun = new Promise<unknown>((resolve) => (this.#begin = resolve));
    this.migrated = begun.then(() => connection);
    this.migrated.catch(() => undefined);
  }

  /** Says on which port the host was probed meanwhile; behind a supervisor others serve at the address, and it answers none. */
  async run(
    service: Service,
    migrating?: HostOptions['migrating'],
  ): Promise<{ readonly batch: BatchOutcome; readonly port: number }> {
    const { config } = this;
    if (migrating === undefined) await mustBeFree(config);
    const running =
      migrating === undefined
        ? whileAnswering(
            config,
            () => this.#porch(service),
            () => this.#migrate(service),
          )
        : this.#migrate(service, migrating).then((result) => ({ result, port: config.port }));
    this.#begin(running);
    const { result: batch, port } = await running;
    return { batch, port };
  }

  async #migrate({ parts }: Service, migrating?: HostOptions['migrating']): Promise<BatchOutcome> {
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

  #porch({ parts }: Service): Porch {
    return createPorch(
      healthRoutes(this.config.name, { state: 'migrating', results: [] }, parts.health.paths),
    );
  }
}
