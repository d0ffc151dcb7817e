import * as assert from 'uvu/assert';
import { LocalDispatcher } from '../../actors/commands/dispatcher.js';
import { Command, Event } from '../../contracts/message.js';
import type { MutationContext } from '../../contracts/mutation-context.js';
import { Problem } from '../../contracts/problems.js';
import type { Receptor } from '../../contracts/receptor.js';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { Cancellation } from '../../runtime/lang/cancellation.js';
import { RequestContext } from '../../runtime/request/request-context.js';
import { InMemoryEventStore } from '../../runtime/kit/in-memory-event-store.js';
import { lifecycleOf, MutationEndpointBase } from '../mutation-endpoint.js';
import { Inspection } from './inspection.js';
import type { Trace } from './request-trace.js';

const test = suite('trace');

class Bake extends Command {}
class Fill extends Command {}
class Baked extends Event {}

class BakeEndpoint extends MutationEndpointBase<Bake, unknown> {
  constructor(private readonly dispatcher: LocalDispatcher) {
    super();
  }
  protected override dispatchCommand(command: Bake, signal: AbortSignal, context: MutationContext) {
    return this.dispatcher.localInvoke(command, signal, context);
  }
}

type Handle = Receptor<Bake, unknown>['handle'];

async function traced(handleWith: (dispatcher: LocalDispatcher) => Handle): Promise<Trace> {
  const inspection = new Inspection({ host: 'oven-1' });
  inspection.feed.attach(() => undefined);
  const dispatcher = new LocalDispatcher({ store: new InMemoryEventStore(), observer: inspection });
  dispatcher.register([
    { command: Bake, receptor: { handle: handleWith(dispatcher) } },
    { command: Fill, receptor: { handle: () => 'jam' } },
  ]);
  const endpoint = new BakeEndpoint(dispatcher);
  lifecycleOf(endpoint).bind({ observer: inspection });
  const context = new RequestContext({ transport: 'rest', cancellation: new Cancellation() });
  await lifecycleOf(endpoint).run('command', new Bake(), context);
  dispatcher.stop();
  const trace = inspection.feed.trace(context.messageId);
  assert.ok(trace !== undefined);
  return trace;
}

const sequence = ({ steps }: Trace): string[] =>
  steps.map(({ from, to, message, state }) => `${from} → ${to}: ${message}${state ? ` (${state})` : ''}`);

test('a request is shown as the messages between its parts: lifecycle, handler, store', async () => {
  const trace = await traced(() => (_command, work) => {
    work.append(newUuid(), new Baked());
    return 'bread';
  });
  assert.equal(sequence(trace), [
    'endpoint → lifecycle: begin (checking)',
    'endpoint → lifecycle: passed (dispatching)',
    'lifecycle → Bake handler: enter',
    'Bake handler → Bake handler: begin',
    'Bake handler → lifecycle: succeeded',
    'lifecycle → store: commit',
    'store → lifecycle: committed',
    'endpoint → lifecycle: succeeded (completed)',
  ]);
  const times = trace.steps.map(({ ms }) => ms);
  assert.equal(
    times,
    times.toSorted((one, other) => one - other),
  );
});

test('a failure is shown by its name and code where it happened', async () => {
  const trace = await traced(() => () => {
    throw new Problem('burnt', { detail: 'secret' });
  });
  const failed = trace.steps.find(({ message }) => message === 'failed');
  assert.equal(failed?.error, { name: 'Problem', code: 'burnt' });
  assert.is(trace.steps.at(-1)?.state, 'failed');
  assert.not.match(JSON.stringify(trace), 'secret');
});

test('a command that the handler invokes is part of its trace', async () => {
  const trace = await traced(
    (dispatcher) => (_command, work) => dispatcher.localInvoke(new Fill(), work.signal, work.context),
  );
  assert.ok(sequence(trace).includes('lifecycle → Fill handler: enter'));
});

test('ids contain the host, and every part is introduced before its first message and ends with the request', async () => {
  const { frames, id } = await traced(() => () => 'bread');
  type Frame = { type: string; rootId: string; sessionId: string; snapshot?: { status: string } };
  const introduced = new Set<string>();
  const status = new Map<string, string>();
  for (const { type, rootId, sessionId, snapshot } of frames.map((text) => JSON.parse(text) as Frame)) {
    assert.is(rootId, `oven-1/${id}`);
    if (type === '@xstate.actor') introduced.add(sessionId);
    assert.ok(introduced.has(sessionId), sessionId);
    if (snapshot !== undefined) status.set(sessionId, snapshot.status);
  }
  assert.equal([...status.values()], ['done', 'done']);
});
