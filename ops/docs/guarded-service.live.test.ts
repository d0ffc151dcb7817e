import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { until } from '../../runtime/kit/until.js';
import { svc, withOrders } from '../testing/spawned-host.js';
import { repository } from './reference-pages.js';

const test = suite('what the README says about API keys');

const readme = readFileSync(join(repository, 'README.md'), 'utf8');
const [, section = ''] = readme.split('## Who may call it');
const lines = [...(section.split('\n## ')[0] ?? '').matchAll(/```sh no-run\n([^]*?)```/g)].flatMap(
  ([, block = '']) => block.trim().split('\n'),
);

/** What a line of the README prints, with this address and this key in it. */
async function printed(line: string, url: string, key: string): Promise<string> {
  const command = line.replace('localhost:3000', new URL(url).host).replace('svc_…', key);
  return (await promisify(execFile)('bash', ['-c', command])).stdout;
}

test('with a key of svc keys create a caller gets in, and without it nobody does', () =>
  withStore(async (DATABASE_URL) => {
    const [start = '', create = '', without = '', withKey = ''] = lines;
    const [, verb = ''] = /^npx svc ([^#]*) #/.exec(create) ?? [];
    assert.match(start, /^SVC_AUTH=api-key npm start$/);
    await withOrders({ DATABASE_URL, SVC_AUTH: 'api-key' }, async ({ url }) => {
      const { code, stdout } = await svc(verb.trim().split(/\s+/), { DATABASE_URL });
      assert.is(code, 0);
      assert.match(stdout, /^svc_\S+\n$/);
      assert.match(await printed(without, url, stdout.trim()), '"status":401');
      // A host learns of a new key within seconds.
      await until(
        async () => (await printed(withKey, url, stdout.trim())).includes('"totalCount":0'),
        10_000,
      );
    });
  }));
