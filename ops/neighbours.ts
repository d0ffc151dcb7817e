import type { CommandGuard } from '../actors/commands/command-handler.js';
import type { ConsoleSource } from '../endpoints/console/source.js';
import type { Feed, FrameSource } from '../endpoints/inspection/feed.js';
import type { OwnHost } from './supervise/host-answers.js';

/** Where several hosts are seen as one: what there is to see of all of them. */
export interface Neighbours {
  /** They protect each other from commands that block them. */
  readonly guard?: CommandGuard;
  console(own: OwnHost): ConsoleSource;
  frames(feed: Feed): FrameSource;
  /** This host is not ready yet because it migrates. */
  migrating(): void;
}
