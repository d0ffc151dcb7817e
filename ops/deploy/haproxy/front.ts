import { setTimeout as delay } from 'node:timers/promises';
import { writeFile } from 'node:fs/promises';
import { Problem } from '../../../contracts/problems.js';
import type { HaproxyConfig } from './config.js';
import { runtimeCommand } from './runtime-socket.js';
import { serverStatsIn, type ServerStats } from './server-stats.js';

const oldest = [2, 6] as const;
const drainPollMs = 50;

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
    const { backend } = this.config;
    const found = serverStatsIn(await this.#ask(`show stat ${backend} 4 -1`, signal), backend);
    return names.map((name) => {
      const server = found.find((candidate) => candidate.name === name);
      if (server !== undefined) return server;
      throw new Problem('invalid-setup', {
        detail: `HAProxy has no server ${name} in the backend ${backend}; compare deploy.json with haproxy.cfg.`,
      });
    });
  }

  /** In the order given: raise before you lower. */
  async setWeights(weights: readonly (readonly [server: string, weight: number])[], signal: AbortSignal) {
    const { backend, state } = this.config;
    for (const [server, weight] of weights) {
      await this.#change(`set server ${backend}/${server} state ready`, signal);
      await this.#change(`set server ${backend}/${server} weight ${weight}`, signal);
    }
    if (state !== undefined)
      await writeFile(state, `${await this.#ask(`show servers state ${backend}`, signal)}\n`);
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

  async untilIdle(server: string, signal: AbortSignal): Promise<void> {
    for (;;) {
      const [stats] = await this.servers([server], signal);
      if (stats === undefined || stats.inFlight === 0) return;
      await delay(drainPollMs, undefined, { signal });
    }
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
      throw new Problem('front-unreachable', { detail: `HAProxy refused ${command}: ${refusal}` });
  }

  #ask(command: string, signal: AbortSignal): Promise<string> {
    return runtimeCommand(this.config.socket, command, signal);
  }
}

const canaryMap = 'canary.map';
const isCanaryMap = (path: string, wanted: string | undefined): boolean =>
  wanted === undefined ? path === canaryMap || path.endsWith(`/${canaryMap}`) : path === wanted;
