import * as assert from 'uvu/assert';
import { Problem } from '../../contracts/problems.js';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { bake, BreadBaked, order, withBakery } from '../testing/bakery.js';
import {
  openRaw,
  jsonOf,
  type RawConnection,
  post,
  problemIn,
  rawPost,
  refusalIn,
} from '../testing/http-client.js';
import { answerOf, throws, aborted, storedIn } from '../testing/bakery-answers.js';

const test = suite('hooks of a command route');

test('the hooks run around the commit: before, handler, after, then the answer', async () => {
  const diary: string[] = [];
  await withBakery(
    {
      before: () => void diary.push('before'),
      bake: (command, work) => {
        diary.push('handler');
        return bake(command, work);
      },
      after: () => void diary.push('after'),
    },
    async (bakery) => {
      await post(bakery.url, order);
      assert.equal(diary, ['before', 'handler', 'after']);
      assert.is((await storedIn(bakery)).length, 1);
    },
  );
});

test('an error of the before-hook is the answer: nothing is dispatched, and the error-hook is not called', async () => {
  const diary: string[] = [];
  const answer = await answerOf({
    before: throws(new Problem('access-denied')),
    bake: () => diary.push('handler'),
    recover: () => diary.push('recover'),
  });
  assert.is(refusalIn(answer), '403 access-denied');
  assert.equal(diary, []);
});

test('a request is mapped to its command', async () => {
  const answer = await answerOf({ bake: ({ customer }) => customer }, '/bun', { who: 'Grace' });
  assert.is(jsonOf(answer), 'Grace');
});

test('an error of the mapping is the answer', async () => {
  const answer = await answerOf({ map: throws(new Problem('no-such-bun', { status: 404 })) }, '/bun', {
    who: 'Grace',
  });
  assert.is(refusalIn(answer), '404 no-such-bun');
});

test('an after-hook that fails is answered 500 after-hook-failed, with the note that the command was carried out', () =>
  withBakery({ after: throws(new TypeError('secret')) }, async (bakery) => {
    const answer = await post(bakery.url, order);
    assert.is(refusalIn(answer), '500 after-hook-failed');
    assert.is(problemIn(answer).committed, true);
    assert.is((await storedIn(bakery)).length, 1);
  }));

test('a problem of the after-hook does not hide that the command was carried out', async () => {
  const answer = await answerOf({ after: throws(new Problem('no-stamps', { status: 409 })) });
  assert.is(refusalIn(answer), '500 after-hook-failed');
  const { committed, cause } = problemIn(answer);
  assert.equal([committed, cause], [true, 'no-stamps']);
});

test("the error-hook's result is answered 200, and nothing of the failed unit is stored", () =>
  withBakery(
    {
      bake: (_command, work) => {
        work.append(newUuid(), BreadBaked.of({ customer: 'Ada', loaves: 1 }));
        throw new RangeError('oven');
      },
      recover: (_command, error) => (error instanceof RangeError ? { baked: 0 } : null),
    },
    async (bakery) => {
      const answer = await post(bakery.url, order);
      assert.is(answer.status, 200);
      assert.equal(jsonOf(answer), { baked: 0 });
      assert.equal(await storedIn(bakery), []);
    },
  ));

test('an error of the error-hook is the answer', async () => {
  const answer = await answerOf({
    bake: throws(new RangeError('oven')),
    recover: throws(new Problem('closed-for-today', { status: 409 })),
  });
  assert.is(refusalIn(answer), '409 closed-for-today');
});

test('the after-hook runs even if the client disconnected after the commit', async () => {
  const lines: RawConnection[] = [];
  let resolveAborted: (aborted: boolean) => void;
  const afterRan = new Promise<boolean>((resolve) => {
    resolveAborted = resolve;
  });
  await withBakery(
    {
      bake: (command, work) => {
        work.defer(() => lines[0]?.close());
        return bake(command, work);
      },
      after: async (_command, _result, { cancellationToken }) => {
        await aborted(cancellationToken);
        resolveAborted(cancellationToken.aborted);
      },
    },
    async (bakery) => {
      const line = await openRaw(bakery.url);
      lines.push(line);
      line.write(rawPost('/bread', JSON.stringify(order)));
      assert.is(await afterRan, true);
      assert.is((await storedIn(bakery)).length, 1);
    },
  );
});
