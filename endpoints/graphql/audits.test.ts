import { type Audit, serverAudits } from 'graphql-http';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { withBakery } from '../testing/bakery.js';

const test = suite('the official audits of GraphQL over HTTP');

const ids = serverAudits({ url: '' }).map(({ id, name }) => ({ id, name }));

const auditOf = (id: string, url: string): Audit | undefined =>
  serverAudits({ url: `${url}/graphql` }).find((audit) => audit.id === id);

/** Every MUST, every SHOULD and even every MAY, without exception. */
for (const { id, name } of ids) {
  test(`${id}: ${name}`, () =>
    withBakery({ http: { development: true } }, async ({ url }) => {
      const result = await auditOf(id, url)?.fn();
      assert.is(result?.status, 'ok', result && 'reason' in result ? result.reason : 'no such audit');
    }));
}

test('the number of audits has not changed', () => {
  const count = (level: string) => ids.filter(({ name }) => name.startsWith(level)).length;
  assert.equal([count('MUST'), count('SHOULD'), count('MAY')], [13, 23, 25]);
});
