import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Problem } from '../../../contracts/problems.js';
import type { DeploymentDriver, DeploymentTarget } from '../target.js';
import { type HaproxyConfig, haproxyConfigOf, type Slot } from './config.js';
import { Front } from './front.js';
import { type BoundSide, HaproxyTarget } from './haproxy-target.js';
import { Releases } from './releases.js';
import { readAssignments, type SlotAssignments, slotsFile, writeAssignments } from './slot-assignments.js';
import { type HostProgram, SlotSupervisor } from './slot-supervisor.js';

/** Deploys behind an HAProxy on this machine: one `svc supervise` in each of two slots. */
export function haproxyDriver(
  config: unknown,
  folder = process.cwd(),
  program: HostProgram = { env: process.env },
): DeploymentDriver {
  const driver = new HaproxyDriver(haproxyConfigOf(config, folder), program);
  return {
    revisions: () => driver.revisions(),
    prepare: (revision, source, signal) => driver.prepare(revision, source, signal),
  };
}

class HaproxyDriver {
  readonly #releases: Releases;
  readonly #front: Front;
  readonly #assignmentsPath: string;

  constructor(
    private readonly config: HaproxyConfig,
    private readonly program: HostProgram,
  ) {
    this.#releases = new Releases(config.releases);
    this.#front = new Front(config);
    this.#assignmentsPath = join(config.releases, slotsFile);
  }

  /** A revision whose hosts were stopped, such as by a restart of the machine, serves no more. */
  async revisions() {
    const { revisions, serving } = await readAssignments(this.#assignmentsPath);
    const known = (await this.#releases.known()).map(({ revision }) => revision);
    const slot = this.config.slots.find(({ name }) => name === serving);
    const last = slot === undefined ? undefined : revisions[slot.name];
    if (slot === undefined || last === undefined) return { current: undefined, known };
    const status = await (await this.#supervisorOf(slot, last))?.status();
    return { current: status === undefined || status.wanted === 0 ? undefined : last, known };
  }

  async prepare(
    revision: string,
    source: string | undefined,
    signal: AbortSignal,
  ): Promise<DeploymentTarget> {
    const { slots } = this.config;
    await this.#front.process(signal);
    await this.#front.servers(
      slots.map(({ server }) => server),
      signal,
    );
    const slot = await this.#slotFor(revision);
    await this.#keep(revision, source, slot, signal);
    await this.#assign(revision, slot, signal);
    const { revisions } = await readAssignments(this.#assignmentsPath);
    const other = this.#otherThan(slot);
    const bound = {
      old: await this.#bind(other, revisions[other.name]),
      new: await this.#bind(slot, revision),
    };
    return new HaproxyTarget(this.#front, bound, (side) => this.#serve(bound[side]));
  }

  /** The slot that holds it already, else the one that does not serve. */
  async #slotFor(revision: string): Promise<Slot> {
    const [first, second] = this.config.slots;
    const { revisions, serving } = await readAssignments(this.#assignmentsPath);
    const holding = this.config.slots.find(({ name }) => revisions[name] === revision);
    return holding ?? (serving === first.name ? second : first);
  }

  /** A build replaces what has the same name, unless that gets requests. */
  async #keep(revision: string, source: string | undefined, slot: Slot, signal: AbortSignal): Promise<void> {
    const kept = await this.#releases.find(revision);
    if (source === undefined) {
      if (kept !== undefined) return;
      const known = (await this.#releases.known()).map(({ revision: name }) => name);
      const others = known.length === 0 ? 'none is kept yet' : `kept are ${known.slice(0, 10).join(', ')}`;
      throw new Problem('not-found', { detail: `There is no revision ${revision}; ${others}.` });
    }
    // A deployment that goes back needs only what is kept.
    if (kept !== undefined && !existsSync(source)) return;
    const supervisor = await this.#supervisorOf(slot, revision);
    const status = await supervisor?.status();
    if (status !== undefined && status.wanted > 0) {
      await this.#mustBeIdle(revision, slot, signal);
      await this.#free(slot, supervisor, signal);
    }
    await this.#releases.keep(revision, source);
  }

  async #mustBeIdle(revision: string, slot: Slot, signal: AbortSignal): Promise<void> {
    const { serving } = await readAssignments(this.#assignmentsPath);
    const [server] = await this.#front.servers([slot.server], signal);
    if (serving === slot.name || (server?.weight ?? 0) > 0)
      throw new Problem('invalid-setup', {
        detail: `The revision ${revision} gets requests; give the new build another name with --revision.`,
      });
  }

  /** Frees the slot from an earlier revision, and of requests: new hosts get none before they are ready. */
  async #assign(revision: string, slot: Slot, signal: AbortSignal): Promise<void> {
    const assignments = await readAssignments(this.#assignmentsPath);
    const earlier = assignments.revisions[slot.name];
    const supervisor = earlier === undefined ? undefined : await this.#supervisorOf(slot, earlier);
    const status = await supervisor?.status();
    if (earlier === revision && status !== undefined && status.wanted > 0) return;
    await this.#free(slot, supervisor, signal);
    const revisions = { ...assignments.revisions, [slot.name]: revision };
    await writeAssignments(this.#assignmentsPath, { ...assignments, revisions });
  }

  /** Stops the hosts of a slot once they have answered what they had. */
  async #free(slot: Slot, supervisor: SlotSupervisor | undefined, signal: AbortSignal): Promise<void> {
    const { revisions } = await readAssignments(this.#assignmentsPath);
    const other = this.#otherThan(slot);
    const raised = revisions[other.name] === undefined ? [] : [[other.server, 100] as const];
    await this.#front.setWeights([...raised, [slot.server, 0]], signal);
    await this.#front.setMap({}, signal);
    if ((await supervisor?.status()) !== undefined) await this.#front.drain(slot.server, signal);
    await supervisor?.stop(signal);
  }

  async #serve({ slot, revision }: BoundSide): Promise<void> {
    if (revision === '') return;
    const assignments: SlotAssignments = await readAssignments(this.#assignmentsPath);
    await writeAssignments(this.#assignmentsPath, { ...assignments, serving: slot.name });
  }

  async #bind(slot: Slot, revision: string | undefined): Promise<BoundSide> {
    if (revision === undefined) return { slot, revision: '', supervisor: undefined };
    return { slot, revision, supervisor: await this.#supervisorOf(slot, revision) };
  }

  async #supervisorOf(slot: Slot, revision: string): Promise<SlotSupervisor | undefined> {
    const release = await this.#releases.find(revision);
    if (release === undefined) return undefined;
    const folder = this.#releases.folderOf(revision);
    return new SlotSupervisor(slot, release, folder, this.config.backend, this.program);
  }

  #otherThan(slot: Slot): Slot {
    const [first, second] = this.config.slots;
    return slot.name === first.name ? second : first;
  }
}
