import { randomBytes } from 'node:crypto';
import * as assert from 'uvu/assert';
import { Problem } from '../../contracts/problems.js';
import type { KeyWrapper } from '../../contracts/sealing.js';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import type { Database } from '../database/database.js';
import { withMigratedDatabase } from '../testing/migrated-database.js';
import { masterKeyWrapper } from './master-key.js';
import { PostgresSubjectKeys } from './postgres-subject-keys.js';

const test = suite('keys of subjects in PostgreSQL');

const refusal = (asked: Promise<unknown>): Promise<string> =>
  asked.then(
    () => 'none',
    (error: unknown) => (error instanceof Problem ? `${error.code}: ${error.detail}` : String(error)),
  );

const never = new Promise<never>(() => undefined);
const master = masterKeyWrapper(randomBytes(32));
const broken: readonly (readonly [string, Partial<Record<keyof KeyWrapper, () => unknown>>, RegExp])[] = [
  ['does not answer', { wrap: () => never, unwrap: () => never }, /fails or does not answer/],
  [
    'throws at once',
    {
      wrap: () => {
        throw new Error('no route');
      },
    },
    /fails or does not answer/,
  ],
  ['rejects', { unwrap: () => Promise.reject(new Error('no route')) }, /fails or does not answer/],
  ['returns no bytes', { wrap: () => Promise.resolve('a text') }, /did not return bytes/],
  ['returns a short key', { unwrap: () => Promise.resolve(randomBytes(16)) }, /a key of 16 bytes, not of 32/],
];

const keysWith = (database: Database, wrapper: object): PostgresSubjectKeys =>
  new PostgresSubjectKeys(database, { ...master, ...wrapper }, 50);

for (const [what, wrapper, says] of broken)
  test(`a key wrapper that ${what} is a problem that says so, and ends when the wrapper is mended`, () =>
    withMigratedDatabase(async ({ connect }) => {
      const [database, stream] = [connect(), newUuid()];
      const refused = await refusal(keysWith(database, wrapper).keyOf('ada', stream));
      assert.match(refused, /^subject-keys-unavailable: The wrapper of the keys of subjects /);
      assert.match(refused, says);
      const key = await keysWith(database, {}).keyOf('ada', stream);
      assert.is(key?.key.length, 32);
    }));

test('at the start, a wrapper that does not answer is not taken for a wrong master key', () =>
  withMigratedDatabase(async ({ connect }) => {
    const database = connect();
    await keysWith(database, {}).mustFit();
    const away = await refusal(keysWith(database, { unwrap: () => never }).mustFit());
    assert.match(away, /^subject-keys-unavailable: .* fails or does not answer\.$/);
    const other = await refusal(keysWith(database, masterKeyWrapper(randomBytes(32))).mustFit());
    assert.match(other, /^subject-keys-unavailable: The master key is not the one .* set SVC_MASTER_KEY/);
  }));
