import { randomUUID } from 'node:crypto';
import { link, lstat, open, readFile, unlink, writeFile } from 'node:fs/promises';

export const hasCode = (error: unknown, ...codes: readonly string[]): boolean =>
  error instanceof Error && 'code' in error && codes.includes(String(error.code));

export const exists = async (path: string): Promise<boolean> =>
  (await unlessMissing(lstat(path))) !== undefined;

export const readIfExists = (path: string): Promise<string | undefined> =>
  unlessMissing(readFile(path, 'utf8'));

/** Creates the file with all of its text at once; false when somebody else did so before. */
export async function createOnce(path: string, text: string): Promise<boolean> {
  const draft = `${path}.${randomUUID()}`;
  await writeFile(draft, text, { flush: true });
  try {
    await link(draft, path);
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    throw error;
  } finally {
    await unlink(draft);
  }
}

/** A rename survives a power cut only once its folder is on disk; Windows cannot open folders. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function unlessMissing<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR', 'ESRCH')) return undefined;
    throw error;
  }
}
