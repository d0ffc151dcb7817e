import { spawn } from 'node:child_process';
import { mkdir, open, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Problem } from '../../../contracts/problems.js';
import { requestOfSupervisor, statusOf, type SupervisorStatus } from '../../supervise/status-socket.js';
import type { HaproxyConfig, Slot } from './config.js';
import type { Release } from './releases.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** How hosts are started. */
export interface HostProgram {
  readonly env: Environment;
  /** The module of `svc`; unset: that of the application's svc-runtime, or this one. */
  readonly cli?: string;
}

const pollMs = 50;
/** Hosts that cannot start usually fail this soon; the reason is then reported instead of a timeout. */
const failsWithinMs = 15_000;

/** The `svc supervise` of one revision in one slot. It outlives the process that starts it. */
export class SlotSupervisor {
  readonly #dataDir: string;
  readonly #log: string;

  constructor(
    private readonly slot: Slot,
    private readonly release: Release,
    folder: string,
    private readonly backend: HaproxyConfig['backend'],
    private readonly program: HostProgram,
  ) {
    this.#dataDir = join(folder, 'data');
    this.#log = join(folder, 'supervisor.log');
  }

  /** Undefined: no supervisor is running. */
  status(): Promise<SupervisorStatus | undefined> {
    return statusOf(this.#dataDir);
  }

  async scale(hosts: number, signal: AbortSignal, withinMs = failsWithinMs): Promise<void> {
    // Without hosts nothing has to be supervised: the revision is started again from what is kept of it.
    if (hosts === 0) return this.stop(signal);
    const until = performance.now() + Math.min(withinMs, failsWithinMs);
    for (;;) {
      const status = await this.status();
      if (status === undefined) return this.#start(hosts, signal, until);
      if (status.wanted === hosts && status.state !== 'stopping') return;
      if (status.state === 'running' || status.state === 'scaling') return this.#change(hosts, signal, until);
      await delay(pollMs, undefined, { signal });
    }
  }

  async stop(signal: AbortSignal): Promise<void> {
    if ((await this.status()) === undefined) return;
    await requestOfSupervisor(this.#dataDir, { stop: true });
    while ((await this.status()) !== undefined) await delay(pollMs, undefined, { signal });
  }

  async #change(hosts: number, signal: AbortSignal, until: number): Promise<void> {
    await requestOfSupervisor(this.#dataDir, { scale: hosts });
    while (performance.now() < until) {
      const status = await this.status();
      if (status?.lastError !== undefined) throw this.#problem(status.lastError);
      if (status?.state !== 'scaling' || status.hosts.length > hosts) return;
      await delay(pollMs, undefined, { signal });
    }
  }

  /** Resolves when its socket answers: a second call finds the same supervisor. */
  async #start(hosts: number, signal: AbortSignal, until: number): Promise<void> {
    if (!this.program.env['DATABASE_URL'])
      throw new Problem('invalid-setup', {
        detail: 'Set DATABASE_URL: the revisions on both sides of HAProxy share one database.',
      });
    await mkdir(this.#dataDir, { recursive: true, mode: 0o700 });
    const log = await open(this.#log, 'a', 0o600);
    const { size: start } = await log.stat();
    let exit: number | null | undefined;
    try {
      const args = [this.#cli(), 'supervise', this.release.app, '--hosts', String(hosts)];
      const stdio = ['ignore', log.fd, log.fd] as const;
      const child = spawn(process.execPath, args, {
        detached: true,
        stdio: [...stdio],
        env: this.#environment(),
      });
      child.once('exit', (code) => (exit = code));
      child.once('error', () => (exit = null));
      child.unref();
      for (;;) {
        const status = await this.status();
        if (status !== undefined && (status.state !== 'starting' || performance.now() > until)) return;
        if (exit !== undefined) throw this.#problem(await this.#reasonIn(start));
        await delay(pollMs, undefined, { signal });
      }
    } finally {
      await log.close();
    }
  }

  #environment(): NodeJS.ProcessEnv {
    const { env } = this.program;
    const name = `${env['SVC_NAME'] || this.backend}-${this.slot.name}`;
    return {
      ...env,
      SVC_NAME: name,
      SVC_REVISION: this.release.revision,
      SVC_PORT: String(this.slot.port),
      SVC_DATA_DIR: this.#dataDir,
    };
  }

  /** An application runs with the runtime that it was built with. */
  #cli(): string {
    if (this.program.cli !== undefined) return this.program.cli;
    try {
      const manifest = createRequire(join(this.release.app, 'package.json')).resolve(
        'svc-runtime/package.json',
      );
      return join(dirname(manifest), 'dist/ops/cli.js');
    } catch {
      return fileURLToPath(new URL('../../cli.js', import.meta.url));
    }
  }

  async #reasonIn(start: number): Promise<string> {
    const written = (await readFile(this.#log)).subarray(start).toString('utf8');
    const line = written.split('\n').findLast((candidate) => candidate.startsWith('svc: '));
    return line?.slice('svc: '.length) ?? `see ${this.#log}`;
  }

  #problem(reason: string): Problem {
    return new Problem('child-failed', {
      detail: `Revision ${this.release.revision} cannot be started: ${reason}`,
    });
  }
}
