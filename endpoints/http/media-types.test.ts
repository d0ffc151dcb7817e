import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { graphqlResponse, html, json, preferred } from './media-types.js';

const test = suite('media types');

const accepted: readonly (readonly [string | undefined, string | undefined])[] = [
  [undefined, json],
  ['', json],
  ['*/*', json],
  ['application/*', json],
  ['application/json', json],
  ['Application/JSON ; charset=UTF-8', json],
  ['application/graphql-response+json', graphqlResponse],
  ['application/graphql-response+json; charset=utf-8, application/json; charset=utf-8', graphqlResponse],
  ['application/json, application/graphql-response+json', json],
  ['application/json;q=0.9, application/graphql-response+json', graphqlResponse],
  ['application/json;q=0, */*', graphqlResponse],
  ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', html],
  ['application/json, text/html;q=0.5', json],
  ['text/plain', undefined],
  ['application/json; charset=latin1', undefined],
  ['application/json;q=0', undefined],
  ['application/json;q=much', undefined],
];

for (const [accept, expected] of accepted) {
  test(`Accept: ${accept ?? 'nothing'} gets ${expected ?? 'nothing'}`, () => {
    assert.is(preferred({ accept }, [json, graphqlResponse, html]), expected);
  });
}

test('at most a hundred ranges are considered', () => {
  assert.is(preferred({ accept: `${'text/plain,'.repeat(99)}application/json` }, [json]), json);
  assert.is(preferred({ accept: `${'text/plain,'.repeat(100)}application/json` }, [json]), undefined);
});
