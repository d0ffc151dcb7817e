import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { sharedIn } from '../../runtime/testing/shared-in.js';
import { until } from '../../runtime/kit/until.js';
import { svc } from '../testing/spawned-host.js';
import {
  borrow,
  developingOnDatabase,
  type Session,
  edit,
  timesListening,
} from '../testing/developed-service.js';

const test = suite('svc dev, change after change');

const otherBookId = '018f0000-0000-7000-8000-000000000002';

/** One `svc dev` for several tests. */
const developed = sharedIn<Session>(test, developingOnDatabase);

test('an event that svc generate --accept-events accepts in another terminal is served', () =>
  developed(async ({ host, dir }) => {
    const before = timesListening(host);
    const printed = () => host.output.stderr.join('');
    for (const file of ['borrow-book.ts', 'borrow-book.test.ts'])
      await edit(dir, file, 'BookBorrowed.of({', "BookBorrowed.of({ shelf: 'A', ");
    await edit(dir, 'book-borrowed.ts', 'extends Event {', 'extends Event {\n  shelf!: string;\n');
    await until(() => /book-borrowed\.ts\(\d+,\d+\): error SVC\d+: .*shelf/.test(printed()));
    assert.is((await svc(['generate', dir, '--accept-events'])).code, 0);
    await until(() => timesListening(host) >= before + 1);
  }));

test('a service that never finishes loading is given up for the next change', () =>
  developed(async ({ host, dir }) => {
    const before = timesListening(host);
    const endless = 'console.error("endless");\nawait new Promise(() => undefined);\n';
    await edit(dir, 'main.ts', 'export default', `${endless}export default`);
    await until(() => host.output.stderr.join('').includes('endless'));
    await edit(dir, 'main.ts', endless, '');
    await until(() => timesListening(host) >= before + 1);
    assert.is((await borrow(host.url, otherBookId)).status, 200);
    assert.equal(await host.kill('SIGTERM'), { code: 0, signal: null });
  }));
