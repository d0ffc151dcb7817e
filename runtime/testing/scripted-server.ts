import { Problem } from '../../contracts/problems.js';
import { newUuid } from '../../contracts/uuid.js';
import type { SqlFailure } from '../database/sql-error.js';
import type { EncodedUnit } from '../store/encode-unit.js';
import type { FlushRow } from '../store/flush-call.js';
import { GroupCommitWriter, type WriterLimits } from '../store/group-commit-writer.js';

type Script = SqlFailure | FlushRow | undefined;

/** Commits everything, unless its script defines another outcome for the next flush. */
export class ScriptedServer {
  readonly flushes: (readonly unknown[])[] = [];
  connections = 0;
  discarded = 0;
  /** How many further connections will fail. */
  unreachable = 0;
  readonly #script: (Script | Promise<Script>)[];
  readonly #sent: (() => void)[] = [];
  #position = 0;

  constructor(...script: Script[]) {
    this.#script = script;
  }

  get numbers(): unknown[] {
    return this.flushes.map(([, number]) => number);
  }

  /** The number of units of each flush. */
  get sizes(): number[] {
    return this.flushes.map(sizeOf);
  }

  writer(limits?: WriterLimits): GroupCommitWriter {
    return new GroupCommitWriter(
      {
        host: 'test',
        connect: () => this.#connect(),
        failureOf: (error) => (error instanceof ScriptedFailure ? error.kind : 'lost'),
        unavailable: (cause) => new Problem('store-unavailable', { cause }),
      },
      limits,
    );
  }

  /** The next flush is answered only when the test allows it. */
  hold(outcome?: Script): { readonly sent: Promise<void>; answer(): void } {
    let answer: () => void = () => undefined;
    this.#script.push(new Promise((resolve) => (answer = () => resolve(outcome))));
    const sent = new Promise<void>((resolve) => this.#sent.push(resolve));
    return { sent, answer: () => answer() };
  }

  async #connect() {
    if (this.unreachable-- > 0) throw new TypeError('connect ECONNREFUSED');
    this.unreachable = 0;
    this.connections++;
    return {
      send: (parameters: readonly unknown[]) => this.#send(parameters),
      sendOne: (parameters: readonly unknown[]) => this.#send(parameters),
      discard: () => void this.discarded++,
    };
  }

  async #send(parameters: readonly unknown[]): Promise<FlushRow> {
    this.flushes.push(parameters);
    const scripted = this.#script.shift();
    if (scripted instanceof Promise) this.#sent.shift()?.();
    const outcome = await scripted;
    if (typeof outcome === 'string') throw new ScriptedFailure(outcome);
    return outcome ?? this.#committed(sizeOf(parameters));
  }

  #committed(units: number): FlushRow {
    const positions = Array.from({ length: units }, () => ++this.#position).join();
    return [`{${Array(units).fill(1).join()}}`, `{${positions}}`, `{${positions}}`, ''];
  }
}

class ScriptedFailure extends Error {
  constructor(readonly kind: SqlFailure) {
    super(kind);
  }
}

/** The length of the list of event counts, one per unit; a flush of one event has no lists. */
function sizeOf(parameters: readonly unknown[]): number {
  const counts = parameters[5];
  return Buffer.isBuffer(counts) ? counts.readInt32BE(12) : 1;
}

export const unit = (): EncodedUnit => ({
  events: [
    { id: newUuid(), type: 'Happened', data: '{}', metadata: '{}', streamId: newUuid(), occurredAt: null },
  ],
  records: [],
  expected: new Map(),
  outcome: undefined,
  bytes: 100,
});

export const codeOf = (error: unknown): string => (error instanceof Problem ? error.code : String(error));
