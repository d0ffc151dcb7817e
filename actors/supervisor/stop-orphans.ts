import type { AnyActorRef } from 'xstate';

/** A machine that throws leaves the actors it invoked running; this ends them, and theirs. */
export function stopOrphansOf(crashed: AnyActorRef): void {
  const { children = {} } = crashed.getSnapshot() as { children?: Record<string, AnyActorRef | undefined> };
  for (const child of Object.values(children)) {
    if (child === undefined) continue;
    stopOrphansOf(child);
    child.send({ type: 'xstate.stop' });
  }
}
