/** Now, or when another process has answered. */
export type MaybePromise<T> = T | Promise<T>;
