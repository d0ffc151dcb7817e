import { Problem } from '../../contracts/problems.js';
import { boundedFetch } from './bounded-fetch.js';
import { type CheckOutcome, checked, passed } from './report.js';

const name = 'nats-durability';
const atMostMs = 15_000;

/** Whether each NATS server has a message on its disk before it acknowledges it, read at its monitoring port. */
export const natsDurability = async (monitors: readonly URL[] = []): Promise<CheckOutcome> =>
  monitors.length === 0
    ? passed(name, 'not checked (--nats-monitor URL)')
    : checked(name, atMostMs, async () => {
        const servers = await Promise.all(monitors.map(flushingServer));
        return `flushed before they are acknowledged: ${servers.join(', ')}`;
      });

async function flushingServer(monitor: URL): Promise<string> {
  const url = new URL(`${monitor.pathname.replace(/\/$/, '')}/varz`, monitor);
  const { status, text } = await boundedFetch(url);
  if (status !== 200) throw unfit(`${url.href} answered ${status}: name the monitoring port`);
  return flushingServerIn(text, monitor.host);
}

interface Varz {
  readonly version: string;
  readonly jetstream?: { readonly config?: { readonly sync_always?: unknown } };
}

/** Reads the answer of `/varz`; a server that may lose what it acknowledged is refused. */
export function flushingServerIn(varz: string, server: string): string {
  const { version, jetstream } = varzIn(varz, server);
  if (jetstream?.config === undefined) throw unfit(`JetStream is off at ${server}`);
  if (!isAtLeast210(version))
    throw unfit(`${server} is NATS ${version}, which cannot flush each message: use 2.10 or newer`);
  if (jetstream.config.sync_always !== true)
    throw unfit(`${server} acknowledges messages before they are on its disk: set sync_interval: always`);
  return `NATS ${version} at ${server}`;
}

function varzIn(text: string, server: string): Varz {
  const varz = parsed(text);
  if (typeof varz === 'object' && varz !== null && 'version' in varz && typeof varz.version === 'string')
    return varz as Varz;
  throw unfit(`${server} is not the monitoring port of a NATS server`);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isAtLeast210(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.', 2).map(Number);
  return major > 2 || (major === 2 && minor >= 10);
}

const unfit = (detail: string): Problem => new Problem('invalid-setup', { detail: `${detail}.` });
