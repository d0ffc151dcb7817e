interface Opened<T> {
  readonly value: T;
  readonly close: () => Promise<void>;
}

/** Keeps what a function provides to its body until it is closed, so that several tests can use it. */
export const opened = <T>(
  provide: (body: (value: T) => Promise<void>) => Promise<void>,
): Promise<Opened<T>> =>
  new Promise((resolve, reject) => {
    const hold = (value: T): Promise<void> =>
      new Promise((end) => {
        const close = (): Promise<void> => {
          end();
          return closed;
        };
        resolve({ value, close });
      });
    const closed = provide(hold);
    closed.catch(reject);
  });
