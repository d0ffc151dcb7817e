import * as assert from 'uvu/assert';
import { Command } from '../../contracts/message.js';
import type { TimerOptions } from '../../contracts/reaction.js';
import type { Uuid } from '../../contracts/scalars.js';
import { suite } from '../../contracts/testing/suite.js';
import { commandTimer, commandTimerId, type TimerCause } from './command-timer.js';

class RemindCustomer extends Command {
  orderId!: Uuid;
  note?: unknown;
}

const test = suite('Timers of commands');

const cause: TimerCause = { causationId: 'c', correlationId: 'r', scope: { tenantId: 'north' } };
const remind = RemindCustomer.of({ orderId: 'o-1' });

test('a timer holds the command and what caused it', () => {
  const timer = commandTimer(remind, { in: 'P3D', name: 'reminder', key: 'o-1', expires: 'PT1H' }, cause);
  assert.equal(timer, {
    id: commandTimerId('reminder', 'o-1', cause.scope),
    kind: 'command',
    name: 'reminder',
    key: 'o-1',
    due: { inMs: 259_200_000 },
    again: 'replace',
    expiresMs: 3_600_000,
    data: { type: 'RemindCustomer', body: { orderId: 'o-1' } },
    context: { causationId: 'c', correlationId: 'r', scope: { tenantId: 'north' } },
  });
});

test('timers without a name are all different', () => {
  const ids = [1, 2].map(() => commandTimer(remind, { in: 'PT1S' }, cause).id);
  assert.is.not(ids[0], ids[1]);
});

test('two tenants have two timers of one name', () => {
  assert.is.not(
    commandTimerId('reminder', 'o-1', { tenantId: 'north' }),
    commandTimerId('reminder', 'o-1', { tenantId: 'south' }),
  );
});

test('a timer that cannot be set is refused on one line', () => {
  const refused = (options: unknown, message: RegExp, command: Command = remind) =>
    assert.throws(() => commandTimer(command, options as TimerOptions, cause), message);
  refused({}, /^RemindCustomer: give either 'in' or 'at'\.$/);
  refused({ in: 'PT1S', at: '2026-01-01T00:00:00Z' }, /give either/);
  refused({ in: 'soon' }, /^RemindCustomer: in 'soon' is not a duration such as PT15M or P3D\.$/);
  refused({ at: 'tomorrow' }, /^RemindCustomer: at 'tomorrow' is not a timestamp such as/);
  refused({ at: '9999-01-01T00:00:00Z' }, /more than ten years ahead/);
  refused(
    { in: 'PT1S', again: 'nonsense' },
    /^RemindCustomer: again 'nonsense' must be 'replace' or 'keep'\.$/,
  );
  refused({ in: 'PT1S', key: 'k' }, /a key needs a name/);
  refused({ in: 'PT1S', name: '' }, /The name of a timer must be a text of 1 to 64 characters/);
  refused({ in: 'PT1S', name: 'x'.repeat(65) }, /1 to 64 characters/);
  refused({ in: 'PT1S', name: 'n', key: '\u0000' }, /The key of a timer/);
  const withNote = (note: unknown) => RemindCustomer.of({ orderId: 'o', note });
  refused({ in: 'PT1S' }, /larger than 64 KiB/, withNote('x'.repeat(65_536)));
  refused({ in: 'PT1S' }, /cannot be expressed as JSON/, withNote(1n));
  refused({ in: 'PT1S' }, /U\+0000/, withNote('\u0000'));
});
