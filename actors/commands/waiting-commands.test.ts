import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { weightOfTenants } from '../../runtime/lang/tenant-weights.js';
import type { QueuedCommand } from './waiting-commands.js';
import { longestTenants, WaitingCommands } from './waiting-commands.js';

const test = suite('waiting commands');

let made = 0;
const commandOf = (tenant?: string): QueuedCommand =>
  ({ tenant, messageId: String(++made) }) as unknown as QueuedCommand;

function waitingOf(...tenants: readonly (string | undefined)[]): WaitingCommands {
  const waiting = new WaitingCommands();
  for (const tenant of tenants) waiting.add(commandOf(tenant));
  return waiting;
}

/** Takes so many, one slot after the other; the tenants of those that start. */
function started(waiting: WaitingCommands, count: number): string {
  const tenants: string[] = [];
  for (let n = 0; n < count; n++)
    for (const command of waiting.inTurn()) {
      waiting.take(command);
      tenants.push(command.tenant ?? '-');
      break;
    }
  return tenants.join(' ');
}

const many = (tenant: string, count: number): readonly string[] =>
  Array.from({ length: count }, () => tenant);

test('tenants take turns, and those without a tenant are one of them', () => {
  const waiting = waitingOf('a', 'a', 'a', 'a', 'b', 'b', undefined);
  assert.is(started(waiting, 7), 'a b - a b a a');
  assert.is(waiting.size, 0);
});

test('a tenant with a weight has as many turns for one of another', () => {
  const waiting = new WaitingCommands(weightOfTenants(new Map([['a', 3]])));
  for (const tenant of [...many('a', 7), ...many('b', 3)]) waiting.add(commandOf(tenant));
  assert.is(started(waiting, 10), 'a a a b a a a b a b');
});

test('turns are the same when several start at once, and one that cannot start costs no turn', () => {
  const waiting = waitingOf('a', 'a', 'a', 'b', 'b');
  const [held] = waiting.inTurn();
  const tenants: string[] = [];
  for (const command of waiting.inTurn()) {
    if (command === held) continue;
    waiting.take(command);
    tenants.push(command.tenant ?? '');
  }
  assert.is(tenants.join(' '), 'a b a b');
  assert.equal(waiting.byTenant, [{ tenant: 'a', waiting: 1 }]);
});

test('beside 10,000 of one tenant, each of the others starts after at most one round', () => {
  const waiting = waitingOf(...many('big', 10_000));
  started(waiting, 5);
  for (let n = 0; n < 20; n++) waiting.add(commandOf(`t${n}`));
  const starts = started(waiting, 22);
  for (let n = 0; n < 20; n++) assert.ok(starts.split(' ').includes(`t${n}`), starts);
});

test('who has the most waiting for its weight makes room for a command of another', () => {
  const waiting = new WaitingCommands(weightOfTenants(new Map([['heavy', 10]])));
  for (const tenant of [...many('heavy', 9), ...many('big', 3), 'small']) waiting.add(commandOf(tenant));
  assert.is(waiting.outnumbered('small')?.tenant, 'big');
  assert.is(waiting.outnumbered('new')?.tenant, 'big');
  assert.is(waiting.outnumbered('heavy')?.tenant, 'big');
  assert.is(waiting.outnumbered('big'), undefined, 'it has the most itself');
});

test('whatever comes, starts and is given up, nothing is lost and each tenant keeps its order', () => {
  const step = fc.oneof(
    fc.record({ do: fc.constant('add' as const), of: fc.constantFrom('a', 'b', 'c') }),
    fc.record({ do: fc.constant('start' as const), of: fc.constant('') }),
    fc.record({ do: fc.constant('give up' as const), of: fc.constantFrom('a', 'b', 'c') }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const waiting = new WaitingCommands();
      const model: QueuedCommand[] = [];
      const without = (command: QueuedCommand) => model.splice(model.indexOf(command), 1);
      for (const { do: what, of } of steps) {
        const first = (tenant: string | undefined) => model.find((one) => one.tenant === tenant);
        if (what === 'add') {
          const command = commandOf(of);
          model.push(command);
          waiting.add(command);
        } else if (what === 'start')
          for (const command of waiting.inTurn()) {
            assert.is(command, first(command.tenant));
            waiting.take(command);
            without(command);
            break;
          }
        else {
          const command = first(of);
          if (command === undefined) continue;
          waiting.delete(command);
          without(command);
        }
        assert.is(waiting.size, model.length);
      }
      assert.equal(new Set(waiting.inTurn()), new Set(model));
    }),
  );
});

test('the ten tenants with the most waiting are shown', () => {
  const tenants = Array.from({ length: 12 }, (_, n) => many(`t${n}`, n + 1)).flat();
  const longest = longestTenants([waitingOf(...tenants), waitingOf(undefined, 't11')]);
  assert.is(longest.length, 10);
  assert.equal(longest[0], { tenant: 't11', waiting: 13 });
});
