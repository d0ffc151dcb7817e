import type { CommandGuard } from '../../actors/commands/command-handler.js';
import type { Child } from '../../actors/supervisor/child.js';
import type { InspectionFeed, FrameSource } from '../../endpoints/inspection/inspection-feed.js';
import type { Database } from '../../runtime/database/database.js';
import type { ReceivedStatus } from '../../runtime/inbox/host-status.js';
import type { ConsoleSource } from '../console/model/console-source.js';
import type { OwnHost } from '../console/sources/host/own-host.js';

/** What a host is composed with beside its application, by the supervisor or the monitor that runs it; one that is alone needs none. */
export interface HostOptions {
  /** Hosts of one supervisor protect each other from commands that block them. */
  readonly guard?: CommandGuard;
  /** What the console shows instead of this host alone. */
  readonly consoleSource?: (own: OwnHost) => ConsoleSource;
  /** What inspectors see instead of this host alone. */
  readonly frameSource?: (feed: InspectionFeed) => FrameSource;
  /** This host is not ready yet because it migrates. */
  readonly onMigrating?: () => void;
  /** With `receive: 'system'`: how every broadcasting host reports it is. */
  readonly onStatus?: (status: ReceivedStatus) => void;
  /** What else lives in the host, under its supervisor; it is there before the first message comes. */
  readonly children?: (database: Database) => readonly Child[];
}
