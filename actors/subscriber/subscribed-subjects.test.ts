import * as assert from 'uvu/assert';
import { CommandAudited } from '../../contracts/events/audited.js';
import { SystemEventOptions } from '../../contracts/system-event-options.js';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { SystemEventTransportFilter } from '../../runtime/transport/system-event-filter.js';
import { subjectsFor } from './start-subscriber.js';

const test = suite('subscribed subjects');

const loud = new SystemEventTransportFilter(new SystemEventOptions().broadcast());

test('a host that does not broadcast subscribes to no system messages', () => {
  const quiet = new SystemEventTransportFilter(new SystemEventOptions());
  const store = newUuid();
  const [events, ...none] = subjectsFor({ store, types: ['Baked'], receive: 'system' }, quiet);
  assert.equal([events?.subjects, none], [['svc.events.Baked'], []]);
  assert.equal(subjectsFor({ store, types: [], receive: 'system' }, quiet), []);
});

test('a host subscribes to the named domain events; only the monitor subscribes to system messages', () => {
  const store = newUuid();
  const [events, ...none] = subjectsFor({ store, types: ['Sold', 'Baked', 'Sold', CommandAudited] }, loud);
  assert.equal([events?.subjects, none], [['svc.events.Baked', 'svc.events.Sold'], []]);
  assert.equal(subjectsFor({ store, types: [CommandAudited] }, loud), []);
  const [system] = subjectsFor({ store, types: [], receive: 'system' }, loud);
  assert.equal(system?.subjects, ['svc.system.>', 'svc.core.auditevents']);
  for (const subject of [events, system]) assert.ok(subject?.name.includes(store));
});

test('another set of types is another subscription, so that skipped messages are delivered again', () => {
  const store = newUuid();
  const nameOf = (...types: string[]) => subjectsFor({ store, types }, loud)[0]?.name;
  assert.is(nameOf('Baked', 'Sold'), nameOf('Sold', 'Baked'));
  assert.is.not(nameOf('Baked'), nameOf('Baked', 'Sold'));
});
