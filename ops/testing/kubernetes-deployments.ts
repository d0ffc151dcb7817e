import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withMigratedDatabase } from '../../runtime/testing/migrated-database.js';
import { withFolder } from '../../runtime/kit/temporary-folder.js';
import { settings, type StandInCluster, withStandIn } from '../deploy/kubernetes/testing/orders-cluster.js';
import { svcInProcess } from './in-process-cli.js';

interface Scene extends StandInCluster {
  readonly svc: (...args: string[]) => ReturnType<typeof svcInProcess>;
}

export const orderImage = (revision: string): string => `registry.example.com/shop/orders:${revision}`;

/** Three pods of 1.0 serve; every pod answers ten requests between two reports. */
export const withKubernetes = (body: (scene: Scene) => Promise<void>): Promise<void> =>
  withMigratedDatabase(({ url }) =>
    withFolder((folder) =>
      withStandIn(async (cluster) => {
        const file = join(folder, 'deploy.json');
        await writeFile(file, JSON.stringify(settings));
        const env = { ...cluster.env, DATABASE_URL: url, SVC_ACTOR: 'ann' } as Record<string, string>;
        cluster.api.metricsOf = requestsWithErrors(0);
        await body({
          ...cluster,
          svc: (...args) => svcInProcess(['deploy', ...args, '--config', file], env),
        });
      }),
    ),
  );

/** The metrics of a pod: ten more requests whenever they are read, up to a number. */
export const requestsWithErrors = (errors: number): (() => string) => {
  let asked = 0;
  return () => {
    asked += 10;
    const line = (status: number, value: number): string =>
      `http_server_request_duration_seconds_count{http_route="/orders",http_response_status_code="${status}"} ${value}\n`;
    // A drain waits until nothing new arrives.
    return line(200, Math.min(asked, 2_000)) + line(500, Math.min(asked, 2_000) * errors);
  };
};
