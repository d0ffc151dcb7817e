import * as assert from 'uvu/assert';
import { Command, Event } from '../../contracts/message.js';
import { later, unschedule } from '../../contracts/reaction.js';
import type { Receptor } from '../../contracts/receptor.js';
import type { Uuid } from '../../contracts/scalars.js';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { given } from './given-when-then.js';

class EmailChanged extends Event {
  declare email: string;
}
class ChangeEmail extends Command {
  declare customerId: Uuid;
  declare email: string;
  declare old: string;
}
class RemindCustomer extends Command {
  declare customerId: Uuid;
}

const receptor: Receptor<ChangeEmail, void> = {
  handle: ({ customerId, email, old }, work) => {
    work.reserve('email', email, { owner: customerId });
    work.release('email', old, { owner: customerId });
    work.append(customerId, EmailChanged.of({ email }));
    work.unschedule('welcome');
    work.schedule(RemindCustomer.of({ customerId }), { in: 'P3D', name: 'confirm', key: customerId });
  },
};

const test = suite('given a receptor that sets timers and takes names');

const customerId = newUuid();
const change = ChangeEmail.of({ customerId, email: 'ada@example.com', old: 'ada@example.org' });
const reminder = later(RemindCustomer.of({ customerId }), { in: 'P3D', name: 'confirm', key: customerId });

test('timers that it sets and cancels are compared with what is expected', async () => {
  await given(receptor).when(change).thenSchedules(unschedule('welcome'), reminder);
  for (const wrong of [[], [reminder], [unschedule('welcome'), later(reminder.command, { in: 'P3D' })]])
    assert.is(
      await failureOf(
        given(receptor)
          .when(change)
          .thenSchedules(...wrong),
      ),
      'AssertionError',
    );
});

test('what it sends is compared as the command itself, or with its time', async () => {
  const sending: Receptor<ChangeEmail, void> = {
    handle: (asked, work) => {
      work.send(RemindCustomer.of({ customerId: asked.customerId }));
      work.send(RemindCustomer.of({ customerId: asked.customerId }), { in: 'P1D' });
    },
  };
  const { command } = reminder;
  const when = given(sending).when(change);
  await when.thenSchedules(command, later(command, { in: 'P1D' }));
  assert.is(await failureOf(when.thenSchedules(command, command)), 'AssertionError');
});

test('a name that another owner has is refused, whatever the tenant, and one of the same owner is not', async () => {
  const taken = given(receptor).withReserved('email', 'ada@example.com');
  await taken.when(change).thenRefuses('already-reserved');
  await taken.when(change, { scope: { tenantId: 'acme' } }).thenRefuses('already-reserved');
  const own = given(receptor).withReserved('email', 'ada@example.com', { owner: customerId });
  await own.when(change).then([customerId, EmailChanged.of({ email: 'ada@example.com' })]);
  await given(receptor)
    .withReserved('phone', 'ada@example.com')
    .when(change)
    .then(EmailChanged.of({ email: 'ada@example.com' }));
});

test('the outcome has the names that were taken and given back', async () => {
  const { reserved, released } = await given(receptor).when(change).outcome();
  assert.equal(reserved, [{ name: 'email', value: 'ada@example.com', owner: customerId }]);
  assert.equal(released, [{ name: 'email', value: 'ada@example.org', owner: customerId }]);
});

const failureOf = (tested: Promise<void>): Promise<string> =>
  tested.then(
    () => 'none',
    (error: Error) => error.name,
  );
