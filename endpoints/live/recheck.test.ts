import type { FastifyRequest } from 'fastify';
import * as assert from 'uvu/assert';
import { Problem } from '../../contracts/problems.js';
import { suite } from '../../contracts/testing/suite.js';
import { until } from '../../runtime/kit/until.js';
import { Recheck, type Rechecked } from './recheck.js';

const test = suite('check of open streams');

/** Checks streams with these credentials once; returns which were asked about and which ended. */
async function checked(
  credentials: readonly string[],
  check: (credential: string) => boolean,
): Promise<{ readonly asked: readonly string[]; readonly ended: readonly string[] }> {
  const asked: string[] = [];
  const ended: string[] = [];
  let isDone = false;
  const streams = credentials.map((credential): Rechecked => {
    const headers = { authorization: `Bearer ${credential}` };
    return {
      request: { headers } as FastifyRequest,
      check: () => {
        asked.push(credential);
        return check(credential);
      },
      end: () => ended.push(credential),
    };
  });
  const last: Rechecked = {
    request: { headers: {} } as FastifyRequest,
    check: () => (isDone = true),
    end: () => undefined,
  };
  new Recheck(() => [...streams, last]).now();
  await until(() => isDone);
  return { asked, ended };
}

test('streams whose callers may no longer watch end, the others stay', async () => {
  const { ended } = await checked(['ann', 'bob'], (credential) => credential === 'ann');
  assert.equal(ended, ['bob']);
});

test('a credential that failed ends all its streams and is tried once', async () => {
  const { asked, ended } = await checked(['old', 'ann', 'old', 'old'], (credential) => {
    if (credential === 'old') throw new Problem('unauthenticated');
    return true;
  });
  assert.equal(asked, ['old', 'ann']);
  assert.equal(ended, ['old', 'old', 'old']);
});

test('what cannot be checked at the moment stays open', async () => {
  const { ended } = await checked(['ann'], () => {
    throw new Problem('keys-unavailable');
  });
  assert.equal(ended, []);
});
