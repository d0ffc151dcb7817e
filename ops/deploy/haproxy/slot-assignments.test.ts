import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { withFolder } from '../../../runtime/testing/temporary-folder.js';
import { readAssignments, slotsFile, writeAssignments } from './slot-assignments.js';

const test = suite('slot assignments');

test('what is written is read, and nothing was written yet', () =>
  withFolder(async (folder) => {
    const path = join(folder, 'releases', slotsFile);
    assert.equal(await readAssignments(path), { revisions: {}, serving: undefined });
    await writeAssignments(path, { revisions: { blue: '1.0.0' }, serving: 'blue' });
    assert.equal(await readAssignments(path), { revisions: { blue: '1.0.0' }, serving: 'blue' });
  }));

for (const text of [
  '',
  '{',
  'null',
  '[]',
  '1',
  '{"revisions":null}',
  '{"revisions":{"blue":1}}',
  '{"serving":{}}',
])
  test(`a file that holds ${JSON.stringify(text)} is refused in one line`, () =>
    withFolder(async (folder) => {
      const path = join(folder, slotsFile);
      await writeFile(path, text);
      const refusal = await readAssignments(path).catch((error: unknown) => String(error));
      assert.is(
        refusal,
        `Problem: ${path} does not hold the slots of svc deploy; restore it, or remove it if no revision is running.`,
      );
    }));

test.run();
