import { Problem } from '../../contracts/problems.js';
import { loadApplication } from '../application.js';
import { readConfig } from '../config.js';
import { runHostProcess } from '../host-process.js';
import type { Verb } from '../verb.js';

export const start: Verb = {
  name: 'start',
  usage: 'start <app>',
  does: 'runs one host process',
  help: `
svc start <app>

Runs one host. <app> is a folder whose package.json names the built module in "main",
or a .js file; its default export is the service definition.

Environment: SVC_PORT (3000), SVC_BIND (127.0.0.1), SVC_NAME, SVC_DATA_DIR (.svc),
DATABASE_URL (unset: an embedded PostgreSQL in the data dir), DATABASE_OWNER_URL,
SVC_DEADLINE_MS (30000), SVC_BODY_LIMIT (1048576), SVC_LOG (info),
SVC_INSPECT (1 in development), SVC_INSPECT_TOKEN.

  SVC_PORT=8080 svc start examples/orders`,
  run: async (args) => {
    const [app, ...rest] = args;
    if (app === undefined || rest.length > 0) {
      throw new Problem('usage', { detail: 'Name one application: svc start <app>.' });
    }
    const config = readConfig();
    await runHostProcess(await loadApplication(app), config);
  },
};
