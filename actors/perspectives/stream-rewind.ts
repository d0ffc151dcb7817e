import { Problem } from '../../contracts/problems.js';
import type { Long, Uuid } from '../../contracts/scalars.js';
import { failpoint } from '../../runtime/lang/failpoint.js';
import type { WriteBatch, Replay } from '../../runtime/perspectives/fold/write-batch.js';
import type { Folded } from '../../runtime/perspectives/fold/fold.js';
import type { Page } from '../../runtime/log/log-entry.js';
import type { StreamRewind as SharedRewind } from '../../runtime/perspectives/perspective-store.js';
import {
  perspectiveRewindCompleted,
  perspectiveRewindStarted,
  streamRewindCompleted,
  streamRewindStarted,
} from '../../runtime/perspectives/rewind/rewind-events.js';
import { type LateStream, planRewind } from '../../runtime/perspectives/rewind/rewind-plan.js';
import { orArchived } from '../../runtime/store/must-hold.js';
import { PerspectiveRound, type RoundEnd } from './perspective-round.js';

interface Rewound {
  readonly folded: Folded;
  readonly replay: Replay | undefined;
}

/** Folds a page with late events: their streams again from the nearest snapshot before them, all others as usual. */
export class StreamRewind extends PerspectiveRound {
  async rewind(page: Page | undefined): Promise<RoundEnd> {
    if (page === undefined) return { ended: 'moved', behind: true };
    const { progress } = this;
    const plan = planRewind(page.entries, progress.parked);
    const claimed = await this.#claim(page.to);
    const rewound: Rewound[] = [];
    for (const stream of plan.streams)
      rewound.push(await this.#replay(stream, page.to, claimed.get(stream.key)));
    const others = await this.foldAll(plan.others);
    const redone = this.resultsOf(rewound.map(({ folded }) => folded));
    const more: Partial<WriteBatch> = {
      forget: plan.forget,
      replays: rewound.flatMap(({ replay }) => (replay === undefined ? [] : [replay])),
    };
    const attempted = {
      // A row that fails keeps its served model; its release folds it from the snapshot before.
      folded: [...others.folded, ...redone.folded.filter(({ failure }) => failure === undefined)],
      parked: [...others.parked, ...redone.parked],
      failures: [...others.failures, ...redone.failures],
    };
    const end = await this.write(page, attempted, more);
    if (end.ended === 'moved') await this.reportRewinds();
    return end;
  }

  /** Reports rewinds that are written and not reported yet, also those of a host that died in between. */
  protected async reportRewinds(): Promise<void> {
    const { store, table } = this.ports;
    for (const replay of await store.rewinds.unreported()) {
      await this.ports.emit(perspectiveRewindCompleted(table, replay));
      await store.rewinds.markReported(replay);
    }
    for (const done of await store.rewinds.completed()) {
      await this.ports.emit(streamRewindCompleted(done));
      failpoint('rewind-before-close');
      await store.rewinds.close(done.rewind);
    }
  }

  /** Claims the waiting rewinds, by stream; the first host to do so reports their start. */
  async #claim(to: Long): Promise<ReadonlyMap<Uuid, SharedRewind>> {
    const { rewinds } = this.ports.store;
    const claimed = new Map<Uuid, SharedRewind>();
    for (const rewind of await rewinds.begin(to)) {
      if (!rewind.announced) {
        await this.ports.emit(streamRewindStarted(rewind));
        await rewinds.markAnnounced(rewind.rewind);
      }
      if (!claimed.has(rewind.streamId)) claimed.set(rewind.streamId, rewind);
    }
    return claimed;
  }

  /** Replays in silence when no reader has seen the stream, as in a model that is built from the beginning. */
  async #replay({ key, trigger }: LateStream, to: Long, shared: SharedRewind | undefined): Promise<Rewound> {
    const { store, table } = this.ports;
    const snapshot = await store.snapshot(key, trigger.key);
    const started = {
      rewind: shared?.rewind ?? 0,
      fromPosition: this.progress.position,
      triggerEventId: trigger.event.messageId,
      startedAt: new Date().toISOString(),
    };
    const history = await orArchived(store.history(key, snapshot?.at, to));
    // One row waits for its history, and readers keep it as it is; the others do not wait for it.
    if (history instanceof Problem) {
      const failure = { entry: trigger, error: history };
      return { folded: { key, row: null, columns: {}, snapshots: [], failure }, replay: undefined };
    }
    if (shared !== undefined) await this.ports.emit(perspectiveRewindStarted(table, key, started, snapshot));
    failpoint('rewind-after-started');
    const folded = this.fold(key, snapshot, history);
    const finalEventId = history.at(-1)?.event.messageId ?? trigger.event.messageId;
    const replay = { ...started, finalEventId, replayed: history.length };
    return { folded, replay: shared === undefined ? undefined : replay };
  }
}
