import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Problem } from '../../../contracts/problems.js';

/** Which revision each slot holds, and which slot has all requests between deployments. */
export interface SlotAssignments {
  readonly revisions: Readonly<Record<string, string>>;
  readonly serving: string | undefined;
}

export async function readAssignments(path: string): Promise<SlotAssignments> {
  const text = await readFile(path, 'utf8').catch(() => undefined);
  if (text === undefined) return { revisions: {}, serving: undefined };
  try {
    const { revisions = {}, serving } = JSON.parse(text) as Partial<SlotAssignments>;
    return { revisions, serving };
  } catch {
    throw new Problem('invalid-setup', { detail: `${path} is not valid JSON; restore or remove it.` });
  }
}

export async function writeAssignments(path: string, assignments: SlotAssignments): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeFile(`${path}.new`, `${JSON.stringify(assignments)}\n`);
  await rename(`${path}.new`, path);
}
