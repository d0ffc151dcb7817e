import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import { withSources } from '../../testing/source-tree.js';
import { Compiler } from '../compiler.js';
import { Diagnostics } from '../diagnostics.js';
import { command } from '../testing/diagnose.js';
import { discover } from './discover-service.js';

const test = suite('permissions');

/** What the generator reads of the permissions of a command and of a perspective. */
const readIn = (permission: string, before = ''): Promise<readonly (string | undefined)[]> => {
  const own = `import { Permission, type Perspective } from 'svc-runtime'; ${before}`;
  const perspective = `
export class Pings implements Perspective<{ count: Int }> {
  readonly name = 'pings';
  readonly route = '/pings';
  readonly permission = ${permission};
  readonly events = [];
  initial() { return { count: 0 }; }
  apply(pings: { count: Int }) { return pings; }
}`;
  const files = {
    'a.ts': command('Ping', `{ restRoute: '/x', permission: ${permission} }`, '', own) + perspective,
    'shared.ts': `import { Permission } from 'svc-runtime'; export const shared = Permission.all('pings');`,
  };
  return withSources(files, (dir) => {
    const diagnostics = new Diagnostics();
    const { commands, perspectives } = discover(new Compiler(dir).read(), diagnostics);
    assert.equal(diagnostics.all, []);
    return [...commands.map((one) => one.permission), ...perspectives.map(({ query }) => query?.permission)];
  });
};

for (const [written, read, before] of [
  ["'public'", 'public', ''],
  ["'authenticated' as const", 'authenticated', ''],
  ["Permission.of('orders', 'write')", 'orders:write', ''],
  ["Permission.parse('orders:*')", 'orders:*', ''],
  ["Permission.read('orders')", 'orders:read', ''],
  ["Permission.write('orders')", 'orders:write', ''],
  ["Permission.delete('orders')", 'orders:delete', ''],
  ["Permission.admin('orders')", 'orders:admin', ''],
  ["Permission.all('orders')", 'orders:*', ''],
  ['Permission.read(resource)', 'books:read', "const resource = 'books';"],
  ['mine', 'books:read', "const first = Permission.read('books'); const mine = first;"],
  ['shared', 'pings:*', "import { shared } from './shared.js';"],
] as const)
  test(`a permission written as ${written} is read as ${read}`, async () => {
    assert.equal(await readIn(written, before), [read, read]);
  });

test('a permission may be a shorthand property', async () => {
  const own = `import { Permission } from 'svc-runtime'; const permission = Permission.read('books');`;
  const source = command('Ping', `{ restRoute: '/x', permission }`, '', own);
  await withSources({ 'a.ts': source }, (dir) => {
    const { commands } = discover(new Compiler(dir).read(), new Diagnostics());
    assert.is(commands[0]?.permission, 'books:read');
  });
});

test('a perspective inherits the permission of its base class', async () => {
  const source = `${command('Ping', `{ restRoute: '/x' }`)}
import { Permission, type Perspective } from 'svc-runtime';
abstract class Guarded { readonly permission = Permission.read('pings'); }
export class Pings extends Guarded implements Perspective<{ count: Int }> {
  readonly name = 'pings';
  readonly route = '/pings';
  readonly events = [];
  initial() { return { count: 0 }; }
  apply(pings: { count: Int }) { return pings; }
}`;
  await withSources({ 'a.ts': source }, (dir) => {
    const { perspectives, commands } = discover(new Compiler(dir).read(), new Diagnostics());
    assert.is(perspectives[0]?.query?.permission, 'pings:read');
    assert.is(commands[0]?.permission, undefined);
  });
});
