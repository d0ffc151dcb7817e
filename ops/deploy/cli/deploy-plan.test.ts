import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import { defaultOptions } from '../default-options.js';
import type { StoredDeployment } from '../deployment-rows.js';
import { thrownBy } from '../../../runtime/testing/thrown-by.js';
import { withFolder } from '../../../runtime/kit/temporary-folder.js';
import { deploymentOf } from '../testing/in-memory-journal.js';
import { revisionBefore, revisionOf, rollbackStrategy } from './deploy-plan.js';

const test = suite('what a rollback deploys');

const deployed = (
  revision: string,
  previous: string | undefined,
  { strategy = 'canary', state = 'completed' }: Partial<StoredDeployment> = {},
): StoredDeployment => ({
  ...deploymentOf(strategy, { ...defaultOptions(strategy), oldReplicas: 1 }),
  revision,
  previous,
  state,
  isDriven: false,
  startedAt: '2026-03-01T09:30:00+00:00',
  finishedAt: '2026-03-01T09:40:00+00:00',
});

test('only a revision that has served is one to go back to', () => {
  const first = deployed('1.0.0', undefined, { strategy: 'recreate' });
  const reverted = deployed('1.1.0', '1.0.0', { state: 'reverted' });
  assert.throws(
    () => revisionBefore('1.0.0', [reverted, first]),
    (error: unknown) => String(error).endsWith('There is no earlier revision; name one with --to.'),
  );
  assert.throws(() => revisionBefore('1.0.0', []), /There is no earlier revision/);
  assert.is(revisionBefore('1.1.0', [deployed('1.1.0', '1.0.0'), first]), '1.0.0');
});

test('when nothing serves, the last revision that served is started again', () => {
  const history = [
    deployed('1.2.0', '1.1.0', { state: 'reverted' }),
    deployed('1.1.0', '1.0.0'),
    deployed('1.0.0', undefined),
  ];
  assert.is(revisionBefore(undefined, history), '1.1.0');
});

test('a rollback stops no host before others serve', () => {
  assert.is(rollbackStrategy(deployed('1.1.0', '1.0.0', { strategy: 'recreate' })), 'blue-green');
  assert.is(rollbackStrategy(deployed('1.1.0', '1.0.0', { strategy: 'rolling' })), 'rolling');
  assert.is(rollbackStrategy(undefined), 'blue-green');
});

test('a version in package.json that is no name of a revision is refused in one line', () =>
  withFolder(async (folder) => {
    for (const version of ['../../etc', 'a\nb', '1.0;reboot', ' 1', '', 'x'.repeat(200)]) {
      await writeFile(join(folder, 'package.json'), JSON.stringify({ version }));
      const refusal = await thrownBy(() => revisionOf(folder));
      assert.is(
        refusal.message,
        `The version is no name of a revision in ${join(folder, 'package.json')}; give the revision with --revision.`,
      );
    }
    await writeFile(join(folder, 'package.json'), JSON.stringify({ version: '1.5.0-rc.1+build.7' }));
    assert.is(await revisionOf(folder), '1.5.0-rc.1+build.7');
  }));
