import { fileURLToPath } from 'node:url';
import { Problem } from '../../../contracts/problems.js';
import { builtForProcess } from '../../../runtime/testing/process-root.js';
import { startProgram } from '../../testing/spawned-host.js';
import type { ProviderManner, ProviderReport } from './provider.js';

/** The other system, in a process of its own. */
export interface RunningProvider {
  readonly address: string;
  report(): Promise<ProviderReport>;
  stop(): Promise<unknown>;
}

export const programOf = (name: string): string =>
  fileURLToPath(builtForProcess(new URL(`./${name}.js`, import.meta.url)));

export async function startProvider(manner: ProviderManner): Promise<RunningProvider> {
  const program = startProgram(process.execPath, [programOf('provider'), JSON.stringify(manner)], {});
  const address = await new Promise<string>((resolve, reject) => {
    program.onLine(resolve);
    program.ended.then(
      () => reject(new Problem('host-silent', { detail: program.output.stderr.join('') })),
      reject,
    );
  });
  return {
    address,
    report: async () => (await (await fetch(address)).json()) as ProviderReport,
    stop: () => program.kill('SIGKILL'),
  };
}
