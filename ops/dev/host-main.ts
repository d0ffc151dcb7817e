import { logForMachines } from '../../runtime/logging/log.js';
import { loadService } from '../service/load-service.js';
import { readConfig } from '../config/config.js';
import { errorText } from '../terminal/error-text.js';
import { type Host, startHost } from '../host/host.js';
import { runHostProcess } from '../host/run-host-process.js';
import { outliveReaders, printToStderr } from '../terminal/print.js';
import type { Begin, FromDevHost, ToDevHost } from './messages.js';

let host: Host | undefined;

const send = (message: FromDevHost): void => void process.send?.(message);

process.on('message', (message: ToDevHost) => {
  if (message.type === 'begin') void begin(message);
  else void stop();
});
outliveReaders();
send({ type: 'loaded' });

async function begin({ generatedToken, json }: Begin): Promise<void> {
  if (json) logForMachines();
  try {
    const definition = await loadService(process.argv[2] ?? '');
    const config = { ...readConfig(), generatedToken };
    await runHostProcess(
      config,
      (signal) => startHost(definition, config, undefined, { signal }),
      (started) => {
        host = started;
        const { openApi, schema } = started.registry;
        const documents = {
          ...(openApi === undefined ? {} : { openApi }),
          ...(schema === undefined ? {} : { schema }),
        };
        send({ type: 'listening', url: started.url, service: definition.name, documents });
      },
    );
  } catch (error) {
    printToStderr(errorText(error));
    process.exit(1);
  }
}

/** Without the notice that a load balancer needs. */
async function stop(): Promise<void> {
  await host?.stop();
  process.exit(0);
}
