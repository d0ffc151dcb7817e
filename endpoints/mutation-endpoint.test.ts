import * as assert from 'uvu/assert';
import { Command } from '../contracts/message.js';
import type { MutationContext } from '../contracts/mutation-context.js';
import { Problem } from '../contracts/problems.js';
import { suite } from '../contracts/testing/suite.js';
import { Cancellation } from '../runtime/lang/cancellation.js';
import { RequestContext } from '../runtime/request/request-context.js';
import { lifecycleOf, MutationEndpointBase, RestMutationEndpointBase } from './mutation-endpoint.js';

const test = suite('mutation endpoint');

class Greet extends Command {
  name!: string;
}

const greet = Greet.of({ name: 'Ada' });

class Plain extends RestMutationEndpointBase<Greet, string> {
  protected override dispatchCommand({ name }: Greet): string {
    return `Hello ${name}`;
  }
}

class Diary extends RestMutationEndpointBase<Greet, string> {
  readonly lines: string[] = [];
  readonly contexts = new Set<MutationContext>();

  protected override onBeforeExecute(command: Greet, context: MutationContext, signal: AbortSignal): void {
    this.#note(`before ${command.name}`, context, signal);
    context.items.set('started', true);
  }

  protected override dispatchCommand(command: Greet, signal: AbortSignal, context: MutationContext): string {
    this.#note(`dispatch ${command.name}`, context, signal);
    if (command.name === 'nobody') throw new Problem('nobody');
    return `Hello ${command.name}`;
  }

  protected override async onAfterExecute(
    command: Greet,
    result: string,
    context: MutationContext,
    signal: AbortSignal,
  ): Promise<void> {
    this.#note(`after ${command.name}: ${result}, ${String(context.items.get('started'))}`, context, signal);
  }

  protected override onError(
    command: Greet,
    error: unknown,
    context: MutationContext,
    signal: AbortSignal,
  ): string | null {
    this.#note(`error ${command.name}: ${(error as Problem).code}`, context, signal);
    return null;
  }

  #note(line: string, context: MutationContext, signal: AbortSignal): void {
    assert.is(signal, context.cancellationToken);
    this.contexts.add(context);
    this.lines.push(line);
  }
}

test('an endpoint without hooks dispatches and returns the result', async () => {
  assert.is(await new Plain().execute(greet), 'Hello Ada');
});

test('every hook gets the parameters of the specification, and one shared context', async () => {
  const endpoint = new Diary();
  assert.is(await endpoint.execute(greet), 'Hello Ada');
  assert.equal(endpoint.lines, ['before Ada', 'dispatch Ada', 'after Ada: Hello Ada, true']);
  assert.is(endpoint.contexts.size, 1);
});

test('the default error-hook rethrows, and the after-hook is not called when dispatch throws', async () => {
  const endpoint = new Diary();
  const error = await endpoint.execute(Greet.of({ name: 'nobody' })).catch((thrown: unknown) => thrown);
  assert.is((error as Problem).code, 'nobody');
  assert.equal(endpoint.lines, ['before nobody', 'dispatch nobody', 'error nobody: nobody']);
});

test('a signal that is aborted before the start is observed before any hook', async () => {
  const endpoint = new Diary();
  const reason = new Problem('changed my mind');
  const error = await endpoint.execute(greet, AbortSignal.abort(reason)).catch((thrown: unknown) => thrown);
  assert.is(error, reason);
  assert.equal(endpoint.lines, []);
});

test('the signal of a local call reaches the hooks', async () => {
  const controller = new AbortController();
  class Waiting extends MutationEndpointBase<Greet, string> {
    protected override dispatchCommand(_command: Greet, signal: AbortSignal): Promise<string> {
      return new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error));
        controller.abort(new Problem('enough'));
      });
    }
  }
  const error = await new Waiting().execute(greet, controller.signal).catch((thrown: unknown) => thrown);
  assert.is((error as Problem).code, 'enough');
});

class Request {
  who!: string;
}

class Mapped extends RestMutationEndpointBase<Greet, string, Request> {
  protected override mapRequestToCommand({ who }: Request): Greet {
    return Greet.of({ name: who });
  }

  protected override dispatchCommand({ name }: Greet): string {
    return `Hello ${name}`;
  }
}

const context = () => new RequestContext({ transport: 'rest', cancellation: new Cancellation() });

test('a hook asks the flags of the host that registered the endpoint, with and without a transport', async () => {
  const seen: boolean[] = [];
  class Asking extends MutationEndpointBase<Greet, string> {
    protected override onBeforeExecute(_command: Greet, { flags }: MutationContext): void {
      seen.push(flags.isOn('gift-wrap'));
    }

    protected override dispatchCommand = (): string => 'done';
  }
  const endpoint = new Asking();
  await endpoint.execute(greet);
  lifecycleOf(endpoint).bind({ flags: { isOn: (name) => name === 'gift-wrap' } });
  await endpoint.execute(greet);
  await lifecycleOf(endpoint).run('command', greet, context());
  assert.equal(seen, [false, true, true]);
});

test('a custom request is mapped to the command; a command that is passed directly skips mapping', async () => {
  const endpoint = new Mapped();
  assert.equal(await lifecycleOf(endpoint).run('request', { who: 'Grace' }, context()), {
    outcome: 'completed',
    result: 'Hello Grace',
  });
  assert.is(await endpoint.execute(greet), 'Hello Ada');
});

test('abort during the before-hook does not interrupt it, and dispatch is entered', async () => {
  const running = context();
  const lines: string[] = [];
  class Slow extends MutationEndpointBase<Greet, string> {
    protected override async onBeforeExecute(): Promise<void> {
      running.cancellation.abort(new Problem('client-gone'));
      await Promise.resolve();
      lines.push('before finished');
    }

    protected override dispatchCommand(_command: Greet, signal: AbortSignal): string {
      lines.push(`dispatch entered, aborted ${String(signal.aborted)}`);
      throw signal.reason;
    }
  }
  const end = await lifecycleOf(new Slow()).run('command', greet, running);
  assert.is(end.outcome, 'failed');
  assert.equal(lines, ['before finished', 'dispatch entered, aborted true']);
});

test('a subclass sees hooks and execute, and nothing else', () => {
  assert.equal(Object.getOwnPropertyNames(MutationEndpointBase.prototype).toSorted(), [
    'constructor',
    'execute',
    'onAfterExecute',
    'onBeforeExecute',
    'onError',
  ]);
  assert.equal(Reflect.ownKeys(new Plain()), []);
});
