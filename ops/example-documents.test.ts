import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as assert from 'uvu/assert';
import { suite } from '../contracts/testing/suite.js';

const test = suite('example-documents');

const folder = fileURLToPath(new URL('../../examples/orders/generated/', import.meta.url));
const documents = ['asyncapi.json', 'openapi.json', 'schema.graphql'];

/** The build has just generated them; in a checkout, git knows whether they changed. */
test('the committed documents match the sources', () => {
  for (const name of documents) assert.ok(existsSync(folder + name), `${name} is missing`);
  const { stdout } = spawnSync('git', ['diff', '--name-only', '--relative', '--', ...documents], {
    cwd: folder,
    encoding: 'utf8',
  });
  assert.is(stdout.trim(), '', 'these differ from the committed ones: run npm run build and commit them');
});
