import type { Cancellation } from '../../runtime/lang/cancellation.js';

/** Stops waiting for a handler or a behavior when its request is aborted. */
export function rejectWhenAborted<T>(work: PromiseLike<T>, cancellation: Cancellation): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const before = cancellation.listen(() => {
      reject(cancellation.reason);
    });
    work.then(
      (value) => {
        cancellation.listen(before);
        resolve(value);
      },
      (error: unknown) => {
        cancellation.listen(before);
        reject(error);
      },
    );
  });
}
