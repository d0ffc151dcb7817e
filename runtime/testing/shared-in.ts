import { opened } from './opened.js';

type Provide<T> = (body: (value: T) => Promise<void>) => Promise<void>;

export interface Suite {
  after(close: () => Promise<void>): void;
}

/** Provides the same value to all tests of a suite: opened for the first one that asks, closed after the last. */
export function sharedIn<T>(test: Suite, provide: Provide<T>): Provide<T> {
  let opening: ReturnType<typeof opened<T>> | undefined;
  test.after(async () => (await opening)?.close());
  return async (body) => {
    opening ??= opened(provide).catch((error: unknown) => {
      opening = undefined;
      throw error;
    });
    await body((await opening).value);
  };
}
