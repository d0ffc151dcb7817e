import { type AnyActor, toPromise } from 'xstate';
import { endOrphansOf } from './orphans.js';

const longestStopMs = 4_000;

/** Starts an actor that finishes what it is at when it is told to stop, and answers how to stop it. */
export function startStoppable(
  actor: AnyActor,
  crashed: (error: unknown) => void = () => undefined,
): () => Promise<void> {
  const ended = toPromise(actor).then(
    () => undefined,
    (error: unknown) => {
      endOrphansOf(actor);
      crashed(error);
    },
  );
  actor.start();
  return async () => {
    // A store that does not answer must not keep the host from ending.
    const tooLong = setTimeout(() => actor.stop(), longestStopMs);
    actor.send({ type: 'stop' });
    await ended;
    clearTimeout(tooLong);
  };
}
