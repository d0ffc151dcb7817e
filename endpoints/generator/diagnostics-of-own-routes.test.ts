import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { withSources } from '../testing/source-tree.js';
import { Generator } from './generate.js';
import { command, diagnose, good, mistakesOf } from './testing/diagnose.js';

const test = suite('generator diagnostics of own routes');
const mistake = mistakesOf(test);

const route = (options = `method: 'GET', path: '/shelves/:shelf'`, types = 'AskShelf, Shelf') => `
import { type Int, ownRoute } from 'svc-runtime';
export interface AskShelf { shelf: string; floor?: Int }
export interface Shelf { books: string[] }
/** What is on a shelf. */
export const findShelf = ownRoute<${types}>({ ${options}, permission: 'public', handle: () => ({ books: [] }) });
`;

test('a service of own routes alone is a service; its registry decodes and encodes for them', async () => {
  assert.equal(await diagnose({ 'a.ts': route() }), []);
  await withSources({ 'a.ts': route() }, (dir) => {
    const generated = new Generator(dir, { title: 'library', version: '1' }).run();
    const files = new Map((generated.ok ? generated.files : []).map(({ path, text }) => [path, text]));
    assert.match(
      files.get('generated/registry.ts') ?? '',
      "registeredRoute(findShelfRoute, { decode: decodeAskShelf, encode: encodeShelf, literals: ['floor'] })",
    );
    assert.match(
      files.get('generated/client.d.ts') ?? '',
      '/** What is on a shelf. */\n    findShelf(request: AskShelf, options?: CallOptions): Promise<Shelf>;',
    );
  });
});

mistake(
  'a route that the registry cannot import',
  'SVC1080',
  route().replace('export const', 'const'),
  /export const name = ownRoute/,
);

mistake(
  'a route that is declared in a function',
  'SVC1080',
  good +
    `import { ownRoute } from 'svc-runtime';\nexport const all = () => [ownRoute<void, void>({ method: 'GET', path: '/x', handle: () => undefined })];`,
  /export const name = ownRoute/,
);

mistake(
  'a route without its types',
  'SVC1080',
  good +
    `import { ownRoute } from 'svc-runtime';\nexport const one = ownRoute({ method: 'GET', path: '/x', handle: () => undefined });`,
  /with both types and an object literal/,
);

for (const options of [
  `method: 'GET', path: 'x'`,
  `method: 'GET', path: '/docs'`,
  `method: 'GET', path: '/x/*'`,
])
  mistake(`a route with ${options}`, 'SVC1080', route(options, 'void, Shelf'), /such as method: 'POST'/);

mistake(
  'a request that is no object',
  'SVC1081',
  route(undefined, 'string[], Shelf'),
  /must be an object, or void/,
);

mistake(
  'an answer that may be undefined',
  'SVC1015',
  route(undefined, 'AskShelf, Shelf | undefined'),
  /use null, or void for nothing/,
);

mistake(
  'a path with a field that the request does not have',
  'SVC1081',
  route(`method: 'GET', path: '/shelves/:row'`),
  /the path has :row/,
);

mistake(
  'a list in the query',
  'SVC1081',
  route(`method: 'GET', path: '/shelves'`, '{ shelves: string[] }, Shelf'),
  /the field 'shelves' is in the URL/,
);

mistake(
  'two routes with one address',
  'SVC1082',
  route() +
    `export const other = ownRoute<{ row: string }, Shelf>({ method: 'GET', path: '/shelves/:row', permission: 'public', handle: () => ({ books: [] }) });`,
  /'GET \/shelves\/:' of other is also at a\.ts/,
);

mistake(
  'a route with the address of a command',
  'SVC1082',
  command('Ping', `{ restRoute: '/ping' }`) +
    `import { ownRoute } from 'svc-runtime';\nexport const pong = ownRoute<void, void>({ method: 'POST', path: '/ping', permission: 'public', handle: () => undefined });`,
  /'POST \/ping' of pong is also at a\.ts/,
);

mistake(
  'a route with the name of a client method',
  'SVC1082',
  command('Ping', `{ restRoute: '/ping' }`) +
    `import { ownRoute } from 'svc-runtime';\nexport const ping = ownRoute<void, void>({ method: 'GET', path: '/pong', permission: 'public', handle: () => undefined });`,
  /'ping' of ping is also at a\.ts/,
);
