import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { withSources } from '../testing/source-tree.js';
import { Generator } from './generate.js';
import { command, mistakesOf } from './testing/diagnose.js';

const test = suite('generator diagnostics of approvals');
const mistake = mistakesOf(test);

const imports = `import { Event, ownRoute, Permission, type Perspective, Sensitive } from 'svc-runtime';`;
const rule = `Permission.of('pings', 'approve')`;
const ping = (approval: string, fields = 'id!: Uuid;', name = 'Ping'): string =>
  imports +
  command(
    name,
    `{ restRoute: '/ping', permission: 'authenticated', agent: { approval: ${approval} } }`,
    fields,
    '/** Pings. */',
  );
const beside = (source: string): string => ping(rule) + source;

const another = (name: string, options: string): string =>
  command(name, options).replace(/^\nimport.*\n/, '');

const generated = async (files: Readonly<Record<string, string>>) => {
  const found = new Map<string, string>();
  await withSources(files, (dir) => {
    const made = new Generator(dir, { title: 'pings', version: '1' }).run();
    assert.ok(made.ok, JSON.stringify(made));
    for (const { path, text } of made.ok ? made.files : []) found.set(path, text);
  });
  return (name: string): string => found.get(`generated/${name}`) ?? '';
};

test('a command with approval brings the approvals of the runtime into the registry and all documents', async () => {
  const textOf = await generated({ 'a.ts': ping(`{ by: ${rule}, within: 'PT1H' }`) });
  assert.match(textOf('registry.ts'), /return withApprovals\(dispatcher, \{[^]*\}\);\n\}/);
  assert.not.match(textOf('registry.ts'), 'DecideApproval');
  assert.match(textOf('openapi.json'), '"/approvals/decide"');
  assert.match(textOf('openapi.json'), '"pings:approve"');
  assert.match(
    textOf('schema.graphql'),
    'decideApproval(command: DecideApprovalInput!): DecideApprovalResult',
  );
  assert.match(textOf('client.ts'), 'decideApproval(command: DecideApproval');
  assert.not.match(textOf('asyncapi.json') + textOf('nats-permissions.json'), 'ApprovalAsked');
  const tools = JSON.parse(textOf('tools.json')) as readonly {
    approval?: string;
    tool: { name: string; description: string; outputSchema: { properties: { status: object } } };
  }[];
  assert.equal(
    tools.map(({ tool }) => tool.name),
    ['approval_get', 'ping'],
  );
  assert.is(tools[1]?.approval, 'pings:approve');
  assert.match(tools[1]?.tool.description ?? '', /A person must agree/);
  assert.equal(tools[1]?.tool.outputSchema.properties.status, {
    type: 'string',
    enum: ['waiting-for-approval', 'refused'],
  });
});

test('a service without approval has nothing of them', async () => {
  const textOf = await generated({
    'a.ts': command(
      'Ping',
      `{ restRoute: '/ping', permission: 'authenticated', agent: true }`,
      '',
      '/** Pings. */',
    ),
  });
  for (const name of [
    'registry.ts',
    'openapi.json',
    'asyncapi.json',
    'client.ts',
    'tools.json',
    'nats-permissions.json',
  ])
    assert.not.match(textOf(name), /approval/i, name);
});

test('several permissions decide about several commands: the route is open to every caller, and rows are not', async () => {
  const pong = ping(`Permission.of('pongs', 'approve')`, '', 'Pong').replaceAll('/ping', '/pong');
  const textOf = await generated({ 'a.ts': ping(rule), 'b.ts': pong });
  assert.not.match(textOf('openapi.json'), ':approve"');
});

mistake('no permission', 'SVC1041', ping('true'), /write the permission as/);
mistake(
  'a permission that everybody has',
  'SVC1083',
  ping(`'authenticated'`),
  /needs a permission of its own$/,
);
mistake('an unknown part', 'SVC1083', ping(`{ by: ${rule}, until: 'PT1H' }`), /write approval as/);
for (const within of [`'P31D'`, `'PT0S'`, `'soon'`, '5'])
  mistake(`within ${within}`, 'SVC1083', ping(`{ by: ${rule}, within: ${within} }`), /at most P30D$/);

mistake(
  'a command of the runtime',
  'SVC1088',
  beside(another('AskApproval', '')),
  /'AskApproval' is a name of the runtime; choose another$/,
);
mistake(
  'an event of the runtime',
  'SVC1088',
  beside('export class ApprovalAsked extends Event { id!: Uuid; }'),
  /'ApprovalAsked' is a name of the runtime; choose another$/,
);
const row = (route: string) => `
export interface Row { id: string; }
export class Rows implements Perspective<Row> {
  readonly name = 'rows'; readonly events = []; readonly route = '${route}'; readonly permission = 'authenticated';
  apply(row: Row | undefined): Row | null { return row ?? null; }
}`;
mistake(
  'a perspective at /approvals',
  'SVC1088',
  beside(row('/approvals')),
  /the runtime serves '\/approvals'; choose another route$/,
);
mistake(
  'an own route below /approvals',
  'SVC1088',
  beside(
    `export const mine = ownRoute<void, void>({ method: 'GET', path: '/approvals/mine', permission: 'authenticated', handle: () => undefined });`,
  ),
  /the runtime serves '\/approvals\/mine'; choose another route$/,
);
mistake(
  'a command at /approvals',
  'SVC1088',
  beside(another('Pong', `{ restRoute: '/approvals', permission: 'authenticated' }`)),
  /the runtime serves '\/approvals'; choose another route$/,
);
mistake(
  'what people must not see',
  'SVC1088',
  ping(rule, '@Sensitive() secret!: string;'),
  /Ping has approval, so neither it nor its result can have @Sensitive fields/,
);
