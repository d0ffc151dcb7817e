/** The role of all connections but the migrating one: it may read, and call the functions that change the store. */
export const runtimeRole = 'svc_runtime';
