import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { describeFiles } from '../../runtime/schema/described-files.js';
import { files } from '../../runtime/schema/generated/files.js';
import { sharedIn } from '../../runtime/testing/shared-in.js';
import { readCatalog, type Catalog } from './schema-catalog.js';
import { arrowsOf, references, schemaPicture } from './schema-picture.js';
import { sqlPage, stable } from './sql-page.js';

const test = suite('SQL in the reference');

/** Views of the runtime, which show a new segment as the log grows. */
const own = new Set(['svc_open_events', 'svc_open_records']);

const described = await describeFiles(files);
const onCatalog = sharedIn<Catalog>(test, async (body) => body(await readCatalog()));

test('every view that readers may use is described, and everything else that the server has is named', () =>
  onCatalog(async ({ relations, routines }) => {
    const page = sqlPage(relations, described);
    for (const { name, kind } of relations) {
      assert.ok(page.includes(name), name);
      if (kind === 'view' && !own.has(name)) assert.ok(name in stable, name);
    }
    for (const name of Object.keys(stable))
      assert.ok(
        relations.some((one) => one.name === name),
        name,
      );
    for (const name of routines) assert.ok(page.includes(`\n| \`${name}\` | `), name);
  }));

test('a section has the words of its file: its opening, its columns, its promises and its locks', () =>
  onCatalog(async ({ relations }) => {
    const page = sqlPage(relations, described);
    const [, section = ''] = page.split('### 110-outbox.sql\n');
    assert.match(section, /^\nThe outbox is the log: a cursor moves over what is marked for publishing,/);
    assert.match(
      section,
      /#### svc_broker\n\nWhat the relay and the subscriber know of the broker\.\n\n\| column \| type \| meaning \|\n/,
    );
    assert.match(
      section,
      /\| `streams` \| jsonb \| When the broker created each stream that is read\. .+ \|\n/,
    );
    assert.match(
      section,
      /\| `svc_outbox_republish` \| Sets the relay back, .+ \| the rows of the progress and the broker\. \|\n/,
    );
  }));

test('the picture has every table, and each of its arrows joins columns of one type', () =>
  onCatalog(async ({ relations }) => {
    const picture = schemaPicture(relations, described);
    for (const { name, kind } of relations)
      assert.is(picture.includes(`>${name}</text>`), kind === 'table', name);
    const typeOf = (table: string, column: string) =>
      relations.find(({ name }) => name === table)?.columns.find(([name]) => name === column)?.[1];
    for (const [table, column, to, key] of references) {
      const type = typeOf(to, key);
      assert.ok(type, `${to}.${key}`);
      assert.is(typeOf(table, column)?.replace('[]', ''), type, `${table}.${column}`);
    }
  }));

test('a foreign key is an arrow', () => {
  const relation = {
    name: 'svc_pages',
    kind: 'table',
    columns: [],
    key: [],
    foreign: ['svc_books'],
  } as const;
  assert.equal(arrowsOf([relation]).at(-1), ['svc_pages', 'svc_books']);
});
