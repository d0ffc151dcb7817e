import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { diagnose, good } from './testing/diagnose.js';

const test = suite('generator diagnostics of origins');

const shipped = `import { Event } from 'svc-runtime';
export class ParcelShipped extends Event {}
`;
const placed = `export class OrderPlaced extends Event {}`;

const imports = `import { Event, type Perspective, type Process, processSetup, type Reaction, shape } from 'svc-runtime';
import { EventAudited } from 'svc-runtime/system-events';
import { ParcelShipped } from '../elsewhere/events.js';
${placed}`;

const perspective = (events: string, more = '') => `
export class Parcels implements Perspective<{ count: number }> {
  readonly name = 'parcels';
  readonly events = [${events}];
  ${more}
  initial() { return { count: 0 }; }
  apply(row: { count: number }) { return row; }
}`;

const reaction = `
export class Thank implements Reaction {
  readonly name = 'thank';
  readonly events = [ParcelShipped];
  react(): void {}
}`;

const process = (more = '') => `
const machine = processSetup({ events: { OrderPlaced, ParcelShipped }, commands: {}, context: shape<{ n: number }>() })
  .createMachine({ initial: 'open', context: { n: 0 }, states: { open: {} } });
export class Delivery implements Process<typeof machine> {
  readonly name = 'delivery';
  readonly version = 1;
  readonly machine = machine;
  readonly starts = [OrderPlaced];
  ${more}
  key({ streamId }: { streamId: string }) { return streamId; }
}`;

/** The mistakes of a service beside the folder that declares another one's events. */
const of = (...classes: readonly string[]): Promise<readonly string[]> =>
  diagnose(
    { 'service/a.ts': [good, imports, ...classes].join('\n'), 'elsewhere/events.ts': shipped },
    {},
    'service',
  );

for (const [what, source, line] of [
  ['perspective that folds both', perspective('OrderPlaced, ParcelShipped'), 'all'],
  ['perspective that folds only those', perspective('ParcelShipped'), 'others'],
  ['reaction', reaction, 'others'],
  ['process', process(), 'all'],
] as const)
  test(`SVC1053: a ${what} of events declared outside the service must say whose it takes`, async () => {
    const [mistake = '', ...others] = await of(source);
    assert.equal(others, []);
    assert.match(mistake, /^a\.ts\(\d+,\d+\): error SVC1053: ParcelShipped is declared outside this service/);
    assert.match(mistake, `readonly origin = '${line}'`);
  });

test('with any origin, and for its own and for system events, nothing is asked', async () => {
  const answers = ['own', 'others', 'all'].map((origin) =>
    perspective('ParcelShipped', `readonly origin = '${origin}';`)
      .replace('class Parcels', `class Parcels${origin}`)
      .replace("'parcels'", `'parcels-${origin}'`),
  );
  assert.equal(await of(...answers, process("readonly origin = 'all';")), []);
  assert.equal(await of(perspective('OrderPlaced, EventAudited'), `void ParcelShipped;`), []);
});
