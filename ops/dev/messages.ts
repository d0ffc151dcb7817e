import type { Registry } from '../../endpoints/service-definition.js';

/** What `svc dev` sends to a host process. */
export type ToDevHost = Begin | { readonly type: 'stop' };

export interface Begin {
  readonly type: 'begin';
  readonly generatedToken: string | undefined;
  /** Lines of JSON, on a terminal too. */
  readonly json: boolean;
}

/** What a host process answers. */
export type FromDevHost = { readonly type: 'loaded' } | DevListening;

export interface DevListening {
  readonly type: 'listening';
  readonly url: string;
  readonly service: string;
  readonly documents: Pick<Registry, 'openApi' | 'schema'>;
}
