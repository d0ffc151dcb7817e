import * as assert from 'uvu/assert';
import { Event } from '../../contracts/message.js';
import { suite } from '../../contracts/testing/suite.js';
import { log } from '../../runtime/logging/log.js';
import { addUpcasters } from '../../runtime/service/add-upcasters.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { readConfig } from '../config/config.js';
import { startHost } from './host.js';

const test = suite('upcasters of a host');

class LoafBaked extends Event {
  static readonly version = 3;
}

const upcaster = (from: number) => ({ type: LoafBaked, from, up: (payload: unknown) => payload });

/** The warnings of a host during its start. */
async function warnedWith(url: string, ...versions: readonly number[]): Promise<readonly unknown[]> {
  const warned: unknown[] = [];
  const before = log.warn;
  log.warn = (...[, text]: readonly unknown[]) => void warned.push(text);
  try {
    const host = await startHost(
      {
        name: 'bakery',
        create: () => ({ endpoints: [], receptors: [], events: [LoafBaked] }),
        configure: (service) => void service.with(addUpcasters(versions.map(upcaster))),
      },
      readConfig({ SVC_PORT: '0', DATABASE_URL: url }),
    );
    await host.stop();
  } finally {
    log.warn = before;
  }
  return warned.filter((text) => String(text).includes('upcaster'));
}

test('a start warns on one line about versions without an upcaster, before such an event is read', () =>
  withStore(async (url) => {
    assert.equal(await warnedWith(url, 2), [
      'events stored in an earlier version cannot be read; register addUpcasters: LoafBaked has version 3 and no upcaster from 1',
    ]);
    assert.equal(await warnedWith(url, 1, 2), []);
  }));
