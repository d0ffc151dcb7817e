import type { AnyActorRef } from 'xstate';

/** A machine that throws leaves the actors it invoked running; this stops them and their children. */
export function stopOrphansOf(crashed: AnyActorRef): void {
  const { children = {} } = crashed.getSnapshot() as { children?: Record<string, AnyActorRef | undefined> };
  for (const child of Object.values(children)) {
    if (child === undefined) continue;
    stopOrphansOf(child);
    child.send({ type: 'xstate.stop' });
  }
}
