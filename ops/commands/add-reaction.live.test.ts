import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { build, withNewService } from '../testing/new-service.js';
import { svcAdd, refusal } from '../testing/adding.js';

const test = suite('svc add');

test('a reaction, a process, a decider and an effect that were added generate and compile', () =>
  withNewService(async (dir) => {
    for (const args of [
      ['event', 'BookReturned'],
      ['reaction', 'NotifyReader', 'BookReturned'],
      ['reaction', 'WatchAll'],
      ['process', 'LoanReminder', 'BookBorrowed', 'BookReturned'],
      ['decider', 'Shelf'],
      ['effect', 'SendSms', 'bookId:Uuid', 'text?'],
    ]) {
      assert.is((await svcAdd(dir, ...args)).status, 0, args.join(' '));
    }
    await build(dir);
    const registry = await readFile(join(dir, 'src/generated/registry.ts'), 'utf8');
    for (const line of [
      'new NotifyReader(),',
      'new WatchAll(),',
      'new LoanReminder(),',
      '{ decider: new Shelf() },',
      'new SendSmsEffect()',
    ])
      assert.match(registry, line);
    assert.match(await refusal(dir, 'decider', 'Shelf'), 'There is a Shelf already');
    assert.match(await refusal(dir, 'effect', 'SendSms'), 'There is a SendSms already');
    assert.is(await refusal(dir, 'decider', 'Rack', 'BookReturned'), 'A decider takes its name alone');
  }));
