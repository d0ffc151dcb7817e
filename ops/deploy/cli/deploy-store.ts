import { Problem } from '../../../contracts/problems.js';
import { openDatabase } from '../../../runtime/database/database.js';
import { sqlStateOf } from '../../../runtime/database/sql-error.js';
import { cliEditor } from '../../cli/access-editor.js';
import { withConnectionOf } from '../../cli/database.js';
import { readConfig } from '../../config/config.js';
import { DeploymentStore } from '../deployment-store.js';

/** Opens the deployments of the store of this environment. */
export async function withDeployments<T>(body: (deployments: DeploymentStore) => Promise<T>): Promise<T> {
  return withConnectionOf(readConfig(), async ({ ownerUrl }, config) => {
    // A database that does not answer must not hold a deployment up for long.
    const owner = openDatabase({
      url: ownerUrl ?? config.databaseUrl ?? '',
      connections: 2,
      statementTimeoutMs: 10_000,
      applicationName: 'svc-deploy',
    });
    try {
      return await body(new DeploymentStore(owner, cliEditor(config)));
    } catch (error) {
      if (sqlStateOf(error) !== '42P01') throw error;
      throw new Problem('invalid-setup', {
        detail: 'This store knows no deployments yet; run svc migrate first.',
        cause: error,
      });
    } finally {
      await owner.close();
    }
  });
}
