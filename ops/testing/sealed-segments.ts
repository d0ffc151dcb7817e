import * as assert from 'uvu/assert';
import { newUuid } from '../../contracts/uuid.js';
import { openDatabase } from '../../runtime/database/database.js';
import { withFolder } from '../../runtime/kit/temporary-folder.js';
import { openPostgresStore } from '../../runtime/store/postgres-event-store.js';
import { letSegmentsLeave } from '../../runtime/testing/archived-store.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { rowsOf } from '../../runtime/testing/rows-of.js';
import { useSegmentsOf } from '../../runtime/testing/small-segments.js';
import { svcInProcess } from './in-process-cli.js';

type Env = Readonly<Record<string, string>>;

interface Scene {
  readonly url: string;
  readonly folder: string;
  readonly append: (count: number) => Promise<void>;
  /** Runs in this process, and must succeed. */
  readonly run: (args: readonly string[], env?: Env) => Promise<string>;
  readonly refused: (args: readonly string[], env?: Env) => Promise<string>;
}

/** A store with segments of 10 positions: two are sealed and may leave. */
export const withSealedSegments = (body: (scene: Scene) => Promise<void>): Promise<void> =>
  withStore((url) =>
    withFolder(async (folder) => {
      await useSegmentsOf(url, 10);
      const answerOf = (args: readonly string[], env: Env = {}) =>
        svcInProcess(args, { DATABASE_URL: url, ...env });
      const run: Scene['run'] = async (args, env) => {
        const { code, stdout, stderr } = await answerOf(args, env);
        assert.equal([code, stderr], [0, ''], stdout);
        return stdout;
      };
      const refused: Scene['refused'] = async (args, env) => {
        const { code, stderr } = await answerOf(args, env);
        assert.is(code, 1, args.join(' '));
        assert.match(stderr, /^svc: [^\n]+\n$/);
        return stderr;
      };
      const append = (count: number) => appendTo(url, count);
      for (const count of [12, 10]) {
        await append(count);
        await run(['segments', 'seal']);
      }
      await letSegmentsLeave(url);
      await body({ url, folder, append, run, refused });
    }),
  );

async function appendTo(url: string, count: number): Promise<void> {
  const database = openDatabase({ url });
  const store = openPostgresStore(database, { host: 'test' });
  for (let n = 0; n < count; n++)
    await store.append(newUuid(), {
      messageId: newUuid(),
      messageType: 'Happened',
      payload: { text: `ü secret ${n}` },
      timestamp: '2026-03-01T09:30:00Z',
      v: 1,
    });
  await store.close();
  await database.close();
}

/** Of the segments that were sealed. */
export const states = async (url: string): Promise<string> =>
  (await rowsOf(url, 'SELECT state FROM svc_segments WHERE low < 20 ORDER BY low')).join(' ');
