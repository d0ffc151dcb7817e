import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isLong, isUuid, type Long, type Uuid } from '../../contracts/scalars.js';
import { newUuid } from '../../contracts/uuid.js';
import { log } from '../logging/log.js';
import { sha256 } from '../lang/sha256.js';
import { thrownMessage } from '../lang/thrown.js';

/** The newest event that a host has seen, and the epoch of its store then. */
export interface SeenEvent {
  readonly epoch: number;
  readonly position: Long;
  readonly eventId: Uuid;
}

/** Past these the oldest go: hosts that were renamed leave theirs behind. */
const maxFiles = 64;
const maxBytes = 1_024;
/** Nothing takes that long to write. */
const unfinishedMs = 60_000;

/**
 * What the hosts of a machine have seen, one file each: a store that was set back while none of them ran is found out by
 * the next one. A file that cannot be read or written is no reason not to run.
 */
export class WitnessFile {
  #written = '';
  #failure: string | undefined;

  constructor(
    private readonly folder: string,
    private readonly host: string,
  ) {}

  /** What hosts have seen of this store, oldest first. */
  async read(store: Uuid): Promise<readonly SeenEvent[]> {
    const found = await Promise.all((await filesIn(this.folder, store)).map(readSeen));
    return found
      .filter((seen) => seen !== undefined)
      .toSorted((one, other) => one.epoch - other.epoch || one.position - other.position);
  }

  /** Why the file could not be written, until it is. */
  get failure(): string | undefined {
    return this.#failure;
  }

  /** Replaces the file of this host; half of one is never there. Before a host has seen anything, it only tries. */
  async write(store: Uuid, seen: SeenEvent | undefined): Promise<void> {
    const { epoch, position, eventId } = seen ?? {};
    const text = JSON.stringify({ host: this.host, store, epoch, position, eventId });
    if (text === this.#written) return;
    const path = join(this.folder, `${store}-${sha256(this.host).toString('hex').slice(0, 16)}.json`);
    // In a rolling restart two processes are the same host for a while.
    const unfinished = `${path}.${newUuid()}.new`;
    try {
      await mkdir(this.folder, { recursive: true, mode: 0o700 });
      await writeFile(unfinished, text, { flush: true });
      await (seen === undefined ? rm(unfinished) : rename(unfinished, path));
      this.#written = text;
      this.#failure = undefined;
    } catch (err) {
      this.#failed(err);
    }
  }

  #failed(err: unknown): void {
    const isKnown = this.#failure !== undefined;
    this.#failure = thrownMessage(err);
    if (!isKnown) log.warn({ err }, 'this host cannot record what it has seen of its store');
  }
}

/** The files of a store, newest first. Removes the oldest, and what processes that died left unfinished. */
async function filesIn(folder: string, store: Uuid): Promise<readonly string[]> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.startsWith(store));
  const dated = await Promise.all(
    names.map(async (name) => {
      const path = join(folder, name);
      return { path, at: (await stat(path).catch(() => undefined))?.mtimeMs ?? 0 };
    }),
  );
  const sorted = dated
    .filter(({ path }) => path.endsWith('.json'))
    .toSorted((one, other) => other.at - one.at);
  const unfinished = dated.filter(({ path, at }) => path.endsWith('.new') && at < Date.now() - unfinishedMs);
  for (const { path } of [...sorted.slice(maxFiles), ...unfinished])
    await rm(path, { force: true }).catch(() => undefined);
  return sorted.slice(0, maxFiles).map(({ path }) => path);
}

async function readSeen(path: string): Promise<SeenEvent | undefined> {
  try {
    return seenIn(await readFile(path, 'utf8'));
  } catch (err) {
    log.warn({ err, path }, 'this host cannot read what it has seen of its store');
    return undefined;
  }
}

/** Undefined if it has another form. */
function seenIn(text: string): SeenEvent | undefined {
  if (text.length > maxBytes) return undefined;
  const { epoch, position, eventId } = JSON.parse(text) as Readonly<Record<string, unknown>>;
  const isSeen = isEpoch(epoch) && isLong(position) && position > 0 && isUuid(eventId);
  return isSeen ? { epoch, position, eventId } : undefined;
}

const isEpoch = (value: unknown): value is number =>
  Number.isInteger(value) && Number(value) > 0 && Number(value) < 2 ** 31 - 1;
