import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withDatabase } from '../../runtime/kit/database.js';
import { withFolder } from '../../runtime/kit/temporary-folder.js';

/** A built application with these migrations and one check of its own. */
export function withShop(
  files: Readonly<Record<string, string>>,
  body: (app: string, url: string) => Promise<void>,
): Promise<void> {
  return withFolder((app) =>
    withDatabase(async (url) => {
      await mkdir(join(app, 'migrations'));
      await writeFile(join(app, 'package.json'), '{"version":"1.0.0","main":"main.mjs"}');
      const main = `export default { name: 'shop', create: () => ({ endpoints: [], receptors: [] }),
        configure: (service) => service.parts.health.checks.push({ name: 'oven', tags: [], check: () => ({ status: 'Healthy' }) }) };`;
      await writeFile(join(app, 'main.mjs'), main);
      for (const [name, sql] of Object.entries(files)) await writeFile(join(app, 'migrations', name), sql);
      await body(app, url);
    }),
  );
}
