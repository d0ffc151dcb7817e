import { type AnyActor, toPromise } from 'xstate';
import { stopOrphansOf } from './stop-orphaned-actors.js';

const maxStopMs = 4_000;

/** Starts an actor that finishes its current work on `stop`; returns how to stop it. */
export function startStoppable(
  actor: AnyActor,
  crashed: (error: unknown) => void = () => undefined,
): () => Promise<void> {
  const ended = toPromise(actor).then(
    () => undefined,
    (error: unknown) => {
      stopOrphansOf(actor);
      crashed(error);
    },
  );
  actor.start();
  return async () => {
    // A store that does not answer must not keep the host from stopping.
    const tooLong = setTimeout(() => actor.stop(), maxStopMs);
    actor.send({ type: 'stop' });
    await ended;
    clearTimeout(tooLong);
  };
}
