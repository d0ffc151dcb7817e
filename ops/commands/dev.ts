import { basename, resolve } from 'node:path';
import { logForMachines } from '../../runtime/logging/log.js';
import { mustBeInstalled } from '../../runtime/lang/optional-package.js';
import { readConfig } from '../config/config.js';
import { warnOfMisspelled } from '../config/misspelled-variables.js';
import { withGeneratedToken } from '../config/generated-token.js';
import { printToStderr } from '../terminal/print.js';
import type { Verb } from '../cli/verb.js';
import { argumentsOf, usageOf } from './arguments.js';
import { start } from './start.js';

export const dev: Verb = {
  help: `
svc dev [app] [--accept-events] [--json]

Generates, compiles and starts the service in a folder, by default this one, and does so again whenever a source
or a migration changes. It prints mistakes with their file and line; until you correct them, the previous build keeps
running. The embedded PostgreSQL keeps running in between. Ctrl-C ends everything.
The environment is that of svc start.

  --accept-events  records changed events without a new version; safe only while none is stored
  --json           prints lines of JSON even on a terminal

  SVC_PORT=8080 svc dev`,
  run: async (args) => {
    const { app, ...options } = parse(args);
    mustBeInstalled('@ts-morph/common', 'svc dev', 'development');
    const config = withGeneratedToken(readConfig());
    warnOfMisspelled(start.help);
    // Loading the compiler and the first build take seconds.
    printToStderr(`svc: building ${basename(resolve(app))} …\n`);
    const { runDev } = await import('../dev/dev.js');
    if (options.json) logForMachines();
    await runDev(app, config, options);
  },
};

const usage = usageOf('dev');

function parse(args: readonly string[]) {
  const options = {
    'accept-events': { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  } as const;
  const { values, positionals } = argumentsOf(args, options, usage);
  const [app = '.', ...rest] = positionals;
  if (rest.length > 0) throw usage('Name one application: svc dev [app]');
  return { app, acceptEvents: values['accept-events'], json: values.json };
}
