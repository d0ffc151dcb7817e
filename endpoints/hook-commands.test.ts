import * as assert from 'uvu/assert';
import { OpenShop, PayRentCommand, readers, type Shop, shopWith } from '../actors/testing/bakery-service.js';
import type { Command } from '../contracts/message.js';
import type { MutationContext } from '../contracts/mutation-context.js';
import type { Receptor } from '../contracts/receptor.js';
import { suite } from '../contracts/testing/suite.js';
import { Cancellation } from '../runtime/lang/cancellation.js';
import { RequestContext } from '../runtime/request/request-context.js';
import { InMemoryIdempotencyGate } from '../runtime/kit/in-memory-idempotency-gate.js';
import { answerOnce, idempotencyOf } from './idempotency.js';
import { lifecycleOf, RestMutationEndpointBase } from './mutation-endpoint.js';

const test = suite('commands that hooks invoke');

type Where = 'before' | 'after' | 'error';

/** Pays the rent in one of its hooks. */
class OpenShopEndpoint extends RestMutationEndpointBase<OpenShop, unknown> {
  constructor(
    private readonly shop: Shop,
    private readonly where: Where,
  ) {
    super();
    lifecycleOf(this).bind({ resultName: 'OpenedShop' });
  }

  protected override onBeforeExecute(_command: OpenShop, context: MutationContext, signal: AbortSignal) {
    return this.#pay('before', context, signal);
  }

  protected override dispatchCommand(command: OpenShop, signal: AbortSignal, context: MutationContext) {
    return this.shop.dispatcher.localInvoke(command, signal, context);
  }

  protected override onAfterExecute(
    _command: OpenShop,
    _result: unknown,
    context: MutationContext,
    signal: AbortSignal,
  ) {
    return this.#pay('after', context, signal);
  }

  protected override async onError(
    _command: OpenShop,
    _error: unknown,
    context: MutationContext,
    signal: AbortSignal,
  ) {
    await this.#pay('error', context, signal);
    return { opened: 'later' };
  }

  async #pay(where: Where, context: MutationContext, signal: AbortSignal): Promise<void> {
    if (where === this.where)
      await this.shop.dispatcher.localInvoke(PayRentCommand.of({ amount: '1' }), signal, context);
  }
}

const paying: Receptor<Command, unknown> = { handle: () => ({ paid: true }) };
const failing: Receptor<Command, unknown> = { handle: () => Promise.reject(new TypeError('closed')) };

async function answerOf(where: Where, receptors: Readonly<Record<string, Receptor<Command, unknown>>>) {
  const shop = shopWith((o) => o.enableAudit(), { PayRentCommand: paying, ...receptors });
  const endpoint = new OpenShopEndpoint(shop, where);
  const command = OpenShop.of({ street: 'High' });
  const idempotency = idempotencyOf({
    key: 'k',
    of: { command: OpenShop, permission: 'public', encode: (result) => JSON.stringify(result) },
    sent: command,
    caller: undefined,
  });
  const context = new RequestContext({ transport: 'rest', cancellation: new Cancellation(), idempotency });
  const run = () => lifecycleOf(endpoint).run('command', command, context);
  const ports = { gate: new InMemoryIdempotencyGate(shop.store), store: shop.store };
  const answer = await answerOnce(ports, { context, idempotency, instance: '/shops', run });
  const audits = await readers(shop.store).recorded('CommandAudited');
  const audited = (type: string) => audits.find((audit) => audit['commandType'] === type);
  return { body: answer.body, replayed: answer.replayed, context, audited };
}

for (const where of ['before', 'after'] as const) {
  test(`a command invoked in the ${where}-hook is nested: it has its own audit, and the answer stays the endpoint's`, async () => {
    const { body, replayed, context, audited } = await answerOf(where, {});
    assert.match(body ?? '', /shopId/);
    assert.is(replayed, false);
    assert.is(audited('OpenShop')?.['receptorName'], 'OpenShopReceptor');
    assert.is(audited('OpenShop')?.['responseType'], 'OpenedShop');
    assert.not('causationId' in (audited('OpenShop') ?? {}));
    assert.is(audited('PayRentCommand')?.['receptorName'], 'PayRentReceptor');
    assert.is(audited('PayRentCommand')?.['responseType'], 'PayRentCommandResult');
    assert.is(audited('PayRentCommand')?.['causationId'], context.messageId);
  });
}

test('a command invoked in the error-hook does not become the stored answer', async () => {
  const { body, replayed, audited } = await answerOf('error', { OpenShop: failing });
  assert.is(body, '{"opened":"later"}');
  assert.is(replayed, false);
  assert.is(audited('OpenShop'), undefined);
  assert.is(audited('PayRentCommand')?.['receptorName'], 'PayRentReceptor');
});

test('the hooks of an endpoint without a dispatch are nested too', async () => {
  const shop = shopWith((o) => o.enableAudit(), { PayRentCommand: paying });
  class Closed extends OpenShopEndpoint {
    protected override dispatchCommand(): never {
      throw new TypeError('closed');
    }
  }
  const context = new RequestContext({ transport: 'rest', cancellation: new Cancellation() });
  await lifecycleOf(new Closed(shop, 'error')).run('command', OpenShop.of({ street: 'a' }), context);
  const [audit] = await shop.recorded('CommandAudited');
  assert.is(audit?.['causationId'], context.messageId);
});
