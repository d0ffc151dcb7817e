import type { Command } from '../contracts/message.js';
import { MutationEndpointBase } from './mutation-endpoint.js';

/**
 * The base of every endpoint with a REST route; its hooks are those of every mutation.
 *
 * @example
 * ```ts
 * class ShipOrderEndpoint extends Generated { // which extends RestMutationEndpointBase
 *   protected override onError = ({ orderId }: ShipOrder) => ({ orderId, status: 'queued' as const });
 * }
 * ```
 */
export abstract class RestMutationEndpointBase<
  TCommand extends Command,
  TResult,
  TRequest = TCommand,
> extends MutationEndpointBase<TCommand, TResult, TRequest> {}
