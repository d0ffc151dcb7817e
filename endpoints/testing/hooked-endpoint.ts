import type { LocalDispatcher } from '../../actors/commands/dispatcher.js';
import type { Command } from '../../contracts/message.js';
import type { MutationContext } from '../../contracts/mutation-context.js';
import type { Dispatcher } from '../../contracts/receptor.js';
import { RestMutationEndpointBase } from '../mutation-endpoint.js';
import type { HttpServer } from '../routes/http-server.js';

/** What a test wants the hooks of an endpoint to do. */
export interface Hooks<TCommand extends Command> {
  readonly before?: (command: TCommand, context: MutationContext) => void | Promise<void>;
  readonly after?: (command: TCommand, result: unknown, context: MutationContext) => void | Promise<void>;
  readonly recover?: (command: TCommand, error: unknown, context: MutationContext) => unknown;
}

export class HookedEndpoint<TCommand extends Command, TRequest = TCommand> extends RestMutationEndpointBase<
  TCommand,
  unknown,
  TRequest
> {
  constructor(
    private readonly dispatcher: Dispatcher,
    private readonly hooks: Hooks<TCommand>,
  ) {
    super();
  }

  protected override onBeforeExecute(command: TCommand, context: MutationContext): void | Promise<void> {
    return this.hooks.before?.(command, context);
  }

  protected override dispatchCommand(command: TCommand, signal: AbortSignal, context: MutationContext) {
    return this.dispatcher.localInvoke(command, signal, context);
  }

  protected override onAfterExecute(command: TCommand, result: unknown, context: MutationContext) {
    return this.hooks.after?.(command, result, context);
  }

  protected override onError(command: TCommand, error: unknown, context: MutationContext): unknown {
    return this.hooks.recover?.(command, error, context);
  }
}

/** An endpoint that maps its command from a request of another type. */
export class MappingEndpoint<TCommand extends Command, TRequest> extends HookedEndpoint<TCommand, TRequest> {
  constructor(
    dispatcher: Dispatcher,
    hooks: Hooks<TCommand>,
    private readonly map: (request: TRequest) => TCommand,
  ) {
    super(dispatcher, hooks);
  }

  protected override mapRequestToCommand(request: TRequest): TCommand {
    return this.map(request);
  }
}

/** The server listens while the body runs. */
export async function whileListening(
  server: HttpServer,
  dispatcher: LocalDispatcher,
  body: (url: string) => Promise<void>,
): Promise<void> {
  try {
    await body(await server.listen(0, '127.0.0.1'));
  } finally {
    server.app.server.closeAllConnections();
    await server.drain();
    dispatcher.stop();
  }
}
