import { createReadStream, createWriteStream } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { LocalDispatcher } from '../../actors/commands/dispatcher.js';
import { Problem } from '../../contracts/problems.js';
import type { Sealing } from '../../contracts/sealing.js';
import { Upcasters } from '../../contracts/upcaster.js';
import type { Database } from '../../runtime/database/database.js';
import { exportEvents } from '../../runtime/imports/export-events.js';
import { type ImportReport, importEvents } from '../../runtime/imports/import-events.js';
import { readEvents } from '../../runtime/imports/read-events.js';
import type { StoreConnection } from '../../runtime/service/store-connection.js';
import { cliEditor } from '../cli/access-editor.js';
import type { Config } from '../config/config.js';
import { sealSubjects } from '../host/subjects.js';
import { withApplication } from '../service/with-application.js';
import { progressBar } from '../terminal/progress-bar.js';
import { writePages } from '../terminal/write-pages.js';

interface Files {
  /** `-`: stdout or stdin. */
  readonly file: string;
  readonly app: string | undefined;
}

/** Writes the domain events of the store to a file, which is there only when it is complete. */
export async function exportStore(
  { database }: StoreConnection,
  config: Config,
  { file, app }: Files,
): Promise<void> {
  const bar = progressBar(process.stderr, 'exporting');
  await withSealing(database, config, app, async (sealing) => {
    const pages = exportEvents(database, { sealing, progress: (done, head) => bar.show(done, head) });
    if (file === '-') return writePages(pages);
    const part = `${file}.part`;
    try {
      await pipeline(pages, createWriteStream(part, { mode: 0o600 }));
      await rename(part, file);
    } catch (error) {
      await rm(part, { force: true }).catch(() => undefined);
      throw fileProblem(file, 'written', error);
    }
  }).finally(() => bar.clear());
}

interface ImportFile extends Files {
  readonly publish: boolean;
}

export async function importStore(
  connection: StoreConnection,
  config: Config,
  { file, app, publish }: ImportFile,
): Promise<ImportReport> {
  const size = file === '-' ? 0 : await sizeOf(file);
  const bar = progressBar(process.stderr, 'importing');
  const input = file === '-' ? process.stdin : createReadStream(file, { highWaterMark: 256 * 1024 });
  const recorder = cliEditor(config);
  try {
    return await withSealing(connection.database, config, app, async (sealing) => {
      if (app === undefined) await mustNotSeal(connection.database, config);
      const events = readEvents(input, Date.now(), sealing);
      return connection.asOwner((owner) =>
        importEvents(owner, events, {
          recorder,
          actor: recorder.changedBy,
          publish,
          progress: () => 'bytesRead' in input && bar.show(input.bytesRead, size),
        }),
      );
    });
  } finally {
    bar.clear();
    input.destroy();
  }
}

async function sizeOf(file: string): Promise<number> {
  try {
    const found = await stat(file);
    if (!found.isDirectory()) return found.size;
  } catch (error) {
    throw fileProblem(file, 'read', error);
  }
  throw new Problem('invalid-setup', { detail: `${file} is a folder; give a file.` });
}

const fileProblem = (file: string, what: string, cause: unknown): unknown =>
  cause instanceof Error && 'syscall' in cause && 'path' in cause
    ? new Problem('invalid-setup', { detail: `${file} cannot be ${what}: ${cause.message}.`, cause })
    : cause;

/** What the application encrypts for subjects; undefined without an application. */
async function withSealing<T>(
  database: Database,
  config: Config,
  app: string | undefined,
  body: (sealing: Sealing | undefined) => Promise<T>,
): Promise<T> {
  if (app === undefined) return body(undefined);
  return withApplication(app, async (definition) => {
    const upcasters = new Upcasters();
    await sealSubjects(database, { upcasters }, definition, config, definition.create(new LocalDispatcher()));
    return body(upcasters.sealing);
  });
}

/** Without the application nobody knows which values have a subject. */
async function mustNotSeal(database: Database, { masterKey }: Config): Promise<void> {
  const [[hasKeys] = []] = await database.rows({
    text: "SELECT EXISTS (SELECT FROM svc_subject_keys WHERE subject <> '')",
  });
  if (masterKey === undefined && hasKeys !== 't') return;
  throw new Problem('invalid-setup', {
    detail:
      'This store encrypts values of subjects; give the application with --app APP, so that the import does it, too.',
  });
}

export function importedText({ imported, present }: ImportReport): string {
  const there = present === 0 ? '' : ` ${present} ${present === 1 ? 'was' : 'were'} there already.`;
  return `Imported ${imported} ${imported === 1 ? 'event' : 'events'}.${there}`;
}
