import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { refusalIn, send } from '../../endpoints/testing/http-client.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { build, cli, withNewService } from '../testing/new-service.js';
import { listeningTo, startProgram } from '../testing/spawned-host.js';

const test = suite('undeclared permissions');

/** Replaces a text of a source file. */
async function edit(dir: string, file: string, what: RegExp, by: string): Promise<void> {
  const path = join(dir, 'src', file);
  const text = await readFile(path, 'utf8');
  assert.match(text, what);
  await writeFile(path, text.replace(what, by));
}

const authenticator = `name: 'library', authenticate: ({ headers }) =>
  headers['x-reader'] === undefined ? null : { source: 'test', permissions: ['loans:read'] },`;

const start = (dir: string, DATABASE_URL: string) =>
  startProgram(process.execPath, [cli, 'start', dir], { DATABASE_URL });

const loans = (url: string, headers: Record<string, string> = {}) =>
  send(url, { method: 'GET', path: '/loans', headers });

test('a new service with an authenticator serves only callers with the permission it declares', () =>
  withNewService(async (dir) => {
    await edit(dir, 'main.ts', /name: 'library',/, authenticator);
    await build(dir);
    await withStore((DATABASE_URL) =>
      listeningTo(start(dir, DATABASE_URL), async ({ url }) => {
        assert.is(refusalIn(await loans(url)), '401 unauthenticated');
        assert.is((await loans(url, { 'x-reader': 'ada' })).status, 200);
        const borrow = { method: 'POST', path: '/loans', headers: { 'x-reader': 'ada' } };
        assert.is(refusalIn(await send(url, borrow)), '403 access-denied');
      }),
    );
  }));

test('a service that authenticates does not start with undeclared permissions, and lists them', () =>
  withNewService(async (dir) => {
    await edit(dir, 'borrow-book.ts', / {2}permission: .*\n/, '');
    await edit(dir, 'loans.ts', / {2}readonly permission = .*\n/, '');
    await build(dir);
    await withStore((DATABASE_URL) =>
      listeningTo(start(dir, DATABASE_URL), async ({ url }) => {
        assert.is((await loans(url)).status, 200, 'without authentication it serves this machine');
      }),
    );
    await edit(dir, 'main.ts', /name: 'library',/, authenticator);
    await build(dir);
    // Nothing listens at this address: the service is refused before a database is needed.
    const { ended, output } = start(dir, 'postgres://127.0.0.1:1/none');
    assert.is((await ended).code, 1);
    assert.is(
      output.stderr.join(''),
      "svc: These declare no permission: BorrowBook, loans; give each one permission: 'public', 'authenticated' or Permission.of(…)\n",
    );
  }));
