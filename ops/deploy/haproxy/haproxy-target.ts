import type { DeploymentTarget, Report, Side, SideReport } from '../target.js';
import type { Slot } from './config.js';
import type { Front } from './front.js';
import { GrowingCounter } from './growing-counter.js';
import type { ServerStats } from './server-stats.js';
import type { SlotSupervisor } from './slot-supervisor.js';
import { UnservedRequests } from './unserved-requests.js';

/** One of the two revisions. */
export interface BoundSide {
  readonly slot: Slot;
  /** Empty: no revision was deployed before. */
  readonly revision: string;
  readonly supervisor: SlotSupervisor | undefined;
}

/** Records that a side has all requests. */
type OnServing = (side: Side) => Promise<void>;

/** Two revisions behind the two servers of one backend. */
export class HaproxyTarget implements DeploymentTarget {
  readonly #counters = { old: new GrowingCounter(), new: new GrowingCounter() };
  readonly #unserved = new UnservedRequests();
  #process: string | undefined;
  #toNew: number | undefined;
  #forced: boolean | undefined;

  constructor(
    private readonly front: Front,
    private readonly bound: Readonly<Record<Side, BoundSide>>,
    private readonly onServing: OnServing,
  ) {}

  async setWeights(toNew: number, signal: AbortSignal): Promise<void> {
    this.#toNew = toNew;
    const { old, new: next } = this.#servers;
    const raised = [
      [next, toNew],
      [old, 100 - toNew],
    ] as const;
    const [fromOld] = await this.front.servers([old], signal);
    const lowersOld = (fromOld?.weight ?? 0) >= 100 - toNew;
    await this.front.setWeights(lowersOld ? raised : raised.toReversed(), signal);
    if (toNew === 100) await this.onServing('new');
    if (toNew === 0) await this.onServing('old');
  }

  async force(enabled: boolean, signal: AbortSignal): Promise<void> {
    this.#forced = enabled;
    const { old, new: next } = this.#servers;
    await this.front.setMap(enabled ? { always: next, never: old } : {}, signal);
  }

  async observe(signal: AbortSignal): Promise<Report> {
    await this.#repeatAfterRestart(signal);
    const { servers, unserved } = await this.front.stats([this.#servers.old, this.#servers.new], signal);
    const [old, next] = servers;
    const weights = (old?.weight ?? 0) + (next?.weight ?? 0);
    const toNew = weights === 0 ? 0 : Math.round((100 * (next?.weight ?? 0)) / weights);
    // Kept for a restart of HAProxy before the first stage.
    this.#toNew ??= toNew;
    const lost = this.#unserved.add(unserved, toNew);
    return {
      old: await this.#reportOf('old', old, lost.old),
      new: await this.#reportOf('new', next, lost.new),
      toNew,
    };
  }

  async scale(side: Side, replicas: number, signal: AbortSignal, withinMs?: number): Promise<void> {
    await this.bound[side].supervisor?.scale(replicas, signal, withinMs);
  }

  switch(to: Side, signal: AbortSignal): Promise<void> {
    return this.setWeights(to === 'new' ? 100 : 0, signal);
  }

  async drain(side: Side, signal: AbortSignal, withinMs?: number): Promise<void> {
    const server = this.#servers[side];
    await this.front.setWeights([[server, 0]], signal);
    // A header must not choose a side that is about to stop.
    await this.force(false, signal);
    await this.front.drain(server, signal, withinMs);
  }

  get #servers(): Readonly<Record<Side, string>> {
    return { old: this.bound.old.slot.server, new: this.bound.new.slot.server };
  }

  /** A restarted HAProxy has the weights and the map of its files. */
  async #repeatAfterRestart(signal: AbortSignal): Promise<void> {
    const process = await this.front.process(signal);
    const isAnother = this.#process !== undefined && this.#process !== process;
    if (isAnother) this.#unserved.restart();
    if (isAnother && this.#toNew !== undefined) await this.setWeights(this.#toNew, signal);
    if (isAnother && this.#forced !== undefined) await this.force(this.#forced, signal);
    this.#process = process;
  }

  async #reportOf(side: Side, stats: ServerStats | undefined, lost: number): Promise<SideReport> {
    const { revision, supervisor } = this.bound[side];
    const status = await supervisor?.status();
    const replicas = status?.wanted ?? 0;
    const hosts = status?.hosts ?? [];
    const running = stats?.isUp === true ? hosts.filter(({ state }) => state === 'running').length : 0;
    // Hosts that drain are not stopped yet.
    const ready = replicas === 0 ? hosts.length : Math.min(running, replicas);
    const { requests, errors } = this.#counters[side].add(stats ?? { requests: 0, errors: 0 });
    return { revision, replicas, ready, requests: requests + lost, errors: errors + lost };
  }
}
