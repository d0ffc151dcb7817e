import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { durationOf, until } from '../../runtime/kit/until.js';
import { order, withBakery } from '../testing/bakery.js';
import { type Answered, openRaw, type RawConnection, post, refusalIn } from '../testing/http-client.js';

const test = suite('http failures');

const head = 'POST /bread HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n';

test('300 slow clients do not keep another from being served, and are disconnected within 10 seconds', () =>
  withBakery({}, async ({ url }) => {
    const answers = Promise.all(
      Array.from({ length: 300 }, async (_, n) => (await slowLine(url, n % 3)).closed),
    );
    const took = durationOf(answers);
    // On a busy machine one of so many may be refused: it retries.
    for (let n = 0; n < 20; n++) await until(async () => mustBeServed(await post(url, order)));
    assert.ok((await took) < 10_000);
    assert.ok((await answers).every((answer) => answer.startsWith('HTTP/1.1 408 ')));
  }));

function mustBeServed(answer: Answered): boolean {
  if (answer.status !== 200) assert.is(refusalIn(answer), '503 overloaded');
  return answer.status === 200;
}

async function slowLine(url: string, kind: number): Promise<RawConnection> {
  const line = await openRaw(url);
  if (kind > 0) line.write(kind === 1 ? 'POST /br' : head);
  return line;
}
