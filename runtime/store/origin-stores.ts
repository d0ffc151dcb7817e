import type { Uuid } from '../../contracts/scalars.js';
import type { Database, Row } from '../database/database.js';
import { originOf } from './stored-rows.js';

/** The store of an origin; looked up once per new origin, not for every row. */
export class OriginStores {
  readonly #stores = new Map<string, Uuid>();

  constructor(private readonly database: Pick<Database, 'rows'>) {}

  async of(page: readonly Row[]): Promise<(origin: string) => Uuid | undefined> {
    if (page.some((row) => this.#isUnknown(originOf(row)))) await this.#load();
    return (origin) => this.#stores.get(origin);
  }

  #isUnknown(origin: string | undefined): boolean {
    return origin !== undefined && !this.#stores.has(origin);
  }

  async #load(): Promise<void> {
    for (const [origin, store] of await this.database.rows({ text: 'SELECT origin, store FROM svc_origins' }))
      this.#stores.set(origin ?? '', store ?? '');
  }
}
