import type { ConsoleSource } from '../endpoints/console/source.js';
import type { Feed, FrameSource } from '../endpoints/inspection/feed.js';
import type { OwnHost } from './supervise/host-answers.js';

/** Where several hosts are seen as one: what there is to see of all of them. */
export interface Neighbours {
  console(own: OwnHost): ConsoleSource;
  frames(feed: Feed): FrameSource;
}
