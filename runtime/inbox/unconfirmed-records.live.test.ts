import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { at, forged, last, through, withSenders } from '../testing/unconfirmed-scene.js';

const test = suite('unconfirmed records');

test('a record counts once a signed head covers it', () =>
  withSenders(async (sender) => {
    const { records, receive, announce, state, verify } = await sender();
    await receive(...records);
    assert.equal(await state(), [[], '8', '0']);
    assert.is(await announce(5), 'kept');
    assert.equal(await state(), [through(1, 5), '3', '0']);
    await receive(at(records, 4), at(records, 7));
    assert.equal(await state(), [through(1, 5), '3', '0'], 'a duplicate changes nothing');
    await announce(8);
    assert.equal(await state(), [through(1, 8), '0', '0']);
    assert.equal([(await verify()).ok, (await verify()).missing], [true, 0]);
  }));

test('a forged next record is thrown away, and the real one counts', () =>
  withSenders(async (sender) => {
    const { records, receive, announce, state, verify } = await sender();
    await receive(...records.slice(0, 3));
    await announce(3);
    assert.equal(await receive(forged(records, 4)), ['stored']);
    assert.equal(
      await receive(...records.slice(3)),
      records.slice(3).map(() => 'stored'),
    );
    await announce(8);
    assert.equal(await state(), [through(1, 8), '0', '1']);
    assert.equal([(await verify()).ok, (await verify()).missing], [true, 0]);
  }));

test('a forged head record is thrown away even though no other came', () =>
  withSenders(async (sender) => {
    const { records, receive, announce, state } = await sender();
    await receive(...records.slice(0, 3), forged(records, 4));
    await announce(4);
    assert.equal(await state(), [[], '3', '1'], 'what is below waits for the missing record');
    await receive(at(records, 4));
    await announce(4);
    assert.equal(await state(), [through(1, 4), '0', '1']);
  }));

test('another content under the hash of a real record does not take its position', () =>
  withSenders(async (sender) => {
    const { records, receive, announce, state, verify } = await sender();
    const fake = forged(records, 4);
    await receive({ ...fake, hash: at(records, 4).hash }, ...records);
    await announce(8);
    assert.equal(await state(), [through(1, 8), '0', '1']);
    assert.is((await verify()).ok, true);
  }));

test('below a missing record nothing counts until it has come', () =>
  withSenders(async (sender) => {
    const { records, receive, announce, state } = await sender();
    await receive(...records.filter((_, index) => index !== 4));
    await announce(8);
    assert.equal(await state(), [through(6, 8), '4', '0']);
    await receive(forged(records, 5), at(records, 5));
    await announce(8);
    assert.equal(await state(), [[...through(6, 8), ...through(1, 5)], '0', '1']);
  }));

test('a head of another store, or an old one, makes nothing count', () =>
  withSenders(async (sender) => {
    const { records, receive, announce, state } = await sender();
    const another = await sender();
    await receive(...records.slice(0, 2));
    await announce(2);
    await receive(...records.slice(2), forged(records, 3));
    assert.is(await another.announce(8), 'kept');
    assert.is(await announce(1), 'older');
    assert.equal(await state(), [through(1, 2), '7', '0']);
  }));

test('many forgeries of each record that is to come do not shut out the real ones', () =>
  withSenders(async (sender) => {
    const { records, receive, announce, state, verify } = await sender();
    await receive(...records.slice(0, 3));
    await announce(3);
    await receive(
      ...through(4, last).flatMap((position) => through(1, 20).map((n) => forged(records, position, n))),
    );
    await receive(...records.slice(3));
    await announce(last);
    assert.equal(await state(), [through(1, last), '0', '100']);
    assert.equal([(await verify()).ok, (await verify()).missing], [true, 0]);
  }));

test('of many forgeries under the hash of a real record few wait: each would be compared with all those before it', () =>
  withSenders(async (sender) => {
    const { records, receive, announce, state, verify } = await sender();
    await receive(...records);
    for (const position of [4, 5]) {
      const { hash } = at(records, position);
      await receive(...through(1, 1_500).map((n) => ({ ...forged(records, position, 100 + n), hash })));
    }
    assert.equal(await state(), [[], '12', '2996']);
    await announce(last);
    assert.equal(await state(), [through(1, last), '0', '3000']);
    assert.equal([(await verify()).ok, (await verify()).missing], [true, 0]);
  }));

test('a store that was forgotten begins again with all its room, and nothing that was under way is taken', () =>
  withSenders(async (sender) => {
    const { records, receive, announce, state, crowd, forget, trust } = await sender();
    await receive(...records.slice(0, 4));
    await announce(2);
    await crowd(99_999);
    await forget();
    await receive(at(records, 3), forged(records, 4));
    assert.is(await announce(4), 'unknown');
    assert.equal(await state(), [through(1, 2), '0', '0']);
    await trust();
    await receive(...records.slice(2));
    await announce(last);
    assert.equal(await state(), [through(1, last), '0', '0']);
  }));

test('the records that wait have a limit in bytes', () =>
  withSenders(async (sender) => {
    const { records, receive, announce, state, crowd } = await sender();
    await receive(...records.slice(0, 3));
    await announce(3);
    await crowd(1, 256 * 1024 * 1024 - 1);
    await receive(at(records, 4), at(records, 5));
    assert.equal(await state(), [through(1, 3), '1', '1']);
    await announce(4);
    await receive(...records);
    await announce(last);
    assert.equal(await state(), [through(1, last), '0', '1'], 'a head makes room');
  }));

test('no record waits that is far ahead, and none when too many wait', () =>
  withSenders(async (sender) => {
    const { records, receive, announce, state, crowd } = await sender();
    await receive(...records.slice(0, 3));
    await announce(3);
    await receive({ ...forged(records, 5), streamPosition: 200_000 });
    assert.equal(await state(), [through(1, 3), '0', '1']);
    await crowd(99_999);
    await receive(at(records, 4), at(records, 5));
    assert.equal(await state(), [through(1, 3), '1', '2']);
    await announce(4);
    await receive(...records);
    await announce(last);
    assert.equal(await state(), [through(1, last), '0', '2'], 'a head makes room');
  }));

test('whatever is forged and in whatever order it comes, the real records count, and nothing else', () =>
  withSenders(async (sender) => {
    const [{ records: real }] = [await sender()];
    const arrivals = fc.tuple(
      fc.shuffledSubarray(through(1, last), { minLength: last }),
      fc.array(fc.tuple(fc.integer({ min: 1, max: last }), fc.nat({ max: last })), { maxLength: 3 }),
    );
    await fc.assert(
      fc.asyncProperty(arrivals, async ([order, forgeries]) => {
        const { receive, announce, state, verify } = await sender();
        const sent = order.map((position) => at(real, position));
        for (const [position, index] of forgeries) sent.splice(index, 0, forged(real, position));
        await receive(...sent);
        await announce(last);
        const [counted, waiting] = await state();
        assert.equal([counted, waiting], [through(1, last), '0']);
        assert.is((await verify()).ok, true);
      }),
      { numRuns: 25 },
    );
  }));
