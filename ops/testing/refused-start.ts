import { readConfig } from '../config/config.js';
import { errorText } from '../terminal/error-text.js';
import { ordersAlone } from './orders-alone.js';
import { startHost } from '../host/host.js';

/** What `svc start` would print. */
export async function refusalOf(env: Readonly<Record<string, string>>): Promise<string> {
  try {
    const host = await startHost(ordersAlone, readConfig({ SVC_PORT: '0', SVC_LOG: 'silent', ...env }));
    await host.stop();
    return 'started';
  } catch (error) {
    return errorText(error, env);
  }
}
