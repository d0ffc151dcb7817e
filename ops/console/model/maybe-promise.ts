/** A value that is available now, or once another process has answered. */
export type MaybePromise<T> = T | Promise<T>;
