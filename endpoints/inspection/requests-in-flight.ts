import type { RequestRecorder } from './request-recorder.js';

/** The requests that have not ended, as a linked list: joining and leaving it must cost next to nothing. */
export class RequestsInFlight {
  #newest: RequestRecorder | undefined;

  add(recorder: RequestRecorder): void {
    const before = this.#newest;
    recorder.older = before;
    recorder.newer = undefined;
    if (before !== undefined) before.newer = recorder;
    this.#newest = recorder;
  }

  remove(recorder: RequestRecorder): void {
    const { older, newer } = recorder;
    if (newer === undefined) this.#newest = older;
    else newer.older = older;
    if (older !== undefined) older.newer = newer;
    recorder.older = recorder.newer = undefined;
  }

  /** Newest first. */
  all(): readonly RequestRecorder[] {
    const found: RequestRecorder[] = [];
    for (let one = this.#newest; one !== undefined; one = one.older) found.push(one);
    return found;
  }

  /** Oldest first. */
  startedBefore(ms: number, limit: number): readonly RequestRecorder[] {
    return this.all()
      .filter(({ startedMs }) => startedMs < ms)
      .reverse()
      .slice(0, limit);
  }
}
