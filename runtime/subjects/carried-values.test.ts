import * as assert from 'uvu/assert';
import { Command, Event } from '../../contracts/message.js';
import type { Problem } from '../../contracts/problems.js';
import type { SealedField } from '../../contracts/sealing.js';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { InMemorySubjectKeys } from '../kit/in-memory-subject-keys.js';
import { thrownBy } from '../testing/thrown-by.js';
import { SubjectSealing } from './subject-sealing.js';

const test = suite('sealed values that are handed on');

class Registered extends Event {}
class Remind extends Command {
  declare customerId: string;
  declare email: unknown;
}
const fields: readonly SealedField[] = [{ path: ['email'], subject: 'customerId', subjectIn: 'object' }];
const ada = { customerId: 'c-1', email: 'ada@lovelace.example' };

function setUp() {
  const keys = new InMemorySubjectKeys();
  const sealed = [Registered, Remind].map((type) => ({ type, fields }));
  const sealing = new SubjectSealing(sealed, keys);
  const store = async (payload: object) => {
    const envelope = {
      messageId: newUuid(),
      messageType: 'Registered',
      payload,
      timestamp: '2026-03-01T09:30:00Z',
      v: 1,
    };
    const event = { streamId: newUuid(), envelope };
    const stored = (await sealing.seal([event])).get(event);
    return { ...envelope, payload: stored?.payload, sealed: stored?.fields ?? [] };
  };
  const carried = async (payload: object = ada) =>
    sealing.carry({ event: await store(payload) }) as { readonly email: string };
  const opened = async (email: unknown, customerId = 'c-1') =>
    (await sealing.openCommand(Remind.of({ customerId, email }))).email;
  return { keys, sealing, store, carried, opened };
}

test('a value that a reaction hands on in a command is opened for its receptor', async () => {
  const { carried, opened } = setUp();
  const { email } = await carried();
  assert.match(email, /^svc:sealed:1:/);
  assert.not.match(email, /ada/);
  assert.is(await opened(email), ada.email);
});

test('the command that was sent stays as it is, and the opened one is of its class', async () => {
  const { sealing, carried } = setUp();
  const { email } = await carried();
  const sent = Remind.of({ customerId: 'c-1', email });
  const opened = await sealing.openCommand(sent);
  assert.instance(opened, Remind);
  assert.equal([opened.email, sent.email], [ada.email, email]);
});

test('a forgotten value is null', async () => {
  const { keys, carried, opened } = setUp();
  const { email } = await carried();
  keys.forget('c-1');
  assert.is(await opened(email), null);
});

test('a value of one subject cannot be opened in the name of another', async () => {
  const { carried, opened } = setUp();
  const { email } = await carried();
  const refused = await thrownBy(() => opened(email, 'c-2'));
  assert.is(refused.code, 'sealed-value-refused');
  assert.match(refused.message, /Remind contains a sealed value of a subject other than/);
});

test('a value whose text or place was changed is refused', async () => {
  const { carried, opened } = setUp();
  const { email } = await carried();
  const [text = '', place = ''] = email.split('@');
  for (const changed of [`${text.slice(0, -8)}AAAAAAA=@${place}`, `${text}@${newUuid()}/email`, `${email}s`])
    assert.is((await thrownBy(() => opened(changed))).code, 'sealed-value-refused');
});

test('a text that names no place is a text', async () => {
  const { carried, opened } = setUp();
  const [text = ''] = (await carried()).email.split('@');
  for (const value of [text, `${text}@`, `${text}@nobody/email`, 'ada@lovelace.example', null, 7])
    assert.is(await opened(value), value);
});

test('values of another store are null, and a plain value in place of a sealed one is refused', async () => {
  const { sealing, store } = setUp();
  const event = await store(ada);
  assert.equal(sealing.carry({ event, isForeign: true }), { ...ada, email: null });
  const payload = { ...ada, email: 'eve@example.org' };
  const refused = await thrownBy(async () => sealing.carry({ event: { ...event, payload } }));
  assert.is(refused.code, 'sealed-value-refused');
  assert.equal(sealing.carry({ event: { ...event, payload, sealed: [] } }), payload);
});

test('a timer stores the values of its command encrypted, and what was handed on as it is', async () => {
  const { sealing, carried, opened } = setUp();
  const sealed = (await sealing.sealCommand('Remind', ada, newUuid())) as typeof ada;
  assert.match(sealed.email, /^svc:sealed:1:/);
  assert.is(await opened(sealed.email), ada.email);
  assert.equal(await sealing.sealCommand('Remind', sealed, newUuid()), sealed);
  const handedOn = { ...ada, email: (await carried()).email };
  assert.equal(await sealing.sealCommand('Remind', handedOn, newUuid()), handedOn);
  assert.equal(await sealing.sealCommand('Remind', { email: null }, newUuid()), { email: null });
  const refused: Problem = await thrownBy(() => sealing.sealCommand('Remind', { email: 'a' }, newUuid()));
  assert.match(refused.message, /Remind\/email has no key: customerId must be the id of its subject/);
});

test('a text that only looks like a sealed value is encrypted by a timer, and comes back as it was', async () => {
  const { keys, sealing, carried, opened } = setUp();
  const [text = ''] = (await carried()).email.split('@');
  const invented = `svc:sealed:1:${newUuid()}:AAAA@${newUuid()}/email`;
  for (const email of [invented, `${text}@${newUuid()}/email`]) {
    const sealed = (await sealing.sealCommand('Remind', { ...ada, email }, newUuid())) as typeof ada;
    assert.is.not(sealed.email, email);
    assert.is(await opened(sealed.email), email);
  }
  keys.forget('c-1');
  const forgotten = (await sealing.sealCommand(
    'Remind',
    { ...ada, email: invented },
    newUuid(),
  )) as typeof ada;
  assert.is(forgotten.email, null);
});
