import type { Command } from '../../contracts/message.js';
import { Problem } from '../../contracts/problems.js';
import type { TimerOptions } from '../../contracts/reaction.js';
import { isUuid, type Uuid } from '../../contracts/scalars.js';
import type { SetTimer } from '../../contracts/unit-lists.js';
import { scopeOfEnvelope } from '../request/scope-of-envelope.js';
import { isStorable } from '../lang/storable-text.js';
import { commandTimer, type TimerCause } from '../timers/command-timer.js';
import type { KnownEffect } from './known-effect.js';

const maxLaneLength = 200;
const noScope = { allowedPrincipals: [], extensions: {} };

/** What a unit sets that asks for an effect: a row that is due at once, or when the options say. */
export function effectRow(
  known: KnownEffect,
  command: Command,
  options: TimerOptions,
  cause: TimerCause,
  id?: () => Uuid,
): SetTimer {
  const { effect } = known;
  if (options.expires !== undefined)
    throw new Problem('invalid-timer', {
      detail: `${command.constructor.name}: an effect does not expire; ${effect.name} says with retries.for how long it is tried.`,
    });
  const streamId = effect.stream?.(command as never);
  // An outcome that cannot be stored must be found out before the call.
  if (streamId !== undefined && !isUuid(streamId))
    throw new Problem('effect-invalid', { detail: `stream of ${effect.name} must return a UUID.` });
  const atOnce = options.in === undefined && options.at === undefined ? { in: 'PT0S' } : {};
  const timer = commandTimer(command, { ...options, ...atOnce }, cause, id);
  const lane = laneOf(known, command, cause);
  return {
    ...timer,
    kind: 'effect',
    name: effect.name,
    key: options.key ?? streamId ?? '',
    line: lineOf(known, lane),
    context: { ...(timer.context as object), lane },
  };
}

/** What its partition is made from: the host of the partition counts what is limited on all hosts together. */
export const lineOf = ({ effect, concurrency, rate }: KnownEffect, lane: string): string =>
  concurrency === undefined && rate === undefined ? lane : effect.name;

/** Whether it is ordered, the effect, the tenant, and the lane of the effect: the claim reads the first two. */
function laneOf({ effect, perLane }: KnownEffect, command: Command, { scope }: TimerCause): string {
  const own = effect.lane?.(command as never, scopeOfEnvelope(scope) ?? noScope);
  const tenant = encodeURIComponent(scope?.['tenantId'] ?? '');
  const lane = `${perLane === 1 ? '1' : 'n'}|${effect.name}|${tenant}${own === undefined ? '' : `|${own}`}`;
  if (lane.length <= maxLaneLength && isStorable(JSON.stringify(lane))) return lane;
  throw new Problem('effect-invalid', {
    detail: `The lane of an effect, its name and the tenant must have at most ${maxLaneLength} characters, none of them U+0000.`,
  });
}
