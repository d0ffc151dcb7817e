import type { CommandGuard } from '../../actors/commands/command-handler.js';
import type { Child } from '../../actors/supervisor/child.js';
import type { InspectionFeed, FrameSource } from '../../endpoints/inspection/inspection-feed.js';
import type { Database } from '../../runtime/database/database.js';
import type { EmbeddedServer } from '../../runtime/database/embedded-server.js';
import type { ReceivedStatus } from '../../contracts/host-status.js';
import type { ConsoleSource } from '../console/model/console-source.js';
import type { OwnHost } from '../console/sources/host/own-host.js';

/** What a supervisor, a monitor or a verb adds to the host it runs; a host on its own needs none of it. */
export interface LaunchOptions {
  /** Aborted: a start that is not complete is undone. */
  readonly signal?: AbortSignal;
  /** The embedded server, if it was started ahead of the host; the host stops it. */
  readonly embedded?: EmbeddedServer | undefined;
  /** Lets the hosts of one supervisor protect each other from commands that block them. */
  readonly guard?: CommandGuard;
  /** Shown by the console instead of this host alone. */
  readonly consoleSource?: (own: OwnHost) => ConsoleSource;
  /** Seen by inspectors instead of this host alone. */
  readonly frameSource?: (feed: InspectionFeed) => FrameSource;
  /** How long, while it drains, the connections of its clients may be silent; unset: 1.5 s. */
  readonly idleGraceMs?: number;
  /** Called while this host is not ready because it migrates. */
  readonly onMigrating?: () => void;
  /** With `receive: 'system'`: called with the status reports of broadcasting hosts. */
  readonly onStatus?: (status: ReceivedStatus) => void;
  /** Additional children of the host's supervisor, started before the first message arrives. */
  readonly children?: (database: Database) => readonly Child[];
}
