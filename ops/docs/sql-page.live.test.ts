import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { allRelations, sqlPage, stable } from './sql-page.js';

const test = suite('SQL in the reference');

/** Views of the runtime, which show another segment as the log grows. */
const own = new Set(['svc_open_events', 'svc_open_records']);

test('every view that readers may use is described, and every table is named', async () => {
  const relations = await allRelations();
  const page = sqlPage(relations);
  for (const { name, kind } of relations) {
    assert.ok(page.includes(name), name);
    if (kind === 'view' && !own.has(name)) assert.ok(name in stable, name);
  }
  for (const name of Object.keys(stable))
    assert.ok(
      relations.some((one) => one.name === name),
      name,
    );
});
