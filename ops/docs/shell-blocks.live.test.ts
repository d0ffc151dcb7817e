import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { withDatabase } from '../../runtime/kit/database.js';
import { withFolder } from '../../runtime/kit/temporary-folder.js';
import { withOrders } from '../testing/spawned-host.js';
import { blocksOf, treatmentOf, wantsExample } from './code-blocks.js';
import { writtenPages } from './written-pages.js';
import { prepare, shellFaultsIn } from './shell-blocks.js';

const test = suite('blocks of the documentation');

const pages = await writtenPages();

const blocks = pages.flatMap(({ path, text }) => blocksOf(path, text));

const of = (treatment: ReturnType<typeof treatmentOf>) =>
  blocks.filter((block) => treatmentOf(block) === treatment);

test('shell commands in the documentation run, and answer as they show', () =>
  withDatabase((url) =>
    withOrders({ DATABASE_URL: url }, ({ url: host }) =>
      withFolder(async (folder) => {
        await prepare(folder);
        const nothing = { folder, env: { SVC_LOG: 'silent' }, host: 'localhost:9' };
        const orders = { folder, env: { DATABASE_URL: url, SVC_LOG: 'silent' }, host: new URL(host).host };
        const faults: string[] = [];
        for (const { path, text } of pages) {
          const own = of('run').filter(({ page }) => page === path);
          faults.push(...(await shellFaultsIn(own, wantsExample(text) ? orders : nothing)));
        }
        assert.equal(faults, []);
      }),
    ),
  ));
