import { existsSync } from 'node:fs';
import { peer } from '../harness/peers.js';
import type { SuiteRun } from '../harness/suite.js';

/** All systems run on the Node.js that is installed with the peers: the SDK of Restate needs 22. Without peers, on this one. */
export function nodeForPeers({ isAlone }: Pick<SuiteRun, 'isAlone'>): string {
  const installed = peer(`node_modules/node-${process.platform}-${process.arch}/bin/node`);
  return !isAlone && existsSync(installed) ? installed : process.execPath;
}
