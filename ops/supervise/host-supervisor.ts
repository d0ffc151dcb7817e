import cluster from 'node:cluster';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { restartDefaults } from '../../actors/supervisor/restart-policy.js';
import { Supervisor } from '../../actors/supervisor/supervisor.js';
import { freePort } from '../../runtime/database/embedded/operating-system.js';
import { startEmbeddedServer } from '../../runtime/database/embedded-server.js';
import { log } from '../../runtime/logging/log.js';
import type { Config } from '../config/config.js';
import { environmentOf } from '../config/store-urls.js';
import { Problem } from '../../contracts/problems.js';
import { HostMetrics } from './combine-host-metrics.js';
import { HostSlot } from './host-slot.js';
import { HostSlots } from './host-slots.js';
import { HostProcess } from './host-process.js';
import { Quarantine, quarantineDefaults } from './quarantine.js';
import { StandbyHost } from './standby-host.js';
import { type SupervisorControl, type SupervisorStatus, statusSocket } from './status-socket.js';
import { PeerRouter } from './peer-router.js';
import { startWatchdog, checkVitals, watchdogDefaults } from './watchdog.js';

export interface SuperviseOptions {
  readonly app: string;
  readonly hosts: number;
  /** In bytes. */
  readonly maxMemory: number | undefined;
  readonly maxRestarts: number | undefined;
  /** A host whose event loop is blocked for longer is replaced. */
  readonly patienceMs: number;
  /** The number of hosts lost to one command that puts it in quarantine; 0: never. */
  readonly quarantineAfter: number;
}

/** N host processes on one port; shared parts start before them and stop after them. */
export class HostSupervisor {
  readonly #supervisor: Supervisor;
  readonly #slots = new HostSlots((number) => this.#createSlot(number));
  readonly #router = new PeerRouter(() => this.#slots.staying.map(({ name }) => name));
  readonly #standby: StandbyHost;
  readonly #quarantine: Quarantine;
  #state: SupervisorStatus['state'] = 'starting';
  #env: Record<string, string> = {};
  #servedAt = '';
  /** The changes of the number of hosts that have not ended. */
  #changes = 0;
  #lastError: string | undefined;

  constructor(
    private readonly options: SuperviseOptions,
    private readonly config: Config,
  ) {
    const restarts = options.maxRestarts ?? restartDefaults.restarts;
    this.#supervisor = new Supervisor({ policy: { ...restartDefaults, restarts } });
    this.#quarantine = new Quarantine({ ...quarantineDefaults, after: options.quarantineAfter });
    const measured = new HostMetrics(() => this.#measured);
    const metrics = (host: string | undefined) => measured.text(host);
    const refused = () => this.#quarantine.entriesAt(Date.now());
    this.#standby = new StandbyHost(
      () => new HostProcess(cluster.fork(this.#env), metrics, this.#router, refused, config.generatedToken),
    );
  }

  /** Resolves when all have stopped, with the failure that caused it, if any. */
  get ended(): Promise<unknown> {
    return this.#supervisor.ended;
  }

  /** Resolves with the address when every host is ready. */
  async start(): Promise<string> {
    const { config, options } = this;
    await this.#supervisor.start({
      name: 'status',
      start: () => statusSocket(config.dataDir, this.#control),
    });
    this.#env = await this.#environment();
    // Hosts accept connections from the kernel: a connection that the supervisor hands to a dying host would hang
    // forever.
    cluster.schedulingPolicy = cluster.SCHED_NONE;
    cluster.setupPrimary({
      exec: fileURLToPath(new URL('host-main.js', import.meta.url)),
      args: [options.app],
      execArgv: [...process.execArgv, '--enable-source-maps'],
      stdio: ['inherit', 'inherit', 'inherit', 'ipc', 'pipe'],
    });
    await this.#supervisor.start({
      name: 'watchdog',
      start: () => ({ stop: startWatchdog((...seen) => this.#checkHosts(...seen)) }),
    });
    const [first, ...others] = this.#slots.growTo(options.hosts);
    // The first host migrates the schema; the others find it up to date.
    if (first !== undefined) await this.#supervisor.start(first);
    await Promise.all(others.map((slot) => this.#supervisor.start(slot)));
    this.#servedAt = this.#url;
    this.#setState('running');
    return this.#url;
  }

  /** Adds hosts, or drains those with the highest numbers; a later call need not wait for an earlier one. */
  scale(hosts: number): void {
    if (this.#state !== 'running' && this.#state !== 'scaling')
      throw new Problem('invalid-setup', { detail: `The supervisor is ${this.#state}; scale it later.` });
    this.#state = 'scaling';
    this.#lastError = undefined;
    log.info({ hosts, from: this.#slots.staying.length }, 'scaling');
    const leaving = this.#slots.shrinkTo(hosts);
    const added = this.#slots.growTo(hosts);
    this.#router.namesChanged();
    void this.#finishScaling([
      ...leaving.map((slot) => this.#removeSlot(slot)),
      ...added.map((slot) => this.#addSlot(slot)),
    ]);
  }

  /** Restarts one after another, each only when its successor is ready; a failure leaves the rest as they are. */
  async reload(): Promise<void> {
    if (this.#state !== 'running') {
      log.warn({ state: this.#state }, 'the rolling restart is refused for now');
      return;
    }
    log.info('rolling restart started');
    await this.#runChange(async () => {
      await this.#standby.discard();
      for (const slot of this.#slots.staying) await slot.replace();
      log.info('rolling restart done');
    });
  }

  /** All drain at the same time. */
  async stop(): Promise<void> {
    this.#state = 'stopping';
    const draining = [this.#standby.discard(), ...this.#slots.all.map((slot) => slot.drain())];
    await this.#supervisor.stop();
    await Promise.all(draining);
  }

  get #control(): SupervisorControl {
    return {
      status: () => this.status,
      scale: (hosts) => this.scale(hosts),
      // The process drains and exits as it does for its service manager.
      stop: () => void process.kill(process.pid, 'SIGTERM'),
    };
  }

  get #url(): string {
    return this.#slots.all.find(({ url }) => url !== '')?.url ?? this.#servedAt;
  }

  get status(): SupervisorStatus {
    const { tree } = this.#supervisor;
    return {
      pid: process.pid,
      app: this.options.app,
      url: this.#url,
      state: this.#state,
      wanted: this.#slots.staying.length,
      ...(this.#lastError === undefined ? {} : { lastError: this.#lastError }),
      quarantined: this.#quarantine.entriesAt(Date.now()),
      hosts: this.#slots.all.flatMap(({ name, current }) => {
        const child = tree.find((candidate) => candidate.name === name);
        if (child === undefined) return [];
        const since = child.state === 'running' ? (current?.readyAt ?? child.since) : child.since;
        return { ...child, since, pid: current?.pid, memory: current?.memory };
      }),
    };
  }

  #createSlot(number: number): HostSlot {
    return new HostSlot(
      `${this.config.name}-${number}`,
      () => this.#standby.take(),
      () => this.#prepareStandby(),
    );
  }

  async #addSlot(slot: HostSlot): Promise<void> {
    try {
      await this.#supervisor.start(slot);
    } catch (error) {
      // A slot that leaves already was drained on purpose.
      if (!this.#slots.staying.includes(slot)) return;
      this.#lastError = `${slot.name} did not start: ${error instanceof Error ? error.message : String(error)}`;
      log.error({ host: slot.name, err: error }, 'an added host did not start');
      await this.#removeSlot(slot);
    }
  }

  async #removeSlot(slot: HostSlot): Promise<void> {
    await Promise.all([slot.drain(), this.#supervisor.remove(slot)]);
    this.#slots.delete(slot);
    this.#router.namesChanged();
  }

  async #finishScaling(changes: readonly Promise<void>[]): Promise<void> {
    this.#changes++;
    await Promise.allSettled(changes);
    if (--this.#changes > 0 || this.#state !== 'scaling') return;
    log.info({ hosts: this.#slots.all.length }, 'scaled');
    if (this.#slots.all.length === 0) await this.#standby.discard();
    this.#setState('running');
  }

  get #measured() {
    const { hosts } = this.status;
    return this.#slots.all.flatMap(({ name, current }) => {
      const status = hosts.find((host) => host.name === name);
      return status === undefined ? [] : { status, metrics: async () => current?.metrics() };
    });
  }

  /** The supervisor owns the embedded server, which outlives every host. */
  async #environment(): Promise<Record<string, string>> {
    const { config } = this;
    const port = config.port === 0 ? await freePort() : config.port;
    const env = { SVC_PORT: String(port) };
    if (config.databaseUrl !== undefined) return env;
    const open = () => startEmbeddedServer({ dataDir: resolve(config.dataDir), keepsRunning: true });
    const server = await this.#supervisor.keep('postgres', open, (opened) => opened.stop());
    return { ...env, ...environmentOf(server) };
  }

  get #processes() {
    return this.#slots.all.flatMap((slot) => slot.processes.map((host) => ({ slot, host })));
  }

  #checkHosts(silenceCounts: boolean, sinceMs: number): void {
    const { maxMemory, patienceMs: silentMs } = this.options;
    const limits = { ...watchdogDefaults, maxMemory, silentMs };
    for (const { slot, host } of this.#processes) {
      // A loss counts once, however long the process takes to end.
      if (host.isEnding || host.isKilled) continue;
      if (silenceCounts) host.excuseSilence(sinceMs);
      else host.heartbeatAt = Date.now();
      const diagnoseMs = host.isBeingDiagnosed ? watchdogDefaults.diagnoseMs : 0;
      const vitals = checkVitals(host, { ...limits, silentMs: silentMs + diagnoseMs }, Date.now());
      if (vitals === 'silent') this.#replaceBlocked(slot, host);
      if (vitals === 'too-large') this.#replaceLarge(slot, host.memory);
    }
  }

  #replaceBlocked(slot: HostSlot, host: HostProcess): void {
    const running = host.killBlocked()?.running;
    if (running === undefined) return;
    const entry = this.#quarantine.recordLoss(running, Date.now());
    log.warn(
      { host: slot.name, pid: host.pid, ...running },
      'a host was lost to a command that blocked its event loop',
    );
    if (entry === undefined) return;
    log.error({ ...entry, until: new Date(entry.until).toISOString() }, 'a command is in quarantine');
    this.#sendQuarantine();
  }

  #sendQuarantine(): void {
    const commands = this.#quarantine.entriesAt(Date.now());
    for (const slot of this.#slots.all) slot.send({ type: 'quarantine', commands });
  }

  #replaceLarge(slot: HostSlot, memory: number): void {
    if (this.#state !== 'running') return;
    log.warn({ host: slot.name, memory }, 'a host uses too much memory and is replaced');
    void this.#runChange(() => slot.replace());
  }

  /** One change at a time. */
  async #runChange(change: () => Promise<void>): Promise<void> {
    this.#state = 'reloading';
    try {
      await change();
    } catch (err) {
      log.error({ err }, 'the change was aborted: a new host did not become ready');
    }
    if (this.#state === 'reloading') this.#setState('running');
  }

  #setState(state: 'running'): void {
    if (this.#state === 'stopping') return;
    this.#state = state;
    this.#prepareStandby();
  }

  /** Load the next standby after this one has started, so that they do not compete. */
  #prepareStandby(): void {
    if (this.#state === 'running' && this.#slots.staying.length > 0) this.#standby.prepare();
  }
}
