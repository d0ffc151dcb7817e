import { versionOf, watchGeneratedFile, watchSources } from '../../endpoints/generator/watch-sources.js';
import type { EmbeddedServer } from '../../runtime/database/embedded-server.js';
import { logListening } from '../../runtime/logging/log.js';
import type { Config } from '../config/config.js';
import { errorText } from '../terminal/error-text.js';
import { printConsoleLink } from '../config/generated-token.js';
import { startupBanner } from '../host/startup-banner.js';
import { printToStderr, printToStdout } from '../terminal/print.js';
import type { DevBuild } from './build.js';
import type { DevHosts } from './hosts.js';
import type { DevListening } from './messages.js';
import { CoalescedRounds } from './coalesced-rounds.js';

/** After every change: build, and if that succeeds replace the host. */
export class RestartOnChange {
  readonly #rounds = new CoalescedRounds((outdated) => this.#round(outdated));
  #stopWatching: () => void = () => undefined;
  #stopWatchingEvents: () => void = () => undefined;
  #hasListened = false;
  #isStopping = false;

  constructor(
    private readonly build: DevBuild,
    private readonly hosts: DevHosts,
    private readonly config: Config & { readonly embedded?: EmbeddedServer | undefined },
  ) {}

  start(): void {
    // Watching begins first: a change during the first round must not be missed.
    this.#stopWatching = watchSources(this.build.root, this.#request);
    this.#request();
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#stopWatching();
    this.#stopWatchingEvents();
    await this.hosts.stop();
  }

  readonly #request = (): void => this.#rounds.request();

  /** `svc generate --accept-events` in another terminal corrects what no source does, also while this one builds. */
  #watchEvents(before: string | undefined): void {
    const { recordedEvents } = this.build;
    if (recordedEvents !== undefined)
      this.#stopWatchingEvents = watchGeneratedFile(recordedEvents, this.#request, before);
  }

  async #round(outdated: AbortSignal): Promise<void> {
    const begun = performance.now();
    this.hosts.prepare();
    this.#stopWatchingEvents();
    const { recordedEvents } = this.build;
    const before = recordedEvents === undefined ? undefined : versionOf(recordedEvents);
    const compiles = await this.build.run().catch(explain);
    if (outdated.aborted || this.#isStopping) return;
    this.#watchEvents(before);
    const listening = compiles ? await this.hosts.replace(outdated) : undefined;
    if (this.#isStopping) return;
    if (listening !== undefined) this.#announce(listening, begun);
    else if (outdated.aborted) return;
    else if (this.hosts.isServing) printToStderr('svc: the code before this change still serves\n');
    else printToStderr('svc: waiting for a change\n');
    this.hosts.prepare();
  }

  #announce({ url, service, documents }: DevListening, begun: number): void {
    logListening({ url, service, ms: Math.round(performance.now() - begun) });
    if (this.#hasListened) return;
    this.#hasListened = true;
    if (process.stdout.isTTY) printToStdout(startupBanner(url, documents, this.config));
    else printConsoleLink(url, this.config);
  }
}

function explain(error: unknown): false {
  printToStderr(errorText(error));
  return false;
}
