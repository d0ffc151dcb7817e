import cluster from 'node:cluster';

/** Loaded before the program of a host: it exits as soon as it should drain. */
if (cluster.isWorker) process.prependListener('SIGTERM', () => process.exit(0));
