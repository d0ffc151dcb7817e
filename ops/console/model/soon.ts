/** Now, or when another process has answered. */
export type Soon<T> = T | Promise<T>;
