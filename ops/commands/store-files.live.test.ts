import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { execute } from '../../runtime/kit/database.js';
import { withFolder } from '../../runtime/kit/temporary-folder.js';
import { fileOf, lineOf } from '../../runtime/testing/imported-events.js';
import { type MigratedDatabase, withMigratedDatabase } from '../../runtime/testing/migrated-database.js';
import { svcInProcess } from '../testing/in-process-cli.js';
import { svc } from '../testing/spawned-host.js';

const test = suite('svc store export and import');

interface Scene extends MigratedDatabase {
  readonly store: (...args: string[]) => ReturnType<typeof svc>;
  /** A file with these lines after the header. */
  readonly write: (lines: readonly object[]) => Promise<string>;
  readonly path: (name: string) => string;
}

const withScene = (body: (scene: Scene) => Promise<void>): Promise<void> =>
  withMigratedDatabase((migrated) =>
    withFolder((folder) => {
      const path = (name: string) => join(folder, name);
      return body({
        ...migrated,
        path,
        store: (...args) => svcInProcess(['store', ...args], { DATABASE_URL: migrated.url }),
        write: async (lines) => {
          await writeFile(path('events.ndjson'), fileOf(lines));
          return path('events.ndjson');
        },
      });
    }),
  );

const verified = async (url: string) => {
  const { code, stdout } = await svcInProcess(['audit', 'verify', '--events', '--json'], {
    DATABASE_URL: url,
  });
  const { ok, imports, events } = JSON.parse(stdout) as {
    readonly ok: boolean;
    readonly imports: { readonly events: number; readonly unrecorded: number };
    readonly events: { readonly unaudited: object };
  };
  return { code, ok, imported: imports.events, unrecorded: imports.unrecorded, unaudited: events.unaudited };
};

test('a file is imported, again without a change, and an export of it is the same events', () =>
  withScene(async ({ store, write, path, url }) => {
    const file = await write(Array.from({ length: 5 }, () => lineOf()));
    const first = await store('import', file);
    assert.equal([first.code, first.stdout, first.stderr], [0, 'Imported 5 events.\n', '']);
    assert.is((await store('import', file)).stdout, 'Imported 0 events. 5 were there already.\n');
    assert.is((await store('import', file, '--json')).stdout, '{"imported":0,"present":5}\n');
    assert.is((await store('export', path('copy.ndjson'))).code, 0);
    assert.is((await stat(path('copy.ndjson'))).mode & 0o777, 0o600);
    assert.is(
      (await store('import', path('copy.ndjson'))).stdout,
      'Imported 0 events. 5 were there already.\n',
    );
    const { stdout } = await svc(['store', 'export', '-'], { DATABASE_URL: url });
    const withoutHeader = (text: string) => text.slice(text.indexOf('\n'));
    assert.is(withoutHeader(stdout), withoutHeader(await readFile(path('copy.ndjson'), 'utf8')));
    assert.equal(await verified(url), { code: 0, ok: true, imported: 5, unrecorded: 0, unaudited: {} });
  }));

for (const failpoint of ['import-stored', 'import-stored@3', 'import-recorded'])
  test(`killed at ${failpoint} and run again, everything is imported once and recorded`, () =>
    withScene(async ({ store, write, connect, url }) => {
      const file = await write(Array.from({ length: 10_500 }, (_, n) => lineOf({ data: { n } })));
      await svc(['store', 'import', file], { DATABASE_URL: url, SVC_FAILPOINTS: failpoint });
      const [[before = ''] = []] = await connect().rows({ text: 'SELECT count(*) FROM svc_events' });
      assert.ok(Number(before) > 0 && Number(before) < 10_500, String(before));
      const { stdout } = await store('import', file, '--json');
      assert.equal(JSON.parse(stdout), { imported: 10_500 - Number(before), present: Number(before) });
      assert.equal(await verified(url), {
        code: 0,
        ok: true,
        imported: 10_500,
        unrecorded: 0,
        unaudited: {},
      });
      const covered = await connect().rows({
        text: `SELECT e.global_position FROM svc_events e WHERE 1 <> (SELECT count(*) FROM svc_system_events r
          WHERE e.global_position BETWEEN (r.data ->> 'from')::bigint AND (r.data ->> 'to')::bigint) LIMIT 1`,
      });
      assert.equal(covered, []);
    }));

test('audit verify counts what a killed import left without a record, and names altered events', () =>
  withScene(async ({ write, url }) => {
    const file = await write(Array.from({ length: 600 }, () => lineOf()));
    await svc(['store', 'import', file], { DATABASE_URL: url, SVC_FAILPOINTS: 'import-stored' });
    const left = await verified(url);
    assert.ok(left.ok && left.unrecorded > 0);
    const verify = () => svcInProcess(['audit', 'verify', '--events'], { DATABASE_URL: url });
    assert.match((await verify()).stdout, /Imported without a record: \d+; run the import again/);
    await svcInProcess(['store', 'import', file], { DATABASE_URL: url });
    assert.match((await verify()).stdout, /All 600 imported events are as they were imported\./);
    await execute(
      url,
      `SET session_replication_role = replica; UPDATE svc_events SET data = '{}' WHERE global_position = 9`,
    );
    const { code, stderr } = await verify();
    assert.is(code, 1);
    assert.match(
      stderr,
      /^svc: [^\n]*Imported events were altered or deleted: 1 to \d+ \(EventsImported at 1\)\.\n$/,
    );
  }));

for (const [what, text, why] of [
  ['nothing', '', /Line 1: it must be the header/],
  ['no header', '{"streamId":"x"}\n', /Line 1: it must be the header/],
  ['bad JSON', `${fileOf([lineOf()])}\n{"streamId":\n`, /Line 4: it is not a JSON object/],
  ['a NUL', `${fileOf([])}\0\n`, /Line 2: it is not a JSON object/],
  [
    'other bytes than UTF-8',
    Buffer.concat([Buffer.from(fileOf([])), Buffer.from([0xff, 0x0a])]),
    /Line 2: it is not UTF-8/,
  ],
  ['another format', 'PK\u0003\u0004', /Line 1: it must be the header/],
] as const)
  test(`a file with ${what} is refused on one line, and nothing is stored`, () =>
    withScene(async ({ store, connect, path }) => {
      await writeFile(path('bad'), text);
      const { code, stdout, stderr } = await store('import', path('bad'));
      assert.equal([code, stdout], [1, '']);
      assert.match(stderr, /^svc: [^\n]+\n$/);
      assert.match(stderr, why);
      assert.equal(await connect().rows({ text: 'SELECT 1 FROM svc_events' }), []);
    }));

test('a file that is not there, or cannot be written, is refused on one line', () =>
  withScene(async ({ store, path }) => {
    for (const [action, what] of [
      ['import', 'read'],
      ['export', 'written'],
    ] as const) {
      const { code, stderr } = await store(action, path('no/such'));
      assert.is(code, 1);
      assert.match(stderr, new RegExp(`^svc: [^\\n]*/no/such cannot be ${what}: ENOENT[^\\n]*\\n$`));
    }
  }));

test('a store that encrypts values of subjects imports nothing without the application', () =>
  withScene(async ({ store, write, connect }) => {
    await connect({ owner: true }).rows({
      text: `INSERT INTO svc_subject_keys(subject, key_id) VALUES ('x', '${newUuid()}')`,
    });
    const { code, stderr } = await store('import', await write([lineOf()]));
    assert.is(code, 1);
    assert.match(
      stderr,
      /^svc: [^\n]*This store encrypts values of subjects; give the application with --app APP[^\n]*\n$/,
    );
  }));

for (const args of [
  ['export'],
  ['import'],
  ['import', 'a', 'b'],
  ['export', 'a', '--publish'],
  ['import', 'a', '--reason', 'x'],
  ['import', 'a', '--force'],
  ['status', '--app', 'x'],
])
  test(`\`svc store ${args.join(' ')}\` is refused on one line, before it connects`, async () => {
    const { code, stdout, stderr } = await svcInProcess(['store', ...args]);
    assert.equal([code, stdout], [1, '']);
    assert.match(stderr, /^svc: [^\n]*; see svc store --help\.\n$/);
  });
