import { access, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Problem } from '../../../contracts/problems.js';
import { program } from '../../../runtime/testing/installed-program.js';

/** A clock that can be set while the processes that have it run. Durations are measured by another one, as on a machine. */
export interface FakeClock {
  /** For the environment of a process. */
  readonly env: Readonly<Record<string, string>>;
  /** Sets it to this many seconds before or after the real time. */
  set(seconds: number): Promise<void>;
}

/** `threads`: whether the processes have several. */
export async function fakeClock(
  file: string,
  { threads }: { readonly threads: boolean },
): Promise<FakeClock> {
  await program('faketime');
  const library = await fakeTimeLibrary(threads ? 'libfaketimeMT.so.1' : 'libfaketime.so.1');
  const set = (seconds: number): Promise<void> =>
    writeFile(file, `${seconds < 0 ? '-' : '+'}${Math.abs(seconds)}\n`, { mode: 0o644 });
  await set(0);
  const env = {
    LD_PRELOAD: library,
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_NO_CACHE: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  };
  return { env, set };
}

async function fakeTimeLibrary(name: string): Promise<string> {
  for (const folder of await readdir('/usr/lib')) {
    const path = join('/usr/lib', folder, 'faketime', name);
    if (
      await access(path).then(
        () => true,
        () => false,
      )
    )
      return path;
  }
  throw new Problem('invalid-setup', {
    detail: 'libfaketime is not in /usr/lib; apt-get install -y libfaketime',
  });
}
