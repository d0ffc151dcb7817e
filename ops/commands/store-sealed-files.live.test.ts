import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { withFolder } from '../../runtime/kit/temporary-folder.js';
import { fileOf, lineOf } from '../../runtime/testing/imported-events.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { rowsOf } from '../../runtime/testing/rows-of.js';
import {
  ada,
  app,
  emailsRead,
  forget,
  masterKey,
  shows,
  tablesWith,
  withHost,
} from '../testing/customer-hosts.js';
import { svc } from '../testing/spawned-host.js';

const test = suite('imported values of subjects');

const store = (url: string, ...args: readonly string[]) =>
  svc(['store', ...args], { DATABASE_URL: url, SVC_MASTER_KEY: masterKey });

const registered = lineOf({
  streamId: ada.customerId,
  eventType: 'CustomerRegistered',
  data: { ...ada, contacts: [{ phone: 'phone of ada' }] },
});

test('plain values are encrypted by the import, opened by an export with the application, and erased with the key', () =>
  withFolder((folder) =>
    withStore(async (url) => {
      const [file, sealed, opened] = ['in', 'sealed', 'opened'].map((name) => join(folder, name));
      await writeFile(file ?? '', fileOf([registered]));
      const refused = await store(url, 'import', file ?? '');
      assert.is(refused.code, 1);
      assert.match(refused.stderr, /^svc: [^\n]*give the application with --app APP[^\n]*\n$/);
      for (const [imported, present] of [
        [1, 0],
        [0, 1],
      ]) {
        const { stdout } = await store(url, 'import', file ?? '', '--app', app, '--json');
        assert.equal(JSON.parse(stdout), { imported, present });
      }
      assert.equal(await tablesWith(url, ada.email), []);
      await store(url, 'export', sealed ?? '');
      assert.match(await readFile(sealed ?? '', 'utf8'), /"email":"svc:sealed:1:/);
      await store(url, 'export', opened ?? '', '--app', app);
      assert.match(await readFile(opened ?? '', 'utf8'), /"email":"ada@lovelace\.example"/);
      assert.is(
        (await store(url, 'import', sealed ?? '', '--app', app)).stdout,
        'Imported 0 events. 1 was there already.\n',
      );
      await withStore(async (other) => {
        const { stderr } = await store(other, 'import', sealed ?? '', '--app', app);
        assert.match(stderr, /^svc: Line 2: its values are encrypted with keys of another store; [^\n]*\n$/);
        assert.is((await store(other, 'import', opened ?? '', '--app', app)).stdout, 'Imported 1 event.\n');
      });
      await withHost(url, async (host) => {
        await shows(host.url, `/customers/${ada.customerId}`, { email: ada.email, events: 1 });
        assert.equal(await emailsRead(host.url, ada), { emails: [ada.email] });
        await forget(url, ada.customerId);
        await shows(host.url, `/customers/${ada.customerId}`, { email: null });
      });
      await store(url, 'export', opened ?? '', '--app', app);
      assert.match(await readFile(opened ?? '', 'utf8'), /"email":null/);
      assert.equal(await rowsOf(url, 'SELECT count(*) FROM svc_events'), [['1']]);
    }),
  ));

test('a value without its subject is refused, and nothing is stored', () =>
  withFolder((folder) =>
    withStore(async (url) => {
      const file = join(folder, 'in');
      await writeFile(file, fileOf([{ ...registered, eventId: newUuid(), data: { email: 'x' } }]));
      const { code, stderr } = await store(url, 'import', file, '--app', app);
      assert.is(code, 1);
      assert.match(stderr, /^svc: Line 2: [^\n]+\n$/);
      assert.equal(await rowsOf(url, 'SELECT 1 FROM svc_events'), []);
    }),
  ));
