import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import { withFolder } from '../../../runtime/kit/temporary-folder.js';
import { thrownBy } from '../../../runtime/testing/thrown-by.js';
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
        `Problem: ${path} does not contain the slots of svc deploy; restore it, or remove it if no revision is running.`,
      );
    }));

test('a file that cannot be read is not taken for none: it may name the revision that serves', () =>
  withFolder(async (folder) => {
    const path = join(folder, slotsFile);
    await mkdir(path);
    assert.match(
      (await thrownBy(() => readAssignments(path))).message,
      /^\S+slots\.json cannot be read \(EISDIR: [^\n]+\); correct "releases" in deploy\.json, or its permissions\.$/,
    );
  }));

test('a folder that cannot be written to is named, and what to do', () =>
  withFolder(async (folder) => {
    await writeFile(join(folder, 'releases'), '');
    const path = join(folder, 'releases', slotsFile);
    assert.match(
      (await thrownBy(() => writeAssignments(path, { revisions: {}, serving: undefined }))).message,
      /^\S+slots\.json cannot be written \(\w+: [^\n]+\); make room, or correct "releases" in deploy\.json or its permissions\.$/,
    );
  }));
