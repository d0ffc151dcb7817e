import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { basename, join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { removeHome } from '../../runtime/database/embedded/server-home.js';
import { withDatabase } from '../../runtime/testing/database.js';
import { opened } from '../../runtime/testing/opened.js';
import { withFolder } from '../../runtime/testing/temporary-folder.js';
import { until } from '../../runtime/testing/until.js';
import { svcInProcess } from '../testing/in-process-cli.js';
import { cli, withNewService } from '../testing/new-service.js';
import { listeningTo, type SpawnedHost, startProgram, svc } from '../testing/spawned-host.js';

const test = suite('svc dev');

const bookId = '018f0000-0000-7000-8000-000000000001';
const otherBookId = '018f0000-0000-7000-8000-000000000002';

async function borrow(url: string, book: string) {
  const response = await fetch(`${url}/loans`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', connection: 'close', prefer: 'wait=20' },
    body: JSON.stringify({ bookId: book, reader: 'Ada' }),
  });
  return { status: response.status, body: await response.text() };
}

const loans = async (url: string): Promise<string> =>
  (await fetch(`${url}/loans`, { headers: { connection: 'close' } })).text();

const versionOf = async (url: string): Promise<unknown> => {
  const contract = await fetch(`${url}/openapi.json`, { headers: { connection: 'close' } });
  return ((await contract.json()) as { readonly info: { readonly version: unknown } }).info.version;
};

/** Runs `svc dev` on a new service, and lends both. */
const developing = (
  env: (dir: string) => Readonly<Record<string, string>>,
  body: (host: SpawnedHost, dir: string) => Promise<void>,
): Promise<void> =>
  withNewService((dir) =>
    listeningTo(startProgram(process.execPath, [cli, 'dev', dir], env(dir)), (host) => body(host, dir)),
  );

async function edit(dir: string, file: string, from: string, to: string): Promise<void> {
  const path = join(dir, 'src', file);
  await writeFile(path, (await readFile(path, 'utf8')).replace(from, to));
}

/** Compiles, and fails when it is loaded. */
const mistake = 'const { name }: { name: string } = JSON.parse("null");\nconsole.error(name);\n';

const timesListening = ({ output }: SpawnedHost): number =>
  output.stdout.join('').split('"msg":"listening"').length - 1;

test('a change of sources or of the version is served as soon as it compiles, what is stored stays, and Ctrl-C ends everything', () =>
  developing(
    (dir) => ({ SVC_DATA_DIR: join(dir, '.svc') }),
    async (host, dir) => {
      const dataDir = join(dir, '.svc');
      try {
        assert.is((await borrow(host.url, bookId)).status, 200);
        await edit(dir, 'borrow-book.ts', 'status: 409', 'status: 423');
        await until(() => timesListening(host) >= 2);
        assert.is((await borrow(host.url, bookId)).status, 423);
        assert.match(await loans(host.url), bookId);
        await edit(dir, '../package.json', '"version": "0.1.0"', '"version": "0.2.0"');
        await until(() => timesListening(host) >= 3);
        assert.is(await versionOf(host.url), '0.2.0');
        const postmaster = join(dataDir, 'postgres/cluster/postmaster.pid');
        assert.ok(existsSync(postmaster));
        assert.equal(await host.kill('SIGINT'), { code: 0, signal: null });
        assert.not.ok(existsSync(postmaster));
        assert.is(await loans(host.url).catch(() => 'no answer'), 'no answer');
      } finally {
        await removeHome(dataDir);
      }
    },
  ));

test('what is built is named before anything is loaded; a folder without a service is refused with the command that creates one, also while the port is in use', () =>
  withFolder(async (folder) => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const { code, stderr } = await svcInProcess(['dev', folder], { SVC_PORT: String(port) });
    other.close();
    assert.is(code, 1);
    const [first, ...others] = stderr.split('\n');
    assert.is(first, `svc: building ${basename(folder)} …`);
    assert.match(others.join('\n'), / has no package\.json; create a service with svc new <dir>\.\n$/);
  }));

/** One `svc dev` on a given database for several tests. */
const shared = suite('svc dev, change after change');

interface Session {
  readonly host: SpawnedHost;
  readonly dir: string;
}

let session: Awaited<ReturnType<typeof opened<Session>>>;

shared.before(async () => {
  session = await opened((body) =>
    withDatabase((DATABASE_URL) =>
      developing(
        () => ({ DATABASE_URL }),
        (host, dir) => body({ host, dir }),
      ),
    ),
  );
});

shared.after(() => session.close());

shared(
  'a mistake is printed with its location, and the previous code serves until it is corrected',
  async () => {
    const { host, dir } = session.value;
    const printed = (text: RegExp) => until(() => text.test(host.output.stderr.join('')));
    await edit(dir, 'borrow-book.ts', "status: 'borrowed' }", "status: 'lent' }");
    await printed(/borrow-book\.ts\(\d+,\d+\): error TS2322: .*\nsvc: the code before this change still/);
    assert.is((await borrow(host.url, bookId)).status, 200);
    await edit(dir, 'borrow-book.ts', "'/loans'", "'loans'");
    await printed(/borrow-book\.ts\(\d+,\d+\): error SVC1005: .*\nsvc: the code before this change still/);
    // In this order, or a slow editor would have the corrected code served for a moment.
    await edit(dir, 'main.ts', 'export default', `${mistake}export default`);
    await edit(dir, 'borrow-book.ts', "'loans'", "'/loans'");
    await edit(dir, 'borrow-book.ts', "status: 'lent' }", "status: 'borrowed' }");
    await printed(
      /cannot be loaded: .*'name'.*\n {4}at .*src\/main\.ts:\d+:\d+[^]*svc: the code before this/,
    );
    assert.match(await loans(host.url), bookId);
    await edit(dir, 'main.ts', mistake, '');
    await until(() => timesListening(host) >= 2);
    assert.is((await borrow(host.url, bookId)).status, 409);
  },
);

shared('an event that svc generate --accept-events accepts in another terminal is served', async () => {
  const { host, dir } = session.value;
  const before = timesListening(host);
  const printed = () => host.output.stderr.join('');
  for (const file of ['borrow-book.ts', 'borrow-book.test.ts'])
    await edit(dir, file, 'BookBorrowed.of({', "BookBorrowed.of({ shelf: 'A', ");
  await edit(dir, 'book-borrowed.ts', 'extends Event {', 'extends Event {\n  shelf!: string;\n');
  await until(() => /book-borrowed\.ts\(\d+,\d+\): error SVC\d+: .*shelf/.test(printed()));
  assert.is((await svc(['generate', dir, '--accept-events'])).code, 0);
  await until(() => timesListening(host) >= before + 1);
});

shared('a service that never finishes loading is given up for the next change', async () => {
  const { host, dir } = session.value;
  const before = timesListening(host);
  const endless = 'console.error("endless");\nawait new Promise(() => undefined);\n';
  await edit(dir, 'main.ts', 'export default', `${endless}export default`);
  await until(() => host.output.stderr.join('').includes('endless'));
  await edit(dir, 'main.ts', endless, '');
  await until(() => timesListening(host) >= before + 1);
  assert.is((await borrow(host.url, otherBookId)).status, 200);
  assert.equal(await host.kill('SIGTERM'), { code: 0, signal: null });
});
