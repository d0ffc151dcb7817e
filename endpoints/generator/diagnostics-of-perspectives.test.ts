import { suite } from '../../contracts/testing/suite.js';
import { command, good, mistakesOf } from './testing/diagnose.js';

const test = suite('generator diagnostics of perspectives and permissions');
const mistake = mistakesOf(test);

const perspective = (members: string) => `${good}
import type { Perspective } from 'svc-runtime';
export class Pings implements Perspective<{ count: Int }> {
  readonly name = 'pings';
  readonly events = [];
  initial() { return { count: 0 }; }
  apply(pings: { count: Int }) { return pings; }
  ${members}
}`;

mistake(
  'a perspective with an unknown route',
  'SVC1027',
  perspective('readonly route = String(Math.random());'),
  /must be a literal such as '\/orders'/,
);
mistake(
  'a perspective with a route whose columns are not written out',
  'SVC1028',
  perspective("readonly route = '/pings'; readonly columns = Object.fromEntries([]);"),
  /as an object literal/,
);
mistake(
  'a column whose type is not written out',
  'SVC1028',
  perspective(
    "readonly route = '/pings'; readonly columns = { count: { type: String(1) as 'text' | 'uuid', of: () => 1 } };",
  ),
  /write the type of the column 'count' as a literal such as 'text'/,
);
mistake(
  'a column that names no field of the row and has no value',
  'SVC1054',
  perspective("readonly columns = { count: 'integer', amount: 'integer' } as const;"),
  /the row has no field 'amount'; give the column a value: amount: \{ type: …, of: \(row\) => … \}/,
);
mistake(
  'a column of a list',
  'SVC1054',
  perspective("readonly columns = { counts: 'integer' } as const;").replaceAll(
    '{ count: Int }',
    '{ count: Int; counts: readonly Int[] | null }',
  ),
  /the field 'counts' is not a text, number or boolean; give the column a value/,
);
mistake(
  'a column that has the name of a member of every object',
  'SVC1054',
  perspective("readonly columns = { toString: 'text' } as const;"),
  /the row has no field 'toString'/,
);
mistake(
  'a route that gives no name',
  'SVC1044',
  perspective("readonly route = '/1/pings';"),
  /the route '\/1\/pings' gives no name to its GraphQL field and client method; start it with a letter/,
);
mistake(
  'a route that gives a reserved name',
  'SVC1044',
  perspective("readonly route = '/services';"),
  /gives the name 'service', which is reserved/,
);
mistake(
  'a route that gives the name of a client method',
  'SVC1044',
  perspective("readonly route = '/ping';"),
  /gives the name 'ping', which is also that of the client method at a\.ts/,
);
mistake(
  'two routes that give one name',
  'SVC1044',
  perspective("readonly route = '/a/pings';") +
    perspective("readonly route = '/a-ping';")
      .replace(good, '')
      .replaceAll('Pings', 'Others')
      .replace(/import .*/, ''),
  /gives the name 'aPing', which is also that of the class at a\.ts/,
);
mistake(
  'a row that has no schema',
  'SVC1015',
  perspective("readonly route = '/pings';").replace(
    'Perspective<{ count: Int }>',
    'Perspective<{ count: () => void }>',
  ),
  /'PingsRow\.count' is a function, which cannot be sent/,
);
mistake(
  'a perspective whose name is not kebab-case',
  'SVC1046',
  perspective('').replace("'pings'", "'My Pings'"),
  /'My Pings' of a perspective must be in kebab-case, with at most 40 characters/,
);
mistake(
  'a perspective with its own key that does not declare its late events',
  'SVC1040',
  perspective("key() { return 'all'; }"),
  /add readonly late = 'apply' or 'rebuild'/,
);

const guarded = (permission: string, before = '') =>
  command(
    'Ping',
    `{ restRoute: '/x', permission: ${permission} }`,
    '',
    `import { Permission } from 'svc-runtime'; ${before}`,
  );

for (const [name, permission, before] of [
  ['a resource:action text instead of a Permission', "'orders:write' as never", ''],
  ['the result of a function', 'write()', "const write = () => Permission.write('orders');"],
  ['a variable that may change', 'write', "let write = Permission.write('orders');"],
  [
    'a resource that is only known at run time',
    'Permission.write(process.argv[0])',
    'declare const process: { argv: string[] };',
  ],
  [
    'a Permission of another library',
    "Other.of('a', 'b')",
    'class Other { static of(..._: string[]): never { throw _; } }',
  ],
  ['a method that creates no permission', 'Permission.toString()', ''],
] as const)
  mistake(
    `a permission that is ${name}`,
    'SVC1041',
    guarded(permission, before),
    /write the permission as 'public'/,
  );

for (const permission of [
  "Permission.of('orders', '')",
  "Permission.parse('orders')",
  "Permission.of('or*', 'write')",
  "Permission.read('a b')",
])
  mistake(
    `the malformed ${permission}`,
    'SVC1042',
    guarded(permission),
    /must have the form resource:action/,
  );

mistake(
  'a perspective that computes its permission',
  'SVC1041',
  perspective("readonly route = '/pings'; get permission() { return 'public' as const; }"),
  /as a field: readonly permission/,
);
mistake(
  'a perspective with a malformed permission',
  'SVC1042',
  perspective("readonly route = '/pings'; readonly permission = Permission.of('pings', 'a:b');").replace(
    'import type { Perspective }',
    'import { Permission, type Perspective }',
  ),
  /'pings:a:b' is not a permission/,
);
