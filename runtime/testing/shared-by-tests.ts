import { ok } from 'node:assert/strict';
import { opened } from './opened.js';

/** What `suite()` returns. */
export interface Suite {
  before(hook: () => Promise<void>): void;
  after(hook: () => Promise<void>): void;
}

/** Keeps what a function provides for all tests of a suite; each of them asks for it. */
export function sharedByTests<T>(
  test: Suite,
  provide: (body: (value: T) => Promise<void>) => Promise<void>,
): () => T {
  let shared: Awaited<ReturnType<typeof opened<T>>> | undefined;
  test.before(async () => {
    shared = await opened(provide);
  });
  test.after(async () => {
    await shared?.close();
  });
  return () => {
    ok(shared, 'only a test of the suite may ask');
    return shared.value;
  };
}
