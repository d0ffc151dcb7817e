import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { svcInProcess as svc } from '../testing/in-process-cli.js';

const test = suite('verbs for reactions, processes, timers and reservations');

const reason = ['--reason', 'r'];
const nowhere = { DATABASE_URL: 'postgres://127.0.0.1:1/none' };

const refused: readonly (readonly [args: readonly string[], answer: string])[] = [
  [['reactions'], 'Give one action: list, parked, release, skip, adopt'],
  [['reactions', 'bake'], 'Give one action: list, parked, release, skip, adopt'],
  [['reactions', 'toString'], 'Give one action: list, parked, release, skip, adopt'],
  [['reactions', 'release'], 'Give it as svc reactions release NAME [KEY]'],
  [['reactions', 'release', 'a', 'b', 'c', ...reason], 'Give it as svc reactions release NAME [KEY]'],
  [['reactions', 'release', '', ...reason], 'Each argument is a text of 1 to 2000 characters'],
  [['reactions', 'release', 'n'.repeat(2_001), ...reason], 'Each argument is a text of 1 to 2000 characters'],
  [['reactions', 'list', '--force'], '--force is not an option of list'],
  [['reactions', 'parked', '--limit', '0'], "--limit must be a whole number from 1 to 10000, not '0'"],
  [
    ['reactions', 'parked', '--limit', '10001'],
    "--limit must be a whole number from 1 to 10000, not '10001'",
  ],
  [['processes', 'show', 'order-fulfilment'], 'Give it as svc processes show NAME KEY'],
  [['processes', 'list', '--due-before', 'x'], "Unknown option '--due-before'"],
  [['processes', 'show', 'a', 'b', '--state', 'paid'], '--state is not an option of show'],
  [['timers', 'cancel', ...reason], 'Give it as svc timers cancel ID'],
  [['timers', 'list', ...reason], '--reason is not an option of list'],
  [['reservations', 'release', 'email', ...reason], 'Give it as svc reservations release NAME VALUE'],
  [['reservations', 'list', '--tenant', 'acme'], '--tenant is not an option of list'],
];

for (const [args, answer] of refused)
  test(`\`svc ${args.join(' ').slice(0, 60)}\` is refused on one line, before any connection`, async () => {
    const { code, stdout, stderr } = await svc(args, nowhere);
    assert.equal([code, stdout], [1, '']);
    assert.is(stderr, `svc: ${answer}; see svc ${args[0] ?? ''} --help.\n`);
  });
