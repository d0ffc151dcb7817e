import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { withSources } from '../testing/source-tree.js';
import { Generator } from './generate.js';
import { diagnose, mistakesOf } from './testing/diagnose.js';

const test = suite('generator diagnostics of effects');
const mistake = mistakesOf(test);

interface Parts {
  readonly options?: string;
  readonly fields?: string;
  readonly members?: string;
}

const source = ({
  options = '',
  fields = '',
  members = 'stream = ({ orderId }: SendSms) => orderId;',
}: Parts = {}) => `
import { Command, CommandEndpoint, type Effect, Event, type Receptor, Sensitive, type Uuid } from 'svc-runtime';
export class SmsSent extends Event { orderId!: Uuid; }
@CommandEndpoint<SendSms, void>(${options})
export class SendSms extends Command { orderId!: Uuid; ${fields} }
export interface Gateway { post(text: string): Promise<void>; }
export class SmsGateway implements Effect<SendSms, SmsSent> {
  readonly name = 'sms-gateway';
  ${members}
  constructor(private readonly gateway: Gateway) {}
  async call({ orderId }: SendSms): Promise<SmsSent> { await this.gateway.post(''); return SmsSent.of({ orderId }); }
}
`;

test('the registry constructs effects with their commands', async () => {
  assert.equal(await diagnose({ 'a.ts': source() }), []);
  await withSources({ 'a.ts': source() }, (dir) => {
    const generated = new Generator(dir, { title: 'texts', version: '1' }).run();
    const files = generated.ok ? generated.files : [];
    const registry = files.find(({ path }) => path.endsWith('registry.ts'));
    assert.match(
      registry?.text ?? '',
      'effects: [\n      { command: SendSms, effect: new SmsGateway(dependencies.gateway), decode: decodeSendSms },\n    ]',
    );
  });
});

mistake(
  'a command with an effect and a receptor',
  'SVC1010',
  source() + 'export class Other implements Receptor<SendSms, void> { handle(): void {} }',
  /SendSms has another receptor at a\.ts/,
);
mistake(
  'a route to a command that is done after the answer',
  'SVC1060',
  source({ options: `{ restRoute: '/sms' }` }),
  /give the route to a command whose receptor sends SendSms$/,
);
mistake(
  'events without a stream',
  'SVC1061',
  source({ members: '' }),
  /add stream = \(request\) => request\.theId$/,
);
mistake(
  'a timeout of more than a day',
  'SVC1062',
  source({ members: `readonly timeout = 'P2D'; stream = ({ orderId }: SendSms) => orderId;` }),
  /needs timeout from PT0\.001S to P1D, not P2D$/,
);
mistake(
  'retries for more than thirty days',
  'SVC1062',
  source({ members: `readonly retries = { for: 'P31D' }; stream = ({ orderId }: SendSms) => orderId;` }),
  /needs retries\.for from PT0\.001S to P30D/,
);
mistake(
  'credentials in a request',
  'SVC1063',
  source({ fields: 'apiKey!: string;' }),
  /SendSms\.apiKey looks like credentials/,
);

test('a field that is marked may have any name', async () => {
  assert.equal(await diagnose({ 'a.ts': source({ fields: '@Sensitive() apiKey!: string;' }) }), []);
});

test('two effects of one name are refused', async () => {
  const other = source()
    .replace(/^import.*$/m, '')
    .replaceAll('Sms', 'Text')
    .replace('interface Gateway', 'interface Phone')
    .replace(': Gateway', ': Phone');
  assert.match((await diagnose({ 'a.ts': source() + other })).join('\n'), 'SVC1047');
});
