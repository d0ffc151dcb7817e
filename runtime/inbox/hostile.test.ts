import * as assert from 'uvu/assert';
import { SystemEventOptions } from '../../contracts/system-event-options.js';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { type HostileMessage, hostileMessages } from '../testing/hostile-messages.js';
import { SystemEventTransportFilter } from '../transport/system-event-filter.js';
import { errorTextOf } from '../dead-letters/error-fingerprint.js';
import { classifyMessage, type InboundFilter } from './classify-message.js';

const test = suite('hostile messages');

const wanted: InboundFilter = {
  store: newUuid(),
  types: new Set(['OrderCreated']),
  filter: new SystemEventTransportFilter(new SystemEventOptions().broadcast()),
};

/** Only the store can detect these. */
const forTheStore = ['in-the-future', 'out of range'];

function reasonAgainst({ subject, body, headers = '' }: HostileMessage): string {
  const lines = headers.split('\r\n').map((line) => line.split(': '));
  const header = (name: string): string | undefined => {
    const found = lines.find(([key]) => key === name);
    return found === undefined ? undefined : (found[1] ?? '');
  };
  const verdict = classifyMessage({ subject, body, header, delivery: 1, unanswered: 0 }, wanted);
  return verdict.is === 'dead' ? errorTextOf(verdict.problem) : verdict.is;
}

test('each is dead for the given reason, and all are classified quickly', () => {
  const messages = hostileMessages('OrderCreated').filter(({ why }) => !forTheStore.includes(why));
  assert.ok(messages.length > 250, `${messages.length}`);
  const started = process.cpuUsage();
  const otherwise = messages
    .map((message) => ({ ...message, reason: reasonAgainst(message) }))
    .filter(({ reason, why }) => !reason.includes(why));
  assert.equal(
    otherwise.map(({ name, reason }) => `${name}: ${reason.slice(0, 200)}`),
    [],
  );
  const { user, system } = process.cpuUsage(started);
  assert.ok(user + system < 5_000_000, `${(user + system) / 1e6} s`);
});
