import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Database, Row } from '../../runtime/database/database.js';
import { withMigratedDatabase } from '../../runtime/testing/migrated-database.js';
import { builtForProcess } from '../../runtime/testing/process-root.js';
import { withFolder } from '../../runtime/kit/temporary-folder.js';
import { newFront } from '../deploy/testing/file-driver.js';
import type { SimulatedState } from '../deploy/testing/simulated-front.js';
import { svcInProcess } from './in-process-cli.js';
import { type SpawnedCli, startCli } from './spawned-host.js';

const driver = new URL('../deploy/testing/file-driver.js', import.meta.url);
/** Options of a deployment whose stages end at once. */
export const quick = ['--stage-time', '0s', '--min-sample', '1', '--hold', '120s', '--ready-timeout', '120s'];

/** A front that is simulated in a file, and a store. */
interface Scene {
  /** Of the store. */
  readonly url: string;
  readonly svc: (...args: string[]) => ReturnType<typeof svcInProcess>;
  readonly start: (args: readonly string[], env?: Readonly<Record<string, string>>) => SpawnedCli;
  readonly front: () => SimulatedState;
  readonly configure: (world: object) => void;
  readonly owner: Database;
  readonly states: () => Promise<Row[]>;
  readonly events: () => Promise<Row[]>;
  /** As if nobody had renewed the lease for long. */
  readonly expire: () => Promise<unknown>;
}

/** Three hosts of 1.4.2 serve; 1.5.0 can be deployed. `config`, `configForProcess`: the paths of a deploy.json. */
export function simulatedFrontIn(folder: string) {
  const file = join(folder, 'front.json');
  const config = join(folder, 'deploy.json');
  const configForProcess = join(folder, 'deploy-process.json');
  newFront(file, 3);
  const write = (path: string, world: object): void =>
    writeFileSync(
      path,
      JSON.stringify({ service: 'orders', replicas: 3, requestsPerSecond: 5_000, ...world }),
    );
  const configure = (world: object): void => {
    write(config, { driver: fileURLToPath(driver), ...world });
    write(configForProcess, { driver: fileURLToPath(builtForProcess(driver)), ...world });
  };
  configure({});
  return { file, config, configForProcess, configure };
}

/** The same with a store. */
export const withFront = (body: (scene: Scene) => Promise<void>): Promise<void> =>
  withMigratedDatabase(({ url, connect }) =>
    withFolder(async (folder) => {
      const { file, config, configForProcess, configure } = simulatedFrontIn(folder);
      const [database, owner] = [connect(), connect({ owner: true })];
      const env = { DATABASE_URL: url, SVC_ACTOR: 'ann' };
      const configured = ([action = '', ...args]: readonly string[], settings: string): string[] =>
        /^(?:canary|rolling|blue|recreate|rollback)/.test(action)
          ? ['deploy', action, ...args, '--config', settings]
          : ['deploy', action, ...args];
      await body({
        url,
        svc: (...args) => svcInProcess(configured(args, config), env),
        start: (args, more = {}) => startCli(configured(args, configForProcess), { ...env, ...more }),
        front: () => JSON.parse(readFileSync(file, 'utf8')) as SimulatedState,
        configure,
        owner,
        expire: () => owner.rows({ text: 'UPDATE svc_deployments SET lease_expires_at = clock_timestamp()' }),
        states: async () =>
          database.rows({ text: 'SELECT revision, state FROM svc_deployments ORDER BY started_at' }),
        events: async () =>
          database.rows({
            text: `SELECT event_type, data->>'revision', data->>'toNew' FROM svc_system_stream ORDER BY stream_position`,
          }),
      });
    }),
  );
