import { mustBeInstalled } from '../../runtime/lang/optional-package.js';
import type { Verb } from '../cli/verb.js';

export const generate: Verb = {
  help: `
svc generate [dir] [--check] [--watch] [--stub Command] [--accept-events] [--json]

Reads the sources listed by dir/tsconfig.json and writes the generated files into generated/ folders.
Writes nothing if there is any error.

  --check          writes nothing; exits with 1 when a file is stale
  --watch          generates again after every change
  --stub Command   writes the endpoint class of a command for you to fill in
  --accept-events  accepts changed events without a new version; safe only while none is stored

  svc generate examples/orders --check`,
  run: async (args) => {
    // Load the compiler only here: a running service does not need it. It is not a peer dependency, because npm
    // installs a peer that an application lists in devDependencies even with --omit=dev.
    mustBeInstalled('@ts-morph/common', 'svc generate', 'development');
    const { runGenerate } = await import('./run-generate.js');
    await runGenerate(args);
  },
};
