import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Problem } from '../../contracts/problems.js';
import type { Generator } from '../../endpoints/generator/generate.js';
import { WrittenFiles } from '../../endpoints/generator/write-generated-files.js';
import { mustBeInstalled } from '../../runtime/lang/optional-package.js';
import { infoOf, printDiagnostics, printWarnings } from './service-generator.js';

/** Generates and compiles a service, again and again. */
export class DevBuild {
  readonly #written: WrittenFiles;
  readonly #compiler: string;
  #recordedEvents: string | undefined;

  constructor(private readonly generator: Generator) {
    this.#written = new WrittenFiles(generator.root);
    this.#compiler = compilerOf(generator.root);
  }

  get root(): string {
    return this.generator.root;
  }

  /** While the generator reports mistakes: the file by which another process may accept a changed event. */
  get recordedEvents(): string | undefined {
    return this.#recordedEvents;
  }

  /** Whether the code compiles; each mistake is printed with its file and line. */
  async run(): Promise<boolean> {
    this.generator.describe(await infoOf(this.root));
    const generated = this.generator.run();
    this.#recordedEvents = generated.ok ? undefined : generated.recordedEvents;
    if (!generated.ok) {
      printDiagnostics(generated.diagnostics);
      return false;
    }
    printWarnings(generated.model);
    await this.#written.update(generated.files);
    return this.#compile();
  }

  async #compile(): Promise<boolean> {
    const pretty = process.stderr.isTTY ? 'true' : 'false';
    const args = [this.#compiler, '-p', this.generator.root, '--noEmitOnError', '--pretty', pretty];
    // Diagnostics are not data: they go to stderr.
    const compiler = spawn(process.execPath, args, { stdio: ['ignore', 2, 2] });
    const [code] = (await once(compiler, 'exit')) as [number | null];
    return code === 0;
  }
}

/** The TypeScript of the service. */
function compilerOf(root: string): string {
  const from = join(root, 'package.json');
  if (!existsSync(from))
    throw new Problem('invalid-setup', {
      detail: `${root} has no package.json; create a service with svc new <dir>.`,
    });
  mustBeInstalled('typescript', 'svc dev', 'development', from);
  return join(createRequire(from).resolve('typescript/package.json'), '../bin/tsc');
}
