import { mkdir, mkdtemp, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileUnderTest } from '../harness/build-under-test.js';

/** One command of the size that the specification describes, with its result and its receptor. */
export const commandSource = (name: string): string => `
import { Command, CommandEndpoint, Event, newUuid, type Decimal, type Int, type Receptor, type UnitOfWork, type Uuid } from 'svc-runtime';

export interface ${name}Line {
  /** @minLength 1 */
  productId: string;
  /** @minimum 1 */
  quantity: Int;
  unitPrice: Decimal;
}

export interface ${name}Address { street: string; city: string; state: string; zipCode: string }

export interface ${name}Result { id: Uuid; total: Decimal; status: 'created' | 'queued' }

@CommandEndpoint<${name}, ${name}Result>({ restRoute: '/${name.toLowerCase()}', graphQLMutation: 'do${name}' })
export class ${name} extends Command {
  customerId!: Uuid;
  /** @minItems 1 */
  lines!: ${name}Line[];
  address!: ${name}Address;
  priority: 'normal' | 'express' = 'normal';
  labels?: Record<string, string | null>;
}

export class ${name}Done extends Event { id!: Uuid }

export class ${name}Receptor implements Receptor<${name}, ${name}Result> {
  handle(_command: ${name}, work: UnitOfWork): ${name}Result {
    const id = newUuid();
    work.append(id, ${name}Done.of({ id }));
    return { id, total: '0', status: 'created' };
  }
}
`;

/** A service with this many commands, in a folder that resolves this package by name. */
export async function writeService(commands: number): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'svc-bench-'));
  await mkdir(join(dir, 'node_modules'));
  await symlink(fileUnderTest('../'), join(dir, 'node_modules/svc-runtime'), 'dir');
  const compilerOptions = {
    target: 'ES2022',
    module: 'NodeNext',
    lib: ['ES2023', 'DOM'],
    types: [],
    strict: true,
    skipLibCheck: true,
    outDir: 'dist',
    rootDir: '.',
  };
  await writeFile(
    join(dir, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, include: ['src', 'generated'] }),
  );
  await writeFile(join(dir, 'package.json'), JSON.stringify({ name: 'bench', type: 'module' }));
  await mkdir(join(dir, 'src'));
  for (let index = 0; index < commands; index++) {
    await writeFile(join(dir, `src/command-${index}.ts`), commandSource(`Command${index}`));
  }
  return dir;
}
