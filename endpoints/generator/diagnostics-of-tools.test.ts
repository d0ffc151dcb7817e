import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { withSources } from '../testing/source-tree.js';
import { Generator } from './generate.js';
import { command, diagnose, mistakesOf } from './testing/diagnose.js';

const test = suite('generator diagnostics of tools');
const mistake = mistakesOf(test);

const permission = `permission: 'authenticated'`;
const described = (name: string, options: string, fields = 'id!: Uuid;', comment = '/** Pings. */') =>
  command(name, `{ restRoute: '/${name.toLowerCase()}', ${options} }`, fields, comment);
const ping = (options: string, fields?: string, comment?: string): string =>
  described('Ping', options, fields, comment);

const reads = (members: string, comment = '/** Who pinged. */') => `
import { type Perspective } from 'svc-runtime';
export interface Row { id: string; host: string; }
${comment}
export class Pings implements Perspective<Row> {
  readonly name = 'pings'; readonly events = []; ${members}
  apply(row: Row | undefined): Row | null { return row ?? null; }
}
`;
const readable = `readonly route = '/pings'; readonly permission = 'authenticated';`;

test('a command and a perspective that say agent are tools, and nothing else is', async () => {
  const files = {
    'a.ts': ping(`${permission}, agent: true`),
    'b.ts': described('Pong', permission),
    'c.ts': reads(`${readable} readonly agent = { fields: ['id'], rows: 5 };`),
  };
  assert.equal(await diagnose(files), []);
  await withSources(files, (dir) => {
    const generated = new Generator(dir, { title: 'pings', version: '1' }).run();
    const textOf = (name: string): string =>
      (generated.ok ? generated.files : []).find(({ path }) => path.endsWith(name))?.text ?? '';
    const tools = JSON.parse(textOf('tools.json')) as readonly { tool: { name: string } }[];
    assert.equal(
      tools.map(({ tool }) => tool.name),
      ['ping', 'pings_get', 'pings_list'],
    );
    assert.not.match(JSON.stringify(tools), 'host');
    assert.match(textOf('registry.ts'), /^ {4}tools,$/m);
  });
});

test('a service without tools has no file of them', async () => {
  await withSources({ 'b.ts': described('Pong', permission) }, (dir) => {
    const generated = new Generator(dir, { title: 'pings', version: '1' }).run();
    const files = generated.ok ? generated.files : [];
    assert.not.ok(files.some(({ path, text }) => path.endsWith('tools.json') || /\btools\b/.test(text)));
  });
});

mistake(
  'options that are no literal',
  'SVC1083',
  ping(`${permission}, agent: Boolean(1)`),
  /write agent as true/,
);
mistake(
  'an unknown option of agent',
  'SVC1083',
  ping(`${permission}, agent: { often: 3 }`),
  /'often' of agent is not known; use name, destructive, perMinute, approval$/,
);
mistake(
  'a name that agents cannot call',
  'SVC1083',
  ping(`${permission}, agent: { name: 'Ping!' }`),
  /'name' of agent must have 1 to 64 of a to z, 0 to 9 and _$/,
);
mistake('no calls at all', 'SVC1083', ping(`${permission}, agent: { perMinute: 0 }`), /from 1 to 100,000$/);
mistake(
  'too many rows',
  'SVC1083',
  reads(`${readable} readonly agent = { rows: 500 };`),
  /'rows' of agent must be a whole number from 1 to 100$/,
);
mistake(
  'a tool without a permission',
  'SVC1084',
  ping('agent: true'),
  /Ping has agent, so it needs a permission/,
);
mistake(
  'a tool for everybody',
  'SVC1084',
  ping(`permission: 'public', agent: true`),
  /Ping has agent, so it needs a permission/,
);
mistake(
  'a tool that says nothing about itself',
  'SVC1084',
  ping(`${permission}, agent: true`, 'id!: Uuid;', ''),
  /Ping has agent, so it needs a doc comment/,
);
mistake(
  'a tool without an endpoint',
  'SVC1084',
  command('Ping', `{ ${permission}, agent: true }`, '', '/** Pings. */'),
  /Ping has agent but no endpoint; give it a restRoute/,
);
mistake(
  'a field that is an argument of every tool',
  'SVC1084',
  ping(`${permission}, agent: true`, 'idempotencyKey!: string;'),
  /Ping has agent, so it cannot have a field 'idempotencyKey'/,
);
mistake(
  'a perspective without a route',
  'SVC1084',
  reads('readonly agent = true;'),
  /a perspective with agent needs a route/,
);
mistake(
  'a field that no row has',
  'SVC1084',
  reads(`${readable} readonly agent = { fields: ['id', 'hots'] };`),
  /the fields of agent name 'hots', which no row has$/,
);
mistake(
  'two tools of one name',
  'SVC1085',
  ping(`${permission}, agent: true`) +
    described('Pong', `${permission}, agent: { name: 'ping' }`, '', '/** Pongs. */').replace(
      /^\nimport.*\n/,
      '',
    ),
  /the tool 'ping' is also that of the class at a\.ts/,
);
mistake(
  'a text that a reviewer does not see',
  'SVC1087',
  ping(`${permission}, agent: true`, `/** Any.\u{E0041} */ id!: Uuid;`),
  /the texts of the tool 'ping' have the hidden character U\+E0041; remove it$/,
);
mistake(
  'a text that reads backwards',
  'SVC1087',
  ping(`${permission}, agent: true`, 'id!: Uuid;', '/** Pings.\u202E */'),
  /U\+202E/,
);

test('SVC1086: more than 200 tools', async () => {
  const one = (n: number) =>
    described(`Ping${n}`, `${permission}, agent: true`, '').replace(/^\nimport.*\n/, '');
  const all = Array.from({ length: 201 }, (_, n) => one(n)).join('');
  const found = await diagnose({
    'a.ts': `import { Command, CommandEndpoint, type Receptor } from 'svc-runtime';\n${all}`,
  });
  assert.is(found.length, 1);
  assert.match(found[0] ?? '', /SVC1086: there are 201 tools; at most 200 are allowed$/);
});
