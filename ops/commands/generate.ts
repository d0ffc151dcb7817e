import { mustBeInstalled } from '../../runtime/optional-package.js';
import type { Verb } from '../verb.js';

export const generate: Verb = {
  name: 'generate',
  usage: 'generate [dir]',
  summary: 'writes endpoints, codecs, registry, client and documents from the sources',
  help: `
svc generate [dir] [--check] [--watch] [--stub Command] [--accept-events] [--json]

Reads the sources that dir/tsconfig.json names and writes what follows from them into generated/ folders.
On any error nothing is written.

  --check          writes nothing; exits with 1 when something is stale
  --watch          generates again after every change
  --stub Command   writes the endpoint class of a command for you to fill in
  --accept-events  records changed events without a new version: right while none is stored

  svc generate examples/orders --check`,
  run: async (args) => {
    // The compiler is loaded only by those who generate: a service that runs can do without. It is no peer of
    // ours: npm installs a peer that an application lists for its development even with --omit=dev.
    mustBeInstalled('@ts-morph/common', 'svc generate', '--save-dev ');
    const { runGenerate } = await import('./generate-run.js');
    await runGenerate(args);
  },
};
