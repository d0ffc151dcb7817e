import { EventEmitter } from 'node:events';
import { mergePatch } from './merge-patch.js';
import { schemaFaults } from './schemas.js';

export interface Stored {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly resourceVersion: string;
    readonly generation?: number;
    readonly labels?: Readonly<Record<string, string>>;
    readonly deletionTimestamp?: string;
  };
  readonly spec?: Readonly<Record<string, unknown>>;
  readonly status?: unknown;
}

export interface Change {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly collection: string;
  readonly object: Stored;
}

/** An answer other than success, as the API server words it. */
export class Refusal extends Error {
  constructor(
    readonly code: number,
    readonly reason: string,
    message: string,
  ) {
    super(message);
  }
}

/** Objects by collection and name, with one sequence of resource versions and a history of all changes. */
export class ObjectStore {
  readonly history: Change[] = [];
  readonly changed = new EventEmitter().setMaxListeners(0);
  readonly #objects = new Map<string, Stored>();
  #version = 100;

  get version(): string {
    return String(this.#version);
  }

  list(collection: string): readonly Stored[] {
    return [...this.#objects].filter(([key]) => key.startsWith(`${collection}/`)).map(([, object]) => object);
  }

  get(collection: string, name: string): Stored {
    const found = this.#objects.get(`${collection}/${name}`);
    if (found === undefined)
      throw new Refusal(404, 'NotFound', `${collection.split('/').at(-1)} "${name}" not found`);
    return found;
  }

  async create(collection: string, object: Stored): Promise<Stored> {
    const { name } = object.metadata;
    if (this.#objects.has(`${collection}/${name}`))
      throw new Refusal(409, 'AlreadyExists', `"${name}" already exists`);
    await mustFit(object);
    const metadata = { ...object.metadata, generation: 1, creationTimestamp: timestamp() };
    return this.#write('ADDED', collection, { ...object, metadata });
  }

  /** The version is compared at once with the write: checks that wait come before. */
  async patch(collection: string, name: string, patch: object, part: 'main' | 'status'): Promise<Stored> {
    const before = this.get(collection, name);
    mustBeCurrent(before, patch, part);
    const merged = mergePatch(before, patch) as Stored;
    const after =
      part === 'status' ? { ...before, status: merged.status } : { ...merged, status: before.status };
    await mustFit(after);
    const now = this.get(collection, name);
    if (now !== before) throw modified(name);
    if (JSON.stringify(after) === JSON.stringify(before)) return before;
    mustKeepSelector(before, after);
    const isNewSpec = JSON.stringify(after.spec) !== JSON.stringify(before.spec);
    const generation = (before.metadata.generation ?? 0) + (isNewSpec ? 1 : 0);
    return this.#write('MODIFIED', collection, { ...after, metadata: { ...after.metadata, generation } });
  }

  remove(collection: string, name: string): Stored {
    const object = this.get(collection, name);
    this.#objects.delete(`${collection}/${name}`);
    return this.#record('DELETED', collection, object);
  }

  #write(type: Change['type'], collection: string, object: Stored): Stored {
    const written = this.#record(type, collection, object);
    this.#objects.set(`${collection}/${object.metadata.name}`, written);
    return written;
  }

  #record(type: Change['type'], collection: string, object: Stored): Stored {
    const resourceVersion = String(++this.#version);
    const written = { ...object, metadata: { ...object.metadata, resourceVersion } };
    const change = { type, collection, object: written };
    this.history.push(change);
    this.changed.emit('change', change);
    return written;
  }
}

const timestamp = (): string => new Date().toISOString().replace(/\.\d+Z$/, 'Z');

async function mustFit(object: Stored): Promise<void> {
  const faults = await schemaFaults(object);
  if (faults.length > 0)
    throw new Refusal(
      422,
      'Invalid',
      `${object.kind} "${object.metadata.name}" is invalid: ${faults.join('; ')}`,
    );
}

/** Stricter than a real server: a patch without a version could undo what another client wrote. */
export function mustBeCurrent(object: Stored, patch: object, part: 'main' | 'status' = 'main'): void {
  const { resourceVersion } = (patch as { metadata?: { resourceVersion?: string } }).metadata ?? {};
  if (resourceVersion === undefined && part === 'main')
    throw new Refusal(422, 'Invalid', 'metadata.resourceVersion: a patch must say what it was made from');
  if (resourceVersion !== undefined && resourceVersion !== object.metadata.resourceVersion)
    throw modified(object.metadata.name);
}

const modified = (name: string): Refusal =>
  new Refusal(
    409,
    'Conflict',
    `Operation cannot be fulfilled on "${name}": the object has been modified; please apply your changes to the latest version and try again`,
  );

function mustKeepSelector(before: Stored, after: Stored): void {
  const isKept = JSON.stringify(before.spec?.['selector']) === JSON.stringify(after.spec?.['selector']);
  if (before.kind === 'Deployment' && !isKept)
    throw new Refusal(422, 'Invalid', 'spec.selector: field is immutable');
}
