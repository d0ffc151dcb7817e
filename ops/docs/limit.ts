/** A limit, and the statement that sets it: a test compares them. */
export type Limit = readonly [what: string, limit: string, change: string, file: string, statement: string];
