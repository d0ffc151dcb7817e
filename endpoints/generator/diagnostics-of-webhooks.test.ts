import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { withSources } from '../testing/source-tree.js';
import { Generator } from './generate.js';
import { diagnose, mistakesOf } from './testing/diagnose.js';

const test = suite('generator diagnostics of webhooks');
const mistake = mistakesOf(test);

interface Parts {
  readonly event?: string;
  readonly type?: string;
  readonly of?: string;
  readonly exported?: string;
}

const source = ({
  event = 'OrderPaid',
  type = 'order.paid',
  of = '({ payload: { orderId, total } }) => ({ orderId, total })',
  exported = 'export ',
}: Parts = {}) => `
import {
  Command, CommandEndpoint, type Decimal, Event, Permission, published, type Receptor, type Uuid, webhookSender,
} from 'svc-runtime';
import { CommandAudited } from 'svc-runtime/system-events';
export class OrderPaid extends Event { orderId!: Uuid; total!: Decimal; cardLast4!: string; }
@CommandEndpoint<Pay, void>()
export class Pay extends Command { orderId!: Uuid; }
export class PayReceptor implements Receptor<Pay, void> { handle(): void { void CommandAudited; } }
${exported}const webhooks = webhookSender([
  published(${event}, { type: '${type}', permission: Permission.read('orders'), of: ${of} }),
]);
${exported === '' ? 'void webhooks;' : ''}
`;

test('the registry lists the sender, and OpenAPI what leaves the service', async () => {
  assert.equal(await diagnose({ 'a.ts': source() }), []);
  await withSources({ 'a.ts': source() }, (dir) => {
    const generated = new Generator(dir, { title: 'orders', version: '1' }).run();
    const textOf = (name: string): string =>
      (generated.ok ? generated.files : []).find(({ path }) => path.endsWith(name))?.text ?? '';
    assert.match(textOf('registry.ts'), 'webhooks: [\n      webhooks,\n    ]');
    const { webhooks, components } = JSON.parse(textOf('openapi.json'));
    const { schema } = webhooks['order.paid'].post.requestBody.content['application/json'];
    assert.equal(schema.properties.data, { $ref: '#/components/schemas/OrderPaidWebhook' });
    assert.equal(Object.keys(components.schemas.OrderPaidWebhook.properties), ['orderId', 'total']);
  });
});

test('a service that publishes nothing has no webhooks in its documents', async () => {
  const without = source().replace(
    /export const webhooks[^]*\]\);/,
    'void [published, webhookSender, Permission];',
  );
  await withSources({ 'a.ts': without }, (dir) => {
    const generated = new Generator(dir, { title: 'orders', version: '1' }).run();
    assert.ok(generated.ok);
    for (const { text } of generated.ok ? generated.files : []) assert.not.match(text, 'webhooks');
  });
});

mistake(
  'a system event that is published',
  'SVC1064',
  source({ event: 'CommandAudited', of: '() => ({})' }),
  /CommandAudited is a system event; publish events of your domain$/,
);
for (const of of [
  '({ payload }) => payload',
  '(event) => event.payload',
  '({ payload }) => { return payload; }',
  '({ payload }) => ({ ...payload })',
  '({ payload }) => ({ paid: { ...payload, more: 1 } })',
  `({ payload }) => (payload.total === '0' ? undefined : payload)`,
  '({ payload }) => payload ?? {}',
  '({ payload }) => ({ payload })',
  '({ payload: paid }) => ({ paid: [paid] })',
])
  mistake(
    `the whole payload as what leaves the service, as in ${of}`,
    'SVC1065',
    source({ of }),
    /with every field that is added later/,
  );
for (const type of ['Order.Paid', 'order paid', 'webhook.test', '.paid', ''])
  mistake(`'${type}' as a type of webhooks`, 'SVC1066', source({ type }), /cannot be a type of webhooks/);
mistake(
  'a sender that the registry cannot import',
  'SVC1067',
  source({ exported: '' }),
  /must be an exported constant$/,
);
