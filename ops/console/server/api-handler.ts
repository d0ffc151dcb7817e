import type { Query } from '../../../endpoints/access/query-parameters.js';
import type { ConsoleHost } from '../model/console-source.js';

export interface ApiRequest {
  readonly query: Query;
  readonly params: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** The caller, as far as it is known. */
  readonly actor: string;
}

export type ApiHandler = (host: ConsoleHost, asked: ApiRequest) => unknown;
