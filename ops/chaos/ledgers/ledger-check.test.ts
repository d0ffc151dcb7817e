import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import { checkLedgers, type LedgerEvent, type LedgerFindings, promised } from './ledger-check.js';

const test = suite('the ledgers of a chaos run');

const event = (type: string, key: string, more: Partial<LedgerEvent> = {}): LedgerEvent => ({
  type,
  key,
  audits: 1,
  ...more,
});
const counted = (n: number) => event('Counted', 'a', { n });
const noted = (n: number) => event('Noted', 'a', { n });
const taken = (owner: string) => event('Taken', 's', { owner });

const none: LedgerFindings = {
  lost: 0,
  doubled: 0,
  unaudited: 0,
  outOfOrder: 0,
  phantom: 0,
  left: 0,
  mismatched: 0,
  twoOwners: 0,
};

const commandOf: Readonly<Record<string, string>> = {
  Noted: 'Note',
  Rang: 'Ring',
  Delivered: 'Deliver',
  Expired: 'Expire',
};

interface More {
  readonly acknowledged?: readonly string[];
  readonly processes?: Readonly<Record<string, string>>;
  readonly owners?: readonly string[];
  readonly timersLeft?: number;
  readonly asideKeys?: number;
  readonly commandAudits?: ReadonlyMap<string, number>;
}

function check(events: readonly LedgerEvent[], more: More = {}): Partial<LedgerFindings> {
  const { acknowledged = [], processes = {}, owners = [], timersLeft = 0, asideKeys = 0 } = more;
  const commandAudits = new Map<string, number>();
  for (const { type } of events) {
    const command = commandOf[type];
    if (command !== undefined) commandAudits.set(command, (commandAudits.get(command) ?? 0) + 1);
  }
  const found = checkLedgers(acknowledged, {
    events,
    timersLeft,
    asideKeys,
    owners,
    commandAudits: more.commandAudits ?? commandAudits,
    processes: new Map(Object.entries(processes)),
  });
  return Object.fromEntries(
    Object.entries(found).filter(([name, count]) => count !== none[name as keyof LedgerFindings]),
  );
}

test('nothing is found when every effect happened once, in order', () => {
  const events = [
    ...[counted(0), counted(1), noted(0), noted(1)],
    ...[event('ReminderSet', 'r'), event('Rang', 'r'), event('ReminderCancelled', 'r')],
    ...[event('Ordered', 'o'), event('Paid', 'o'), event('Delivered', 'o')],
    ...[taken('x'), event('Left', 's', { owner: 'x' }), taken('y')],
  ];
  const acknowledged = [promised('Counted', 'a', 1), promised('Taken', 's', 'x')];
  assert.equal(check(events, { acknowledged, processes: { o: 'paid' }, owners: ['y'] }), {});
});

test('an acknowledged command without its event, and a cause without its effect, are lost', () => {
  assert.equal(check([], { acknowledged: [promised('Ordered', 'o')] }), { lost: 1 });
  assert.equal(check([counted(0), counted(1), noted(1)]), { lost: 1 });
  assert.equal(check([event('ReminderSet', 'r')]), { lost: 1 });
  assert.equal(check([event('Ordered', 'o')], { processes: { o: 'running' } }), { lost: 1 });
});

test('an effect that happened twice is doubled', () => {
  assert.equal(check([counted(0), noted(0), noted(0)]), { doubled: 1 });
  assert.equal(check([event('ReminderSet', 'r'), event('Rang', 'r'), event('Rang', 'r')]), { doubled: 1 });
  const both = [event('Ordered', 'o'), event('Delivered', 'o'), event('Expired', 'o')];
  assert.equal(check(both, { processes: { o: 'paid' } }), { doubled: 1 });
});

test('an effect before one of an earlier event of its key is out of order', () => {
  assert.equal(check([counted(0), counted(1), noted(1), noted(0)]), { outOfOrder: 1 });
});

test('an effect without exactly one audit of it and of its command is unaudited', () => {
  assert.equal(check([counted(0), { ...noted(0), audits: 0 }]), { unaudited: 1 });
  assert.equal(check([counted(0), { ...noted(0), audits: 2 }]), { unaudited: 1 });
  assert.equal(check([counted(0), noted(0)], { commandAudits: new Map() }), { unaudited: 1 });
});

test('a timer that fires after it was cancelled, and a note of nothing, are phantoms', () => {
  const late = [event('ReminderSet', 'r'), event('ReminderCancelled', 'r'), event('Rang', 'r')];
  assert.equal(check(late), { phantom: 1 });
  assert.equal(check([noted(3)]), { phantom: 1 });
});

test('timers and keys that are still there are left', () => {
  assert.equal(check([], { timersLeft: 2, asideKeys: 1 }), { left: 3 });
});

test('a process whose state is not that of its effect is mismatched', () => {
  const delivered = [event('Ordered', 'o'), event('Delivered', 'o')];
  assert.equal(check(delivered, { processes: { o: 'expired' } }), { mismatched: 1 });
  assert.equal(check(delivered), { mismatched: 1 });
});

test('a seat that is taken twice, or by another than the store says, has two owners', () => {
  assert.equal(check([taken('x'), taken('y')], { owners: ['y'] }), { twoOwners: 1 });
  assert.equal(check([taken('x')], { owners: ['y'] }), { twoOwners: 2 });
  assert.equal(check([taken('x')]), { twoOwners: 1 });
});
