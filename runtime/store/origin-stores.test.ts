import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import type { Row } from '../database/database.js';
import { OriginStores } from './origin-stores.js';

const test = suite('origin stores');

/** Rows with an origin only. */
const page = (...origins: string[]): Row[] =>
  origins.map((origin) => [...Array<string>(11).fill('x'), origin]);

test('an origin is looked up on first use, and cached', async () => {
  const known: Row[] = [
    ['0', 'here'],
    ['1', 'bakery'],
  ];
  let lookups = 0;
  const origins = new OriginStores({
    rows: () => {
      lookups++;
      return Promise.resolve([...known]);
    },
  });
  await origins.of(page('0', '0'));
  assert.is(lookups, 0, 'our own origin needs no lookup');
  assert.is((await origins.of(page('0', '1')))('1'), 'bakery');
  await origins.of(page('1', '1'));
  assert.is(lookups, 1);
  known.push(['2', 'mill']);
  assert.is((await origins.of(page('2')))('2'), 'mill');
  assert.is(lookups, 2);
});
