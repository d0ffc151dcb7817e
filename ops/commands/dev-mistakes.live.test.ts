import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { until } from '../../runtime/kit/until.js';
import {
  bookId,
  borrow,
  loans,
  developingOnDatabase,
  edit,
  timesListening,
} from '../testing/developed-service.js';

const test = suite('svc dev, change after change');

/** Compiles, and fails when it is loaded. */
const mistake = 'const { name }: { name: string } = JSON.parse("null");\nconsole.error(name);\n';

test('a mistake is printed with its location, and the previous code serves until it is corrected', () =>
  developingOnDatabase(async ({ host, dir }) => {
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
  }));
