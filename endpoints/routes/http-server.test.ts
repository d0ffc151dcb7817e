import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { order, withBakery } from '../testing/bakery.js';
import { type Asked, openRaw, jsonOf, post, problemIn, refusalIn, send } from '../testing/http-client.js';

const test = suite('http server');

const json = { 'content-type': 'application/json' };

const refusalOf = async (asked: Asked): Promise<string> => {
  let refusal = '';
  await withBakery({}, async ({ url }) => {
    refusal = refusalIn(await send(url, asked));
  });
  return refusal;
};

test('a command sent by POST is answered with 200 and the JSON of its result', () =>
  withBakery({}, async ({ url }) => {
    const answer = await post(url, order);
    assert.is(answer.status, 200);
    assert.is(answer.headers['content-type'], 'application/json; charset=utf-8');
    assert.is((jsonOf(answer) as { baked: number }).baked, 2);
  }));

test('a query string does not hide a route', () =>
  withBakery({}, async ({ url }) => {
    assert.is((await post(url, order, { path: '/bread?dry=1&x=%00' })).status, 200);
  }));

test('unknown properties are dropped', () =>
  withBakery({ bake: (command) => Object.assign({}, command) }, async ({ url }) => {
    const answer = await post(url, { ...order, admin: true, toString: 'mine' });
    assert.equal(jsonOf(answer), order);
  }));

const malformed: Readonly<Record<string, string | Buffer>> = {
  'text that is not JSON': '{"customer": Ada}',
  'a truncated body': '{"customer":"Ada"',
  'two values': '{}{}',
  'an empty body': '',
  'white space': ' \n ',
  'bytes that are not UTF-8': Buffer.from([0x7b, 0x22, 0xc3, 0x28, 0x22, 0x3a, 0x31, 0x7d]),
  'a __proto__ key': '{"customer":"Ada","__proto__":{"admin":true}}',
  'an escaped __proto__ key': String.raw`{"toppings":[{"\u005f\u005fproto__":1}]}`,
  'a constructor.prototype key': '{"constructor":{"prototype":{"admin":true}}}',
  'depth 65': `${'['.repeat(65)}${']'.repeat(65)}`,
};

for (const [what, body] of Object.entries(malformed)) {
  test(`${what} is answered 400 malformed-json`, async () => {
    assert.is(await refusalOf({ body, headers: json }), '400 malformed-json');
  });
}

test('a POST without body and content type is answered 400 malformed-json', async () => {
  assert.is(await refusalOf({}), '400 malformed-json');
});

test('depth 64 is not too deep: the body is refused only for its content', async () => {
  const body = `${'['.repeat(64)}${']'.repeat(64)}`;
  assert.is(await refusalOf({ body, headers: json }), '422 invalid-command');
});

for (const body of ['[]', '"text"', '7', 'true', 'null']) {
  test(`${body} is JSON but not a command: 422 invalid-command at the root`, () =>
    withBakery({}, async ({ url }) => {
      const answer = await send(url, { body, headers: json });
      assert.is(refusalIn(answer), '422 invalid-command');
      assert.equal(problemIn(answer).errors, [{ path: '', message: 'must be an object' }]);
    }));
}

test('all faults of a body are reported at once, each with its JSON Pointer', () =>
  withBakery({}, async ({ url }) => {
    const answer = await post(url, { customer: 7, loaves: 0, toppings: ['sesame', null, 3], note: {} });
    assert.is(refusalIn(answer), '422 invalid-command');
    assert.equal(problemIn(answer).errors, [
      { path: '/customer', message: 'must be a string' },
      { path: '/loaves', message: 'must be at least 1' },
      { path: '/toppings/1', message: 'must be a string' },
      { path: '/toppings/2', message: 'must be a string' },
      { path: '/note', message: 'must be a string' },
    ]);
  }));

test('a missing member is reported as required', () =>
  withBakery({}, async ({ url }) => {
    const { errors } = problemIn(await post(url, {}));
    assert.equal(
      errors?.map(({ path, message }) => `${path} ${message}`),
      ['/customer is required', '/loaves is required', '/toppings is required'],
    );
  }));

for (const [what, text] of Object.entries({
  'U+0000': String.raw`"A\u0000da"`,
  'an unpaired high surrogate': String.raw`"A\ud800da"`,
  'an unpaired low surrogate': String.raw`"\udc00"`,
})) {
  test(`${what} in a text is answered 422 with the path of the text`, () =>
    withBakery({}, async ({ url }) => {
      const body = `{"customer":"Ada","loaves":1,"toppings":["salt",${text}]}`;
      const answer = await send(url, { body, headers: json });
      assert.is(refusalIn(answer), '422 invalid-command');
      assert.equal(
        problemIn(answer).errors?.map(({ path }) => path),
        ['/toppings/1'],
      );
    }));
}

test('a paired surrogate is a character like any other', () =>
  withBakery({ bake: ({ customer }) => customer }, async ({ url }) => {
    const body = String.raw`{"customer":"\ud83c\udf5e","loaves":1,"toppings":[]}`;
    assert.is(jsonOf(await send(url, { body, headers: json })), '🍞');
  }));

const sized = (bytes: number): string => {
  const shell = JSON.stringify({ ...order, note: '' });
  return JSON.stringify({ ...order, note: 'x'.repeat(bytes - shell.length) });
};

test('a body of exactly 1 MiB is accepted', () =>
  withBakery({}, async ({ url }) => {
    const body = sized(1_048_576);
    assert.is(Buffer.byteLength(body), 1_048_576);
    assert.is((await send(url, { body, headers: json })).status, 200);
  }));

test('one byte more than 1 MiB is answered 413 body-too-large', async () => {
  assert.is(await refusalOf({ body: sized(1_048_577), headers: json }), '413 body-too-large');
});

test('a chunked body has the same limit', async () => {
  const headers = { ...json, 'transfer-encoding': 'chunked' };
  assert.is(await refusalOf({ body: sized(1_048_577), headers }), '413 body-too-large');
});

for (const type of [
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/jsonx',
  'application/json-patch+json',
  'text/json',
  'nonsense',
  'application/json; charset=utf-16',
  'application/json; charset="latin1"',
  'application/json;charset=ISO-8859-1',
]) {
  test(`Content-Type ${type} is answered 415 unsupported-media-type`, async () => {
    const body = JSON.stringify(order);
    assert.is(await refusalOf({ body, headers: { 'content-type': type } }), '415 unsupported-media-type');
  });
}

for (const type of [
  'application/json; charset=utf-8',
  'application/json;charset="UTF-8"',
  'Application/JSON',
]) {
  test(`Content-Type ${type} is accepted`, () =>
    withBakery({}, async ({ url }) => {
      assert.is((await post(url, order, { headers: { 'content-type': type } })).status, 200);
    }));
}

test('a body without a content type is answered 415', async () => {
  assert.is(await refusalOf({ body: JSON.stringify(order) }), '415 unsupported-media-type');
});

test('a compressed body is answered 415', async () => {
  const headers = { ...json, 'content-encoding': 'gzip' };
  assert.is(await refusalOf({ body: JSON.stringify(order), headers }), '415 unsupported-media-type');
});

for (const method of ['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY', 'SEARCH']) {
  test(`${method} on a command route is answered 405 and names POST`, () =>
    withBakery({}, async ({ url }) => {
      const answer = await send(url, { method });
      assert.is(refusalIn(answer), '405 method-not-allowed');
      assert.is(answer.headers.allow, 'POST');
    }));
}

test('a body sent with the wrong method does not matter', async () => {
  const refusal = await refusalOf({ method: 'PUT', body: '{', headers: { 'content-type': 'text/plain' } });
  assert.is(refusal, '405 method-not-allowed');
});

test('HEAD on a command route is answered 405 without a body', () =>
  withBakery({}, async ({ url }) => {
    const answer = await send(url, { method: 'HEAD' });
    assert.is(answer.status, 405);
    assert.is(answer.headers.allow, 'POST');
    assert.is(answer.text, '');
  }));

for (const path of ['/', '/bread/', '/BREAD', '/bread/1', '//bread', '/breads', '/bread%2f', '/../bread2']) {
  test(`nothing is at ${path}: 404 not-found`, async () => {
    const refusal = await refusalOf({ path, body: JSON.stringify(order), headers: json });
    assert.is(refusal, '404 not-found');
  });
}

test('the 404 of an unknown route says that it is the route that is missing', () =>
  withBakery({}, async ({ url }) => {
    const { detail } = problemIn(await send(url, { method: 'GET', path: '/breads/7' }));
    assert.is(detail, 'The service has no route with this path.');
  }));

test('an unknown route is 404, whatever body comes with it', async () => {
  assert.is(
    await refusalOf({ path: '/none', body: 'x', headers: { 'content-type': 'a/b' } }),
    '404 not-found',
  );
  assert.is(await refusalOf({ path: '/none', body: '{', headers: json }), '404 not-found');
  assert.is(await refusalOf({ path: '/none', body: sized(1_048_577), headers: json }), '404 not-found');
});

test('a URL that cannot be decoded is not found: 404', async () => {
  assert.is(await refusalOf({ path: '/%zz', body: JSON.stringify(order), headers: json }), '404 not-found');
});

test('a problem names its URL as instance', () =>
  withBakery({}, async ({ url }) => {
    assert.is(problemIn(await post(url, order, { path: '/none?a=1' })).instance, '/none?a=1');
  }));

test('OPTIONS * is answered, not dropped', () =>
  withBakery({}, async ({ url }) => {
    const line = await openRaw(url);
    line.write('OPTIONS * HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
    assert.match(await line.closed, /^HTTP\/1\.1 40[45] /);
  }));

test('two commands cannot have one route, and the mistake is reported before anything listens', async () => {
  const { createHttpServer } = await import('./http-server.js');
  const twice = { restRoute: '/bread', command: class Twice {} };
  assert.throws(
    () => createHttpServer([twice, twice] as never, {} as never, { bodyLimit: 1 }),
    /same route '\/bread'/,
  );
});
