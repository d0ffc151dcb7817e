import { availableParallelism } from 'node:os';
import { parentPort, Worker, workerData } from 'node:worker_threads';
import type { AnyPerspective } from '../../../contracts/perspective.js';
import { Problem } from '../../../contracts/problems.js';
import type { Long } from '../../../contracts/scalars.js';
import { openOwner } from '../../database/schema-owner.js';
import { enterSchema } from '../../database/schema-session.js';
import type { Partition } from '../../log/copy-events-from-log.js';
import { type ChangedRows, type FoldedPage, type FoldPartition, LocalPartition } from './fold-partition.js';
import { shadowOf } from '../tables/shadow-table.js';
import { perspectiveTable } from '../tables/perspective-table.js';

/** How another thread loads the same perspectives. */
export interface FoldThreads {
  /** A module that calls `serveFolding`. */
  readonly entry: URL;
  /** Its `process.argv`. */
  readonly argv?: readonly string[];
  /** Default: one for each core but one, if the rebuild is long enough. */
  readonly count?: number;
}

interface ThreadOptions {
  /** The URL of the owner. */
  readonly url: string;
  readonly name: string;
  readonly hash: string;
  readonly partition: Partition | undefined;
  readonly deferredKeys: readonly string[];
  readonly hasStoredRows: boolean;
  readonly rows?: number | undefined;
}

const maxThreads = 4;

/** Below this, starting a thread takes longer than it saves. */
const minEventsForThreads = 100_000;

/** The number of threads for this many events; the database needs a core too. */
export const threadCount = (events: number, count?: number): number =>
  count ?? (events < minEventsForThreads ? 1 : Math.min(maxThreads, availableParallelism() - 1));

type Call =
  | { readonly do: 'fold'; readonly after: Long; readonly to: Long }
  | { readonly do: 'changed' }
  | { readonly do: 'forget' };

type Answer = { readonly value: unknown } | { readonly failure: string } | { readonly counted: number };

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** A partition that another thread folds. */
export class ThreadPartition implements FoldPartition {
  readonly #worker: Worker;
  readonly #waiting: Waiting[] = [];
  #fault: Error | undefined;

  constructor({ entry, argv = [] }: FoldThreads, order: ThreadOptions, counted: (events: number) => void) {
    this.#worker = new Worker(entry, { argv: [...argv], workerData: order });
    this.#worker.on('message', (answer: Answer) => {
      if ('counted' in answer) return counted(answer.counted);
      const waiting = this.#waiting.shift();
      if ('value' in answer) waiting?.resolve(answer.value);
      else waiting?.reject(new Problem('unexpected', { detail: answer.failure }));
    });
    this.#worker.on('error', (error) => this.#fail(error));
    this.#worker.on('exit', () =>
      this.#fail(new Problem('unexpected', { detail: 'A thread ended unexpectedly.' })),
    );
  }

  fold(after: Long, to: Long): Promise<FoldedPage> {
    return this.#ask({ do: 'fold', after, to }) as Promise<FoldedPage>;
  }

  changed(): Promise<ChangedRows> {
    return this.#ask({ do: 'changed' }) as Promise<ChangedRows>;
  }

  async forget(): Promise<void> {
    await this.#ask({ do: 'forget' });
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }

  #ask(call: Call): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (this.#fault !== undefined) return reject(this.#fault);
      this.#waiting.push({ resolve, reject });
      this.#worker.postMessage(call);
    });
  }

  #fail(fault: Error): void {
    const first = (this.#fault ??= fault);
    for (const { reject } of this.#waiting.splice(0)) reject(first);
  }
}

/** Runs in a thread: folds on request, with the perspective of the given name. */
export async function serveFolding(perspectives: readonly AnyPerspective[]): Promise<void> {
  const { url, name, hash, ...order } = workerData as ThreadOptions;
  const perspective = perspectives.find((one) => one.name === name);
  const table = perspective === undefined ? undefined : perspectiveTable(perspective);
  if (perspective === undefined || table?.hash !== hash)
    throw new Problem('invalid-setup', {
      detail: `The perspective '${name}' is different when it is loaded in a thread.`,
    });
  const reader = await openOwner(url, 'svc-rebuild').session();
  await enterSchema(reader);
  const counted = (events: number): void => parentPort?.postMessage({ counted: events } satisfies Answer);
  const part = new LocalPartition({ ...order, perspective, table: shadowOf(table), reader, counted });
  const run = (call: Call): Promise<unknown> =>
    call.do === 'fold' ? part.fold(call.after, call.to) : part[call.do]();
  parentPort?.on('message', (call: Call) => {
    run(call).then(
      (value) => parentPort?.postMessage({ value } satisfies Answer),
      (error: unknown) =>
        parentPort?.postMessage({ failure: error instanceof Error ? error.message : String(error) }),
    );
  });
}
