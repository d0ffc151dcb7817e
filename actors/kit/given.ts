import type { AnyDecider } from '../../contracts/decider.js';
import type { Effect } from '../../contracts/effect.js';
import type { Command, Event } from '../../contracts/message.js';
import type { Reaction } from '../../contracts/reaction.js';
import type { Receptor } from '../../contracts/receptor.js';
import { type GivenReaction, givenReaction } from '../../runtime/kit/given-reaction.js';
import {
  type CommandOf,
  type Given,
  given as givenReceptor,
  type PastStream,
} from '../../runtime/kit/given-when-then.js';
import type { Process } from '../processes/process.js';
import { type GivenEffect, givenEffect } from './given-effect.js';
import { type GivenProcess, givenProcess } from './given-process.js';

/** Tests a receptor, a decider, a reaction, a process or an effect without a server. */
export function given<TCommand extends Command, TResult>(
  receptor: Receptor<TCommand, TResult>,
  ...past: readonly PastStream[]
): Given<TCommand, TResult>;
export function given<TDecider extends AnyDecider>(
  decider: TDecider,
  ...past: readonly PastStream[]
): Given<CommandOf<TDecider>, unknown>;
export function given(process: Process): GivenProcess;
export function given<TRequest extends Command, TDone extends Event | void>(
  effect: Effect<TRequest, TDone>,
): GivenEffect<TRequest, TDone>;
export function given<TEvent extends Event>(reaction: Reaction<TEvent>): GivenReaction<TEvent>;
export function given(
  subject: Receptor<Command, unknown> | AnyDecider | Process | Reaction | Effect<Command, Event | void>,
  ...past: readonly PastStream[]
): unknown {
  if ('machine' in subject) return givenProcess(subject);
  if ('call' in subject) return givenEffect(subject);
  if ('decide' in subject) return givenReceptor(subject, ...past);
  return 'react' in subject ? givenReaction(subject) : givenReceptor(subject, ...past);
}
