import { pathToFileURL } from 'node:url';
import { closedLoop, type Order } from './closed-loop.js';
import type { OpenLog } from './event-log.js';

/** Keeps one store open and measures it on request. */
const [module = '', url = ''] = process.argv.slice(2);
const { openLog } = (await import(pathToFileURL(module).href)) as { openLog: OpenLog };
const log = await openLog(url);
process.on('message', (order: Order) => {
  void closedLoop(log, order).then((throughput) => process.send?.(throughput));
});
process.once('disconnect', () => {
  void log.close();
});
process.send?.('ready');
