import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { withSources } from '../testing/source-tree.js';
import { good, mistakesOf } from './testing/diagnose.js';
import { Generator } from './generate.js';

const test = suite('generator: subjects');
const mistake = mistakesOf(test);

const sources = (event: string, others = ''): string => `${good}
import { Event, Sensitive } from 'svc-runtime';
${others}
export class Pinged extends Event {
  ${event}
}
`;

const generated = (source: string, file: string): Promise<string> =>
  withSources({ 'a.ts': source }, (dir) => {
    const run = new Generator(dir, { title: 'ping', version: '1' }).run();
    assert.ok(run.ok, JSON.stringify(run));
    return run.files.find(({ path }) => path.endsWith(file))?.text ?? '';
  });

const registryOf = (source: string): Promise<string> => generated(source, 'registry.ts');

const contact = `export class Contact {
  @Sensitive({ subject: 'customerId' }) phone!: string | null;
}`;
const guest = `export class Guest {
  guestId!: string;
  @Sensitive({ subject: 'guestId' }) name!: string;
}`;

test('the registry lists every field with a subject, also in embedded objects, lists and maps', async () => {
  const event = `customerId!: Uuid;
    @Sensitive({ subject: 'customerId' }) email?: string;
    contact!: Contact | null;
    guests!: Guest[];
    rooms!: Record<string, Guest[]>;`;
  const text = await registryOf(sources(event, contact + guest));
  const sealed = /sealed: \[\n\s*(.*),\n/.exec(text)?.[1];
  assert.is(
    sealed,
    `{ type: Pinged, fields: [${[
      "{ path: ['email'], subject: 'customerId', subjectIn: 'object' }",
      "{ path: ['contact', 'phone'], subject: 'customerId', subjectIn: 'event' }",
      "{ path: ['guests', null, 'name'], subject: 'guestId', subjectIn: 'object' }",
      "{ path: ['rooms', null, null, 'name'], subject: 'guestId', subjectIn: 'object' }",
    ].join(', ')}] }`,
  );
  assert.match(text, /redaction\(Pinged, redactPinged\)/);
});

test('the AsyncAPI document says that a message holds a text in place of the value', async () => {
  const event = `id!: string; @Sensitive({ subject: 'id' }) age!: Int;`;
  const document = JSON.parse(await generated(sources(event), 'asyncapi.json')) as {
    readonly components: { readonly schemas: Readonly<Record<string, { readonly properties: object }>> };
  };
  const description = 'Encrypted with the key of its subject.';
  assert.equal(document.components.schemas['Pinged']?.properties, {
    id: { type: 'string' },
    age: { type: ['string', 'null'], description },
  });
});

test('a registry without subjects has no list of them', async () => {
  assert.not.match(await registryOf(sources('@Sensitive() email!: string;')), /sealed/);
});

const commandWith = (subject: string): string =>
  good
    .replace('id!: Uuid;', `id!: Uuid; @Sensitive({ subject: '${subject}' }) email!: string;`)
    .replace('Command,', 'Command, Sensitive,');

test('the registry lists the fields of commands, which timers store', async () => {
  assert.match(
    await registryOf(commandWith('id')),
    /{ type: Ping, fields: \[{ path: \['email'\], subject: 'id', subjectIn: 'object' }\] }/,
  );
});

mistake(
  'a subject that is no field of its command',
  'SVC1045',
  commandWith('other'),
  /the subject of Ping\.email is 'other', which is no field of Ping; name a string or Uuid/,
);

mistake(
  'a subject that is no field',
  'SVC1045',
  sources(`@Sensitive({ subject: 'customerId' }) email!: string;`),
  /the subject of Pinged\.email is 'customerId', which is no field of Pinged; name a string or Uuid/,
);
mistake(
  'a subject that is neither beside the field nor at the top of the event',
  'SVC1045',
  sources('contact!: Contact;', contact),
  /the subject of Pinged\.contact\.phone is 'customerId', which is no field of Contact or Pinged/,
);
for (const field of ['customerId!: Int;', 'customerId?: string;', 'customerId!: string | null;'])
  mistake(
    `a subject that may not be a text: ${field}`,
    'SVC1045',
    sources(`${field} @Sensitive({ subject: 'customerId' }) email!: string;`),
    /is 'customerId', which must be a required field of type string or Uuid/,
  );
mistake(
  'a subject that is encrypted itself',
  'SVC1045',
  sources(
    `id!: Uuid; @Sensitive({ subject: 'id' }) name!: string; @Sensitive({ subject: 'name' }) email!: string;`,
  ),
  /is 'name', which has a subject itself/,
);
mistake(
  'a subject in a variant of a union',
  'SVC1045',
  sources(
    'id!: Uuid; paid!: Card | Cash;',
    `export class Card { kind!: 'card'; cardId!: string; @Sensitive({ subject: 'cardId' }) number!: string }
    export class Cash { kind!: 'cash' }`,
  ),
  /Pinged\.paid has a subject in a variant of a union/,
);
mistake(
  'a subject in a type that contains itself',
  'SVC1045',
  sources(
    'tree!: Node;',
    `export class Node { id!: string; @Sensitive({ subject: 'id' }) name!: string; below!: Node[] }`,
  ),
  /Pinged\.tree\.below\.\[\] has a subject in Node, which contains itself/,
);
mistake(
  'a subject that is not a literal',
  'SVC1045',
  sources(`id!: Uuid; @Sensitive({ subject: field }) email!: string;`, `const field = 'id' as string;`),
  /write the subject as a literal/,
);
mistake(
  'a result with a subject',
  'SVC1045',
  sources('id!: Uuid; guest!: Guest;', guest)
    .replaceAll('<Ping, void>', '<Ping, Guest>')
    .replace('handle(): void {}', 'handle(): Guest { return new Guest(); }'),
  /the result of Ping holds Guest, which has a field with a subject/,
);
