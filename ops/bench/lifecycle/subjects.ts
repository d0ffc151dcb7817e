import { pathToFileURL } from 'node:url';
import { LocalDispatcher } from '../../../actors/commands/dispatcher.js';
import { Command } from '../../../contracts/message.js';
import type { MutationContext } from '../../../contracts/mutation-context.js';
import { Problem } from '../../../contracts/problems.js';
import type { UnitStore } from '../../../contracts/unit-store.js';
import { emitErrorEvents } from '../../../endpoints/emit-error-events.js';
import { Inspection } from '../../../endpoints/inspection/inspection.js';
import { lifecycleFor, type StateWork } from '../../../endpoints/lifecycle/lifecycle.js';
import { lifecycleOf, MutationEndpointBase } from '../../../endpoints/mutation-endpoint.js';
import { Cancellation } from '../../../runtime/lang/cancellation.js';
import { type FailingState, fanOut } from '../../../runtime/request/observer.js';
import { RequestContext } from '../../../runtime/request/request-context.js';
import { spans } from '../../../runtime/request/spans.js';
import { baseline } from '../harness/peers.js';

/** One run of the subject. */
export type Subject = () => Promise<unknown>;

const result = { status: 'created' };

const work: StateWork<undefined, object> = (state) => {
  if (state === 'dispatching') return Promise.resolve(result);
  return state === 'recovering' ? null : undefined;
};

const noProgress = { result: undefined, error: undefined, failedIn: 'checking', from: undefined } as const;

async function plain(): Promise<unknown> {
  const step = (state: FailingState) => work(state, undefined, noProgress);
  const reason = step('checking');
  if (reason !== undefined) throw reason as Error;
  await step('mapping');
  await step('before');
  const answer = await step('dispatching');
  await step('after');
  return answer;
}

class Ping extends Command {}

class PingEndpoint extends MutationEndpointBase<Ping, object> {
  constructor(private readonly dispatcher: LocalDispatcher) {
    super();
  }

  protected override dispatchCommand(command: Ping, signal: AbortSignal, context: MutationContext) {
    return this.dispatcher.localInvoke<object>(command, signal, context);
  }
}

const never = (): never => {
  throw new Problem('invalid-setup', { detail: 'Nothing is stored in this bench.' });
};

function throughDispatcher(counted: boolean): Subject {
  const store: UnitStore = {
    commit: never,
    append: never,
    read: never,
    readAll: never,
    lastPosition: never,
  };
  const dispatcher = new LocalDispatcher({ store });
  dispatcher.register([{ command: Ping, receptor: { handle: () => result } }]);
  const endpoint = new PingEndpoint(dispatcher);
  // As in a host, which also reports failures.
  const failures = emitErrorEvents(() => undefined);
  const observer = counted ? fanOut(spans, new Inspection({ host: 'bench' }), failures) : failures;
  lifecycleOf(endpoint).bind({ observer });
  return () => endpoint.execute(new Ping());
}

/** The cost of counting, timing and recording a request with every hook, without the request itself. */
function countingAlone(): Subject {
  const inspection = new Inspection({ host: 'bench' });
  const context = new RequestContext({ transport: 'local', cancellation: new Cancellation() });
  const end = { outcome: 'completed', result } as const;
  return async () => {
    const request = inspection.entered('lifecycle', { type: Ping.name, command: undefined, context });
    request?.moved?.('passed', 'mapping');
    request?.moved?.('succeeded', 'before');
    request?.moved?.('succeeded', 'dispatching');
    request?.moved?.('succeeded', 'after');
    request?.moved?.('succeeded', 'completed');
    request?.left?.(end);
  };
}

async function naive(): Promise<Subject> {
  const module = (await import(pathToFileURL(baseline('naive-lifecycle.mjs')).href)) as {
    runNaively(command: object, dispatch: () => Promise<object>): Promise<object>;
  };
  return () => module.runNaively(result, () => Promise.resolve(result));
}

function ours(hooks: boolean): Subject {
  const plan = { mapsRequest: hooks, hasBefore: hooks, hasAfter: hooks, hasError: hooks };
  const lifecycle = lifecycleFor(plan, work);
  return () => lifecycle.run(undefined);
}

export const subjects: Readonly<Record<string, () => Subject | Promise<Subject>>> = {
  'plain async function': () => plain,
  'ours, no hooks': () => ours(false),
  'ours, all hooks': () => ours(true),
  'ours, endpoint to receptor': () => throughDispatcher(false),
  'ours, counted and recorded': () => throughDispatcher(true),
  'counting and recording alone': countingAlone,
  'naive XState': naive,
};
