import { setTimeout as delay } from 'node:timers/promises';
import { writeFile } from 'node:fs/promises';
import { Problem } from '../../../contracts/problems.js';
import { printableLine } from '../../../runtime/lang/printable.js';
import { printToStderr } from '../../terminal/print.js';
import type { HaproxyConfig } from './config.js';
import { runtimeCommand } from './runtime-socket.js';
import { serverStatsIn, type ServerStats, unservedIn } from './server-stats.js';

const oldest = [2, 6] as const;
const drainPollMs = 50;
const idleWithinMs = 30_000;
const backendsAndServers = 2 + 4;
const mostOfRefusal = 200;

/** One backend of a running HAProxy. */
export class Front {
  constructor(private readonly config: HaproxyConfig) {}

  /** The process id of HAProxy: another one means that weights, map and counters have started again. */
  async process(signal: AbortSignal): Promise<string> {
    const info = await this.#ask('show info', signal);
    const [, version = 'unknown', major, minor] = /^Version: ((\d+)\.(\d+)\S*)/m.exec(info) ?? [];
    if (Number(major) < oldest[0] || (Number(major) === oldest[0] && Number(minor) < oldest[1]))
      throw new Problem('invalid-setup', {
        detail: `HAProxy ${version} is too old; ${oldest.join('.')} or newer is needed.`,
      });
    const [, pid] = /^Pid: (\d+)/m.exec(info) ?? [];
    if (pid !== undefined && major !== undefined) return pid;
    throw new Problem('front-unreachable', { detail: 'The socket does not belong to an HAProxy.' });
  }

  /** The servers of the two slots, in the order of the names. */
  async servers(names: readonly string[], signal: AbortSignal): Promise<readonly ServerStats[]> {
    return (await this.stats(names, signal)).servers;
  }

  /** Also how many requests no server answered. */
  async stats(
    names: readonly string[],
    signal: AbortSignal,
  ): Promise<{ readonly servers: readonly ServerStats[]; readonly unserved: number }> {
    const { backend } = this.config;
    const text = await this.#ask(`show stat ${backend} ${backendsAndServers} -1`, signal);
    const found = serverStatsIn(text, backend);
    const servers = names.map((name) => {
      const server = found.find((candidate) => candidate.name === name);
      if (server !== undefined) return server;
      throw new Problem('invalid-setup', {
        detail: `HAProxy has no server ${name} in the backend ${backend}; compare deploy.json with haproxy.cfg.`,
      });
    });
    return { servers, unserved: unservedIn(text, backend) };
  }

  /** In the order given: raise before you lower. */
  async setWeights(weights: readonly (readonly [server: string, weight: number])[], signal: AbortSignal) {
    const { backend } = this.config;
    for (const [server, weight] of weights) {
      await this.#change(`set server ${backend}/${server} state ready`, signal);
      await this.#change(`set server ${backend}/${server} weight ${weight}`, signal);
    }
    await this.#keepState(signal);
  }

  /** The header x-canary chooses a server by this map. */
  async setMap(entries: Readonly<Record<string, string>>, signal: AbortSignal): Promise<void> {
    const map = await this.#map(signal);
    const present = new Map(
      (await this.#ask(`show map ${map}`, signal)).split('\n').map((line) => {
        const [, key = '', value = ''] = line.split(' ');
        return [key, value] as const;
      }),
    );
    for (const [key, server] of Object.entries(entries)) {
      if (present.get(key) === server) continue;
      const verb = present.has(key) ? 'set' : 'add';
      await this.#change(`${verb} map ${map} ${key} ${server}`, signal);
    }
    for (const key of present.keys())
      if (key !== '' && !Object.hasOwn(entries, key)) await this.#change(`del map ${map} ${key}`, signal);
  }

  /** Waits until a server has answered what it had; reports what is still open when the time is over. */
  async drain(server: string, signal: AbortSignal, withinMs = idleWithinMs): Promise<void> {
    const open = await this.untilIdle(server, signal, Math.min(withinMs, idleWithinMs));
    if (open > 0) printToStderr(openText(server, open));
  }

  /**
   * Clients that keep a stream open may do so until their host stops, which ends them: so the wait has a limit. Returns
   * how many requests are still open.
   */
  async untilIdle(server: string, signal: AbortSignal, atMostMs = idleWithinMs): Promise<number> {
    for (const end = performance.now() + atMostMs; ;) {
      const [stats] = await this.servers([server], signal);
      const open = stats?.inFlight ?? 0;
      if (open === 0 || performance.now() >= end) return open;
      await delay(drainPollMs, undefined, { signal });
    }
  }

  /** What HAProxy starts with. */
  async #keepState(signal: AbortSignal): Promise<void> {
    const { backend, state } = this.config;
    if (state === undefined) return;
    const text = await this.#ask(`show servers state ${backend}`, signal);
    await writeFile(state, `${text}\n`).catch((cause: unknown) => {
      const reason = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown';
      throw new Problem('invalid-setup', {
        detail: `The file ${state} cannot be written (${reason}); correct "state" in deploy.json, or its permissions.`,
        cause,
      });
    });
  }

  async #map(signal: AbortSignal): Promise<string> {
    const maps = [...(await this.#ask('show map', signal)).matchAll(/^-?\d+ \(([^)\s]+)\)/gm)];
    const found = maps.map(([, path = '']) => path).find((path) => isCanaryMap(path, this.config.map));
    if (found !== undefined) return found;
    throw new Problem('invalid-setup', {
      detail: `HAProxy uses no map ${this.config.map ?? canaryMap}; add the use-server line of ops/haproxy/haproxy.cfg.`,
    });
  }

  /** A change that was made has no answer. */
  async #change(command: string, signal: AbortSignal): Promise<void> {
    const [refusal = ''] = (await this.#ask(command, signal)).split('\n');
    if (refusal !== '')
      throw new Problem('front-unreachable', {
        detail: `HAProxy refused ${command}: ${printableLine(refusal.slice(0, mostOfRefusal))}`,
      });
  }

  #ask(command: string, signal: AbortSignal): Promise<string> {
    return runtimeCommand(this.config.socket, command, signal);
  }
}

const openText = (server: string, open: number): string =>
  `svc: ${open} ${open === 1 ? 'request is' : 'requests are'} still open at ${server}, such as a stream; stopping its hosts ends them.\n`;

const canaryMap = 'canary.map';
const isCanaryMap = (path: string, wanted: string | undefined): boolean =>
  wanted === undefined ? path === canaryMap || path.endsWith(`/${canaryMap}`) : path === wanted;
