import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { withBakery } from '../testing/bakery.js';
import { type Answered, refusalIn, send } from '../testing/http-client.js';

const test = suite('written decimals');

const to = '01890a5d-ac96-774b-bcce-b302099a8057';
const parcel = (weight: string) => `{"to":"${to}","weight":${weight}}`;
const [precise, exponent] = ['1.00000000000000000010', '2e1'];

const sent = (url: string, path: string, body: string): Promise<Answered> =>
  send(url, { path, body, headers: { 'content-type': 'application/json' } });

test('a decimal in a body keeps its digits as written, without an exponent', () =>
  withBakery({}, async ({ url }) => {
    assert.match((await sent(url, '/parcels', parcel(precise))).text, `"price":"${precise}"`);
    assert.is(refusalIn(await sent(url, '/parcels', parcel(exponent))), '422 invalid-command');
  }));

for (const [name, query] of Object.entries({
  'a variable': 'mutation($command: SendParcelInput!) { sendParcel(command: $command) { price } }',
  'a variable of a document with fragments':
    'mutation($command: SendParcelInput!) { sendParcel(command: $command) { ...all } } fragment all on Parcel { price }',
  'a variable inside of a literal': `mutation($weight: Decimal!) { sendParcel(command: { to: "${to}", weight: $weight }) { price } }`,
})) {
  test(`a decimal in ${name} keeps its digits as written, without an exponent`, () =>
    withBakery({}, async ({ url }) => {
      const body = (weight: string) =>
        `{"query":${JSON.stringify(query)},"variables":{"command":${parcel(weight)},"weight":${weight}}}`;
      const { text } = await sent(url, '/graphql', body(precise));
      assert.match(text, `"price":"${precise}"`);
      assert.match((await sent(url, '/graphql', body(exponent))).text, '"code":"invalid-command"');
    }));
}
