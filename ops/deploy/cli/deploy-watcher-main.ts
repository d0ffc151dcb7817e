import { outliveReaders } from '../../terminal/print.js';

/** The process behind `startWatcher`: stdin ends when the deploy command does. */
const [id = '', holder = ''] = process.argv.slice(2);

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
outliveReaders();

let received = '';
for await (const chunk of process.stdin) received += String(chunk);

if (received !== 'dismissed') {
  const { takeOver } = await import('./deploy-take-over.js');
  await takeOver(id, holder);
}
