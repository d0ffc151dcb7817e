import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isObject } from '../../../contracts/codec-scalars.js';
import { Problem } from '../../../contracts/problems.js';
import { objectIn, textIn, written } from './stored-json.js';

/** Which revision each slot holds, and which slot has all requests between deployments. */
export interface SlotAssignments {
  readonly revisions: Readonly<Record<string, string>>;
  readonly serving: string | undefined;
}

/** Its name in the folder of the revisions. */
export const slotsFile = 'slots.json';

export async function readAssignments(path: string): Promise<SlotAssignments> {
  const text = await textIn(path);
  if (text === undefined) return { revisions: {}, serving: undefined };
  const assignments = assignmentsIn(text);
  if (assignments !== undefined) return assignments;
  throw new Problem('invalid-setup', {
    detail: `${path} does not contain the slots of svc deploy; restore it, or remove it if no revision is running.`,
  });
}

function assignmentsIn(text: string): SlotAssignments | undefined {
  const { revisions = {}, serving } = objectIn(text) ?? { revisions: null };
  const isRight = isObject(revisions) && (serving === undefined || typeof serving === 'string');
  if (!isRight || Object.values(revisions).some((revision) => typeof revision !== 'string')) return undefined;
  return { revisions: revisions as SlotAssignments['revisions'], serving };
}

export const writeAssignments = (path: string, assignments: SlotAssignments): Promise<void> =>
  written(path, async () => {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await writeFile(`${path}.new`, `${JSON.stringify(assignments)}\n`);
    await rename(`${path}.new`, path);
  });
