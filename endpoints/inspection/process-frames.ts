import type { AnyStateMachine, StateValue } from 'xstate';
import { machineJson } from '../lifecycle/machine-json.js';
import { actorFrame, eventFrame, snapshotFrame } from './frames.js';

/** What is shown of a step of a process: ids, types and states, never its context. */
export interface ShownProcess {
  readonly name: string;
  readonly key: string;
  readonly machine: AnyStateMachine;
  readonly steps: readonly { readonly event: string; readonly to: string }[];
  readonly hasEnded: boolean;
}

/**
 * An instance as an actor of Stately's protocol. It is introduced in every step: it may have begun on another host, or
 * before anyone looked.
 */
export function processFrames(host: string, shown: ShownProcess): readonly string[] {
  const { name, key, machine, steps, hasEnded } = shown;
  const sessionId = `${host}/${name}/${key}`;
  const of = { rootId: sessionId, sessionId, at: Date.now() };
  return [
    actorFrame(of, `${name} ${key}`, machineJson(machine)),
    ...steps.flatMap(({ event: type, to }, index) => {
      const status = hasEnded && index === steps.length - 1 ? 'done' : 'active';
      return [eventFrame(of, { type }), snapshotFrame(of, { type }, { status, value: stateValueOf(to) })];
    }),
  ];
}

/** `open.waiting` and `stock.reserved, payment.due`, as XState writes them. */
export function stateValueOf(text: string): StateValue {
  const byState = new Map<string, string[]>();
  for (const path of text.split(', ')) {
    const [state = '', ...inner] = path.split('.');
    byState.set(state, [...(byState.get(state) ?? []), inner.join('.')]);
  }
  const [[only = '', within = []] = []] = byState;
  if (byState.size === 1 && within.join('') === '') return only;
  return Object.fromEntries(
    [...byState].map(([state, inside]) => [
      state,
      inside.join('') === '' ? {} : stateValueOf(inside.join(', ')),
    ]),
  );
}
